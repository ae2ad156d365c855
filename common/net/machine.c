/* machine.c - see machine.h. */
#include "common/net/machine.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* First line of a small file without its line end; false if it cannot be read. */
static bool line_read(const char *path, char *out, size_t capacity)
{
    FILE *file = fopen(path, "re");
    if (!file) return false;
    bool read = fgets(out, (int)capacity, file) != NULL;
    fclose(file);
    if (read) out[strcspn(out, "\n")] = 0;
    return read;
}

/* Calls `visit` for our control group of one controller ("" = version 2) and each one above it. */
static void groups_visit(const char *controller, void (*visit)(const char *directory, void *context), void *context)
{
    FILE *file = fopen("/proc/self/cgroup", "re");
    if (!file) return;
    char line[1024];
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path) continue;
        *controllers++ = 0;
        *path++ = 0;
        bool ours = false;
        if (!controller[0]) {
            ours = controllers[0] == 0;
        } else {
            char *rest = controllers, *word;
            while ((word = strsep(&rest, ",")) != NULL) ours = ours || strcmp(word, controller) == 0;
        }
        if (!ours) continue;
        for (;;) { /* inside a container the path may not exist; the root of the mount is then our group */
            char directory[1200];
            snprintf(directory, sizeof directory, "/sys/fs/cgroup%s%s%s", controller[0] ? "/" : "", controller, path);
            visit(directory, context);
            char *slash = strrchr(path, '/');
            if (!slash || path[1] == 0) break;
            if (slash == path)
                path[1] = 0;
            else
                *slash = 0;
        }
    }
    fclose(file);
}

static void quota_visit_v2(const char *directory, void *context)
{
    double *cpus = context;
    char path[1300], line[128];
    double quota, period;
    snprintf(path, sizeof path, "%s/cpu.max", directory);
    if (line_read(path, line, sizeof line) && sscanf(line, "%lf %lf", &quota, &period) == 2 && period > 0 &&
        quota / period < *cpus)
        *cpus = quota / period;
}

static void quota_visit_v1(const char *directory, void *context)
{
    double *cpus = context;
    char path[1300], line[128];
    double quota = -1, period = 0;
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", directory);
    if (!line_read(path, line, sizeof line) || sscanf(line, "%lf", &quota) != 1 || quota <= 0) return;
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", directory);
    if (line_read(path, line, sizeof line) && sscanf(line, "%lf", &period) == 1 && period > 0 && quota / period < *cpus)
        *cpus = quota / period;
}

unsigned machine_cores(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    double cpus = count < 1 ? 1 : count;
    groups_visit("", quota_visit_v2, &cpus);
    groups_visit("cpu", quota_visit_v1, &cpus);
    unsigned whole = (unsigned)cpus;
    if (cpus > whole) whole++;
    return whole ? whole : 1;
}

struct memory {
    uint64_t total_bytes, free_bytes;
};

static void memory_limit(struct memory *memory, const char *directory, const char *limit_name, const char *used_name)
{
    char path[1300], line[128];
    uint64_t limit, used = 0;
    snprintf(path, sizeof path, "%s/%s", directory, limit_name);
    if (!line_read(path, line, sizeof line) || sscanf(line, "%" SCNu64, &limit) != 1) return; /* "max" */
    snprintf(path, sizeof path, "%s/%s", directory, used_name);
    if (line_read(path, line, sizeof line)) (void)sscanf(line, "%" SCNu64, &used);
    if (limit < memory->total_bytes) memory->total_bytes = limit;
    uint64_t left = limit > used ? limit - used : 0;
    if (left < memory->free_bytes) memory->free_bytes = left;
}

static void memory_visit_v2(const char *directory, void *context)
{
    memory_limit(context, directory, "memory.max", "memory.current");
}

static void memory_visit_v1(const char *directory, void *context)
{
    memory_limit(context, directory, "memory.limit_in_bytes", "memory.usage_in_bytes");
}

static struct memory memory_now(void)
{
    struct memory memory = {UINT64_MAX, UINT64_MAX};
    FILE *file = fopen("/proc/meminfo", "re");
    char line[256];
    uint64_t kib;
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "MemTotal: %" SCNu64, &kib) == 1) memory.total_bytes = kib * 1024;
        if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1) memory.free_bytes = kib * 1024;
    }
    if (file) fclose(file);
    if (memory.total_bytes == UINT64_MAX) { /* no /proc */
        long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
        memory.total_bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : (uint64_t)1 << 30;
    }
    if (memory.free_bytes > memory.total_bytes) memory.free_bytes = memory.total_bytes;
    groups_visit("", memory_visit_v2, &memory);
    groups_visit("memory", memory_visit_v1, &memory);
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        if (limit.rlim_cur < memory.total_bytes) memory.total_bytes = limit.rlim_cur;
        if (limit.rlim_cur < memory.free_bytes) memory.free_bytes = limit.rlim_cur;
    }
    return memory;
}

uint64_t machine_memory_mb(void)
{
    uint64_t mb = memory_now().total_bytes >> 20;
    return mb ? mb : 1;
}

uint64_t machine_memory_available_mb(void) { return memory_now().free_bytes >> 20; }

const char *machine_simd(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512vnni")) return "AVX-512 VNNI";
    if (__builtin_cpu_supports("avx512bw")) return "AVX-512";
    if (__builtin_cpu_supports("avx2")) return "AVX2";
    return "x86-64";
#elif defined(__aarch64__)
    return "NEON";
#else
    return "scalar";
#endif
}

void machine_host_name(char *out, size_t capacity)
{
    char name[256] = "";
    if (gethostname(name, sizeof name - 1) != 0 || !name[0]) strcpy(name, "worker");
    name[strcspn(name, ".")] = 0;
    size_t n = 0;
    for (const char *c = name; *c && n + 1 < capacity; c++) {
        bool good =
            (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '-' || *c == '_';
        out[n++] = good ? *c : '-';
    }
    out[n] = 0;
    if (n == 0) snprintf(out, capacity, "worker");
}

void machine_open_standard_files(void)
{
    int fd;
    do fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0) close(fd);
}

void machine_raise_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

void machine_protect_secrets(void)
{
    struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)prctl(PR_SET_DUMPABLE, 0);
}
