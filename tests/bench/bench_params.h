/* bench_params.h - search parameters by name, for the programs that compare them. */
#ifndef MURAKUMO_TESTS_BENCH_PARAMS_H
#define MURAKUMO_TESTS_BENCH_PARAMS_H

#include <stdbool.h>
#include <stdio.h>

#include "worker/engine/params.h"

/* "name=number"; false: there is no such name. A bad number ends the program as bench_number() does. */
bool bench_param_set(struct search_params *params, const char *text);
/* " name name name ..." */
void bench_param_names(FILE *out);

#endif
