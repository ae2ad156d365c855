/* machine.h - what this process may use of the machine: cores and memory, with the limits of containers and batch
 * systems.
 *
 * Sources: the CPU affinity mask, cgroup v2 (cpu.max, memory.max) and v1 (cpu.cfs_quota_us, memory.limit_in_bytes) of
 * our own group and those above it, /proc/meminfo, RLIMIT_AS. `nproc` and free(1) do not know about the middle ones.
 */
#ifndef MURAKUMO_NET_MACHINE_H
#define MURAKUMO_NET_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

unsigned machine_cores(void);               /* >= 1; a quota of 2.5 CPUs counts as 3 */
uint64_t machine_memory_mb(void);           /* all that we may ever use, MiB, >= 1 */
uint64_t machine_memory_available_mb(void); /* what is free at the moment, MiB; 0 if nothing */
const char *machine_simd(void);             /* best instruction set of this CPU for our purposes: "AVX2", "NEON", ... */
void machine_host_name(char *out, size_t capacity); /* fit for a name on the wire; "worker" if there is none */

/* Whoever was started with a closed stdin, stdout or stderr gets /dev/null there, before anything else lands on 0..2.
 */
void machine_open_standard_files(void);
/* Raises the limit of open files as far as allowed. */
void machine_raise_file_limit(void);
/* No core dumps, no tracing by others: for processes that hold a secret key. */
void machine_protect_secrets(void);

#endif
