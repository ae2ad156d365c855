/* private_dir.h - a directory that only this user can enter, for the sockets of local workers. It goes away with us.
 *
 * Made under $MURAKUMO_RUNTIME_DIR if that is set; otherwise under $XDG_RUNTIME_DIR, else /run/user/UID, else $TMPDIR,
 * else /tmp. Directories of earlier processes that were
 * killed are removed when a new one is made: each holds a file that its owner keeps locked while it lives.
 */
#ifndef MURAKUMO_COORDINATOR_PRIVATE_DIR_H
#define MURAKUMO_COORDINATOR_PRIVATE_DIR_H

#include "common/base/status.h"

#include <stddef.h>

enum { PRIVATE_DIR_BYTES_MAX = 64 }; /* socket addresses are short: 107 bytes with the file name */

struct private_dir {
    char path[PRIVATE_DIR_BYTES_MAX];
    int lock_fd;
};

MUST_USE enum status private_dir_make(struct private_dir *dir);
/* The paths of all such directories of this user, also of processes that have died; returns how many. */
size_t private_dir_list(char paths[][PRIVATE_DIR_BYTES_MAX], size_t max);
void private_dir_remove(struct private_dir *dir); /* with all files in it; allowed if none was made */

#endif
