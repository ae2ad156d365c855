/* private_dir.c - see private_dir.h. */
#include "coordinator/private_dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "murakumo-"

static void files_remove(const char *path)
{
    DIR *dir = opendir(path);
    if (!dir) return;
    const struct dirent *entry;
    while ((entry = readdir(dir)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
    (void)rmdir(path);
}

/* Its owner is gone if the lock can be had. */
static void stale_remove(const char *base, const char *name)
{
    char path[PRIVATE_DIR_BYTES_MAX], lock[PRIVATE_DIR_BYTES_MAX + 8];
    struct stat info;
    int n = snprintf(path, sizeof path, "%s/%s", base, name);
    if (n < 0 || (size_t)n >= sizeof path) return;
    if (lstat(path, &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid() || (info.st_mode & 077)) return;
    snprintf(lock, sizeof lock, "%s/lock", path);
    int fd = open(lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) files_remove(path);
    close(fd);
}

static enum status make_in(struct private_dir *dir, const char *base)
{
    int n = snprintf(dir->path, sizeof dir->path, "%s/" PREFIX "XXXXXX", base);
    if (n < 0 || (size_t)n >= sizeof dir->path) return ST_TOO_BIG;
    DIR *list = opendir(base);
    const struct dirent *entry;
    while (list && (entry = readdir(list)) != NULL)
        if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0) stale_remove(base, entry->d_name);
    if (list) closedir(list);
    if (!mkdtemp(dir->path)) return ST_IO; /* mode 0700 */
    char lock[PRIVATE_DIR_BYTES_MAX + 8];
    snprintf(lock, sizeof lock, "%s/lock", dir->path);
    dir->lock_fd = open(lock, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (dir->lock_fd >= 0 && flock(dir->lock_fd, LOCK_EX | LOCK_NB) == 0) return ST_OK;
    private_dir_remove(dir);
    return ST_IO;
}

enum status private_dir_make(struct private_dir *dir)
{
    const char *bases[] = {getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp"};
    enum status st = ST_IO;
    *dir = (struct private_dir){.path = "", .lock_fd = -1};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        if (!bases[i] || bases[i][0] != '/') continue;
        st = make_in(dir, bases[i]);
        if (st == ST_OK) return ST_OK;
        dir->path[0] = 0;
    }
    return st;
}

void private_dir_remove(struct private_dir *dir)
{
    if (dir->path[0]) files_remove(dir->path);
    if (dir->lock_fd >= 0) close(dir->lock_fd);
    dir->path[0] = 0;
    dir->lock_fd = -1;
}
