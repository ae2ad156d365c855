/* check_main.h - the main() of every unit test program: `CHECK_MAIN("name", add_cases)`.
 *
 * add_cases(Suite *) adds the TCases. CK_FORK=no and CK_RUN_CASE work as in any Check program.
 */
#ifndef MURAKUMO_TESTS_CHECK_MAIN_H
#define MURAKUMO_TESTS_CHECK_MAIN_H

#include <check.h>
#include <stdlib.h>

#define CHECK_MAIN(name, add_cases)                                                                                    \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        Suite *suite = suite_create(name);                                                                             \
        add_cases(suite);                                                                                              \
        SRunner *runner = srunner_create(suite);                                                                       \
        srunner_run_all(runner, CK_NORMAL);                                                                            \
        int failed = srunner_ntests_failed(runner);                                                                    \
        srunner_free(runner);                                                                                          \
        return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;                                                              \
    }

#endif
