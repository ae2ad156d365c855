/* powerfail.h - a disk for SQLite whose power can be cut: a VFS around the usual one that knows what was synced.
 *
 *   write, truncate   at once visible, but until the next sync of that file only in the drive's cache
 *   power cut         of what is in the cache a random part is on the disk: whole writes in any order, or pieces of one
 *   after the cut     every write and sync fails, until power_back() has put the files into the state that the disk has
 *
 * The shared memory of a WAL is gone with the power. Deletions are taken for lasting.
 * Threads: any; SQLite calls from the store's writer.
 */
#ifndef MURAKUMO_MODEL_POWERFAIL_H
#define MURAKUMO_MODEL_POWERFAIL_H

#include <stdbool.h>
#include <stdint.h>

/* Makes it the VFS that all connections opened from now on use. */
void power_install(void);
/* The power fails with the write or sync number `operations` from now; UINT64_MAX = never. */
void power_lasts(uint64_t operations);
bool power_is_cut(void);
/* All connections are closed: the files become what the disk holds. */
void power_back(uint64_t seed);
/* Forgets all files. */
void power_forget(void);

#endif
