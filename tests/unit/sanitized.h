/* sanitized.h - is this program built with a sanitizer? Then everything takes longer, memory that was freed is kept for
 * a while, and no figure that is promised can be measured: tests check what happens, and allow SANITIZED_PATIENCE times
 * the time and SANITIZED_MEMORY times the memory.
 */
#ifndef MURAKUMO_TESTS_SANITIZED_H
#define MURAKUMO_TESTS_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) /* gcc */
#define SANITIZED 1
#elif defined(__has_feature) /* clang */
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum { SANITIZED_PATIENCE = SANITIZED ? 10 : 1, SANITIZED_MEMORY = SANITIZED ? 8 : 1 };

#endif
