/* clock.h - the only window to the clocks of the machine.
 *
 * Decisions use the monotonic clock only; wall-clock time is for people (logs, file names) and may jump.
 */
#ifndef MURAKUMO_NET_CLOCK_H
#define MURAKUMO_NET_CLOCK_H

#include <stdint.h>

int64_t clock_now_ms(void);  /* monotonic, milliseconds */
int64_t clock_now_us(void);  /* monotonic, microseconds */
int64_t clock_unix_ms(void); /* wall clock, milliseconds since 1970 */
uint64_t clock_random(void); /* 64 unpredictable bits from the system, never 0: boot ids, seeds; not for keys */

#endif
