/* powerfail.c - see powerfail.h. */
#include "tests/model/powerfail.h"

#include "common/base/prng.h"

#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES_MAX = 8, NAME_BYTES = 256, PIECE_BYTES = 512 };

struct change {
    bool truncates;
    size_t at, bytes;
    uint8_t *data;
};

struct disk_file {
    char name[NAME_BYTES];
    uint8_t *synced; /* what the disk holds for certain */
    size_t synced_bytes, synced_room;
    struct change *changes; /* in the cache */
    size_t count, room;
};

/* What SQLite sees as an open file. The wrapped one follows it in memory. */
struct handle {
    sqlite3_file base;
    struct disk_file *disk; /* NULL: not watched (shared memory has no handle; temporary files) */
    sqlite3_file *real;
};

static struct {
    pthread_mutex_t lock;
    sqlite3_vfs *real, vfs;
    sqlite3_io_methods methods;
    struct disk_file files[FILES_MAX];
    size_t file_count;
    uint64_t operations_left;
    bool cut;
} power = {.lock = PTHREAD_MUTEX_INITIALIZER, .operations_left = UINT64_MAX};

static void *grown(void *memory, size_t bytes)
{
    memory = realloc(memory, bytes);
    assert(memory);
    return memory;
}

/* ---- a file on the disk ------------------------------------------------------------------------------------------ */

static void apply(struct disk_file *f, const struct change *c, size_t from, size_t to)
{
    if (c->truncates) {
        if (c->at < f->synced_bytes) f->synced_bytes = c->at;
        return;
    }
    size_t end = c->at + to;
    if (end > f->synced_room) {
        f->synced_room = 2 * end;
        f->synced = grown(f->synced, f->synced_room);
    }
    if (end > f->synced_bytes) {
        memset(f->synced + f->synced_bytes, 0, end - f->synced_bytes);
        f->synced_bytes = end;
    }
    memcpy(f->synced + c->at + from, c->data + from, to - from);
}

static void changes_forget(struct disk_file *f)
{
    for (size_t i = 0; i < f->count; i++) free(f->changes[i].data);
    f->count = 0;
}

static void change_note(struct disk_file *f, bool truncates, size_t at, const void *data, size_t bytes)
{
    if (f->count == f->room) {
        f->room = f->room ? 2 * f->room : 16;
        f->changes = grown(f->changes, f->room * sizeof *f->changes);
    }
    struct change *c = &f->changes[f->count++];
    *c = (struct change){.truncates = truncates, .at = at, .bytes = bytes};
    if (!bytes) return;
    c->data = grown(NULL, bytes);
    memcpy(c->data, data, bytes);
}

/* The drive kept some of what was in its cache. */
static void lose(struct disk_file *f, struct prng *prng)
{
    uint32_t kept_permille = prng_chance(prng, 300) ? 0 : prng_chance(prng, 300) ? 1000 : prng_below(prng, 1001);
    for (size_t i = 0; i < f->count; i++) {
        const struct change *c = &f->changes[i];
        if (c->truncates) {
            if (prng_chance(prng, kept_permille)) apply(f, c, 0, 0);
            continue;
        }
        for (size_t from = 0; from < c->bytes; from += PIECE_BYTES) {
            size_t to = from + PIECE_BYTES < c->bytes ? from + PIECE_BYTES : c->bytes;
            if (prng_chance(prng, kept_permille)) apply(f, c, from, to);
        }
    }
    changes_forget(f);
}

static void put_back(const struct disk_file *f)
{
    int fd = open(f->name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert(fd >= 0);
    ssize_t written = f->synced_bytes ? write(fd, f->synced, f->synced_bytes) : 0;
    assert(written == (ssize_t)f->synced_bytes);
    (void)written;
    close(fd);
}

static struct disk_file *file_of(const char *name)
{
    for (size_t i = 0; i < power.file_count; i++)
        if (!strcmp(power.files[i].name, name)) return &power.files[i];
    assert(power.file_count < FILES_MAX);
    struct disk_file *f = &power.files[power.file_count++];
    *f = (struct disk_file){0};
    snprintf(f->name, sizeof f->name, "%s", name);
    return f;
}

/* ---- what SQLite calls ------------------------------------------------------------------------------------------- */

static sqlite3_file *real_of(sqlite3_file *file) { return ((struct handle *)file)->real; }

/* One more operation that reaches the drive. False: there is no power. */
static bool powered(void)
{
    if (power.operations_left != UINT64_MAX && power.operations_left-- <= 1) power.cut = true;
    if (power.cut) power.operations_left = 1;
    return !power.cut;
}

static int changed(struct handle *h, bool truncates, const void *data, size_t bytes, sqlite3_int64 at)
{
    pthread_mutex_lock(&power.lock);
    bool was_cut = power.cut, on = powered();
    if (h->disk && !was_cut)
        change_note(h->disk, truncates, (size_t)at, data, bytes); /* the last one may arrive, too */
    pthread_mutex_unlock(&power.lock);
    return on ? SQLITE_OK : SQLITE_IOERR_WRITE;
}

static int file_write(sqlite3_file *file, const void *data, int bytes, sqlite3_int64 at)
{
    int rc = changed((struct handle *)file, false, data, (size_t)bytes, at);
    return rc == SQLITE_OK ? real_of(file)->pMethods->xWrite(real_of(file), data, bytes, at) : rc;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 bytes)
{
    int rc = changed((struct handle *)file, true, NULL, 0, bytes);
    return rc == SQLITE_OK ? real_of(file)->pMethods->xTruncate(real_of(file), bytes) : rc;
}

static int file_sync(sqlite3_file *file, int flags)
{
    struct handle *h = (struct handle *)file;
    (void)flags;
    pthread_mutex_lock(&power.lock);
    bool on = powered();
    for (size_t i = 0; on && h->disk && i < h->disk->count; i++)
        apply(h->disk, &h->disk->changes[i], 0, h->disk->changes[i].bytes);
    if (on && h->disk) changes_forget(h->disk);
    pthread_mutex_unlock(&power.lock);
    return on ? SQLITE_OK : SQLITE_IOERR_FSYNC;
}

static int file_close(sqlite3_file *file) { return real_of(file)->pMethods->xClose(real_of(file)); }
static int file_read(sqlite3_file *file, void *to, int bytes, sqlite3_int64 at)
{
    return real_of(file)->pMethods->xRead(real_of(file), to, bytes, at);
}
static int file_size(sqlite3_file *file, sqlite3_int64 *bytes)
{
    return real_of(file)->pMethods->xFileSize(real_of(file), bytes);
}
static int file_lock(sqlite3_file *file, int level) { return real_of(file)->pMethods->xLock(real_of(file), level); }
static int file_unlock(sqlite3_file *file, int level) { return real_of(file)->pMethods->xUnlock(real_of(file), level); }
static int file_reserved(sqlite3_file *file, int *out)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}
static int file_control(sqlite3_file *file, int op, void *argument)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), op, argument);
}
static int file_sector(sqlite3_file *file) { return real_of(file)->pMethods->xSectorSize(real_of(file)); }
static int file_features(sqlite3_file *file) { return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file)); }
static int file_shm_map(sqlite3_file *file, int region, int bytes, int extend, void volatile **out)
{
    return real_of(file)->pMethods->xShmMap(real_of(file), region, bytes, extend, out);
}
static int file_shm_lock(sqlite3_file *file, int offset, int n, int flags)
{
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, n, flags);
}
static void file_shm_barrier(sqlite3_file *file) { real_of(file)->pMethods->xShmBarrier(real_of(file)); }
static int file_shm_unmap(sqlite3_file *file, int removes)
{
    return real_of(file)->pMethods->xShmUnmap(real_of(file), removes);
}

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out)
{
    (void)vfs;
    struct handle *h = (struct handle *)file;
    *h = (struct handle){.real = (sqlite3_file *)(h + 1)};
    int rc = power.real->xOpen(power.real, name, h->real, flags, flags_out);
    if (!h->real->pMethods) return rc;
    h->base.pMethods = &power.methods;
    if (!name || rc != SQLITE_OK) return rc;
    pthread_mutex_lock(&power.lock);
    h->disk = file_of(name);
    pthread_mutex_unlock(&power.lock);
    return rc;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync_directory)
{
    (void)vfs;
    pthread_mutex_lock(&power.lock);
    bool on = powered();
    for (size_t i = 0; on && i < power.file_count; i++) {
        if (strcmp(power.files[i].name, name) != 0) continue;
        changes_forget(&power.files[i]);
        power.files[i].synced_bytes = 0;
    }
    pthread_mutex_unlock(&power.lock);
    return on ? power.real->xDelete(power.real, name, sync_directory) : SQLITE_IOERR_DELETE;
}

/* ---- the hand on the switch -------------------------------------------------------------------------------------- */

void power_install(void)
{
    if (power.real) return;
    power.real = sqlite3_vfs_find(NULL);
    power.vfs = *power.real;
    power.vfs.zName = "powerfail";
    power.vfs.szOsFile = (int)sizeof(struct handle) + power.real->szOsFile;
    power.vfs.xOpen = vfs_open;
    power.vfs.xDelete = vfs_delete;
    power.methods = (sqlite3_io_methods){.iVersion = 2,
                                         .xClose = file_close,
                                         .xRead = file_read,
                                         .xWrite = file_write,
                                         .xTruncate = file_truncate,
                                         .xSync = file_sync,
                                         .xFileSize = file_size,
                                         .xLock = file_lock,
                                         .xUnlock = file_unlock,
                                         .xCheckReservedLock = file_reserved,
                                         .xFileControl = file_control,
                                         .xSectorSize = file_sector,
                                         .xDeviceCharacteristics = file_features,
                                         .xShmMap = file_shm_map,
                                         .xShmLock = file_shm_lock,
                                         .xShmBarrier = file_shm_barrier,
                                         .xShmUnmap = file_shm_unmap};
    int rc = sqlite3_vfs_register(&power.vfs, 1);
    assert(rc == SQLITE_OK);
    (void)rc;
}

void power_lasts(uint64_t operations) { power.operations_left = operations; }

bool power_is_cut(void)
{
    pthread_mutex_lock(&power.lock);
    bool cut = power.cut;
    pthread_mutex_unlock(&power.lock);
    return cut;
}

void power_back(uint64_t seed)
{
    struct prng prng = prng_make(seed);
    for (size_t i = 0; i < power.file_count; i++) {
        lose(&power.files[i], &prng);
        put_back(&power.files[i]);
        char shared[NAME_BYTES + 8];
        snprintf(shared, sizeof shared, "%s-shm", power.files[i].name);
        unlink(shared);
    }
    power.cut = false;
    power.operations_left = UINT64_MAX;
}

void power_forget(void)
{
    for (size_t i = 0; i < power.file_count; i++) {
        changes_forget(&power.files[i]);
        free(power.files[i].changes);
        free(power.files[i].synced);
    }
    power.file_count = 0;
    power.cut = false;
    power.operations_left = UINT64_MAX;
}
