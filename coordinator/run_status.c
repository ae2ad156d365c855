/* run_status.c - see run_status.h. */
#include "coordinator/run_status.h"

#include "common/net/clock.h"
#include "coordinator/view/cluster_status.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES_MAX = 1 << 20 };

struct run_status {
    const char *program, *kind;
    int64_t started_ms;
    struct coord_snapshot snapshot; /* large */
    struct text_buffer text;
};

struct run_status *run_status_new(const char *program, const char *kind)
{
    struct run_status *status = calloc(1, sizeof *status);
    if (!status) return NULL;
    status->program = program;
    status->kind = kind;
    status->started_ms = clock_now_ms();
    text_buffer_init(&status->text, TEXT_BYTES_MAX);
    return status;
}

void run_status_free(struct run_status *status)
{
    if (status) text_buffer_free(&status->text);
    free(status);
}

static uint64_t descriptors_open(void)
{
    DIR *dir = opendir("/proc/self/fd");
    uint64_t count = 0;
    while (dir && readdir(dir)) count++;
    if (dir) closedir(dir);
    return count > 3 ? count - 3 : 0; /* ".", "..", and the directory itself */
}

static uint64_t memory_kb(void)
{
    unsigned long long total, resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return 0;
    if (fscanf(file, "%llu %llu", &total, &resident) != 2) resident = 0;
    fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
}

static size_t handshakes(struct link *link, struct absent out[LINK_REFUSALS_MAX])
{
    struct link_refusal refusals[LINK_REFUSALS_MAX];
    size_t count = link_zmq_refusals(link, refusals);
    for (size_t i = 0; i < count; i++) {
        const struct link_refusal *from = &refusals[i];
        out[i] = (struct absent){.refused = true, .at_ms = from->at_us / 1000, .count = (uint32_t)from->count};
        snprintf(out[i].name, sizeof out[i].name, "%.47s%s%.8s", from->from[0] ? from->from : "somebody",
                 from->key[0] ? " key " : "", from->key);
        snprintf(out[i].why, sizeof out[i].why, "%s", from->why);
    }
    return count;
}

const char *run_status_text(struct run_status *status, const struct coord *coord, struct link *link, pid_t front,
                            size_t *length)
{
    struct absent refused[LINK_REFUSALS_MAX];
    const char *listen[LINK_ZMQ_LISTEN_MAX];
    size_t listens = 0;
    for (size_t i = 0; i < LINK_ZMQ_LISTEN_MAX && *link_zmq_bound(link, i); i++)
        if (strncmp(link_zmq_bound(link, i), "ipc://", 6) != 0) listen[listens++] = link_zmq_bound(link, i);
    coord_snapshot(coord, &status->snapshot);
    int64_t now_ms = clock_now_ms();
    status->snapshot.now_ms = now_ms;
    const struct cluster_status shell = {.program = status->program,
                                         .kind = status->kind,
                                         .pid = getpid(),
                                         .front_pid = front,
                                         .uptime_ms = now_ms - status->started_ms,
                                         .listen = listen,
                                         .listen_count = listens,
                                         .handshakes = refused,
                                         .handshake_count = handshakes(link, refused),
                                         .frames_in = link->counters.frames_in,
                                         .frames_out = link->counters.frames_out,
                                         .bytes_in = link->counters.bytes_in,
                                         .bytes_out = link->counters.bytes_out,
                                         .malformed = link->counters.malformed,
                                         .handshakes_refused = link->counters.refused,
                                         .flooded = link->counters.flooded,
                                         .sends_to_gone = link->counters.gone,
                                         .sends_to_full = link->counters.full,
                                         .memory_kb = memory_kb(),
                                         .descriptors = descriptors_open()};
    text_buffer_clear(&status->text);
    cluster_status_write_json(&shell, &status->snapshot, &status->text);
    struct text text = text_buffer_view(&status->text);
    *length = text_length(text);
    return text.at;
}
