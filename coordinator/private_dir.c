/* private_dir.c - see private_dir.h. */
#include "coordinator/private_dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
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

/* A directory that belongs to us and that nobody else may enter; no link to one. */
static bool is_own(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() && !(info.st_mode & 077);
}

/* Its owner is gone if the lock can be had. */
static void stale_remove(const char *base, const char *name)
{
    char path[PRIVATE_DIR_BYTES_MAX], lock[PRIVATE_DIR_BYTES_MAX + 8];
    int n = snprintf(path, sizeof path, "%s/%s", base, name);
    if (n < 0 || (size_t)n >= sizeof path || !is_own(path)) return;
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

enum { BASES = 4 };

/* In order of preference; without what is not set or no absolute path. */
static size_t bases_find(const char *bases[BASES], char runtime[32])
{
    const char *only = getenv("MURAKUMO_RUNTIME_DIR");
    if (only && only[0] == '/') {
        bases[0] = only;
        return 1;
    }
    snprintf(runtime, 32, "/run/user/%u", (unsigned)geteuid());
    const char *all[BASES] = {getenv("XDG_RUNTIME_DIR"), runtime, getenv("TMPDIR"), "/tmp"};
    size_t count = 0;
    for (size_t i = 0; i < BASES; i++) {
        if (!all[i] || all[i][0] != '/') continue;
        bool again = false;
        for (size_t k = 0; k < count; k++) again = again || strcmp(bases[k], all[i]) == 0;
        if (!again) bases[count++] = all[i];
    }
    return count;
}

enum status private_dir_make(struct private_dir *dir)
{
    const char *bases[BASES];
    char runtime[32];
    size_t count = bases_find(bases, runtime);
    enum status st = ST_IO;
    *dir = (struct private_dir){.path = "", .lock_fd = -1};
    for (size_t i = 0; i < count; i++) {
        st = make_in(dir, bases[i]);
        if (st == ST_OK) return ST_OK;
        dir->path[0] = 0;
    }
    return st;
}

size_t private_dir_list(char paths[][PRIVATE_DIR_BYTES_MAX], size_t max)
{
    const char *bases[BASES];
    char runtime[32];
    size_t count = bases_find(bases, runtime), found = 0;
    for (size_t i = 0; i < count; i++) {
        DIR *list = opendir(bases[i]);
        const struct dirent *entry;
        while (list && found < max && (entry = readdir(list)) != NULL) {
            if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0) continue;
            int n = snprintf(paths[found], PRIVATE_DIR_BYTES_MAX, "%s/%s", bases[i], entry->d_name);
            if (n > 0 && n < PRIVATE_DIR_BYTES_MAX && is_own(paths[found])) found++;
        }
        if (list) closedir(list);
    }
    return found;
}

void private_dir_remove(struct private_dir *dir)
{
    if (dir->path[0]) files_remove(dir->path);
    if (dir->lock_fd >= 0) close(dir->lock_fd);
    dir->path[0] = 0;
    dir->lock_fd = -1;
}
