/* zap_service.c - see zap_service.h. */
#include "common/net/zap_service.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

struct zap_service {
    pthread_t thread;
    struct refusals *refusals;
    void *socket; /* the thread's own */
    char directory[4096];
    struct allow_list allowed;
};

/* What ZAP has heard and answered with no: frame 3 is the address, frame 6 the key. */
static void refusals_note_zap(struct refusals *refusals, const struct zap_frame *frames, size_t count, const char *why)
{
    char from[sizeof((struct link_refusal *)0)->from] = "", key[KEY_Z85_CHARS + 1] = "";
    if (count == ZAP_REQUEST_FRAMES) {
        const uint8_t *address = frames[3].bytes;
        size_t used = 0;
        for (size_t i = 0; i < frames[3].count && used < sizeof from - 1; i++)
            from[used++] = address[i] > ' ' && address[i] < 127 ? (char)address[i] : '?';
        from[used] = 0;
        if (frames[6].count == KEY_BYTES && !zmq_z85_encode(key, frames[6].bytes, KEY_BYTES)) key[0] = 0;
        key[sizeof((struct link_refusal *)0)->key - 1] = 0;
    }
    refusals_note(refusals, from, key, why);
}

static void *zap_run(void *argument)
{
    struct zap_service *zap = argument;
    for (;;) {
        zmq_msg_t parts[ZAP_REQUEST_FRAMES];
        struct zap_frame frames[ZAP_REQUEST_FRAMES];
        size_t count = 0;
        bool more = true, ended = false, surplus = false;
        while (more) {
            zmq_msg_t part;
            zmq_msg_init(&part);
            if (zmq_msg_recv(&part, zap->socket, 0) < 0) {
                zmq_msg_close(&part);
                if (errno == EINTR) continue;
                ended = true; /* the context is closing */
                break;
            }
            more = zmq_msg_more(&part) != 0;
            if (count < ZAP_REQUEST_FRAMES) {
                parts[count] = part;
                frames[count].bytes = zmq_msg_data(&parts[count]);
                frames[count].count = zmq_msg_size(&parts[count]);
                count++;
            } else {
                surplus = true;
                zmq_msg_close(&part);
            }
        }
        if (!ended) {
            size_t bad;
            if (allow_list_read(&zap->allowed, zap->directory, &bad) == ST_IO) zap->allowed.count = 0;
            struct zap_answer answer = zap_decide(&zap->allowed, frames, surplus ? 0 : count);
            const char *code = answer.allowed ? "200" : "400";
            if (!answer.allowed) refusals_note_zap(zap->refusals, frames, surplus ? 0 : count, answer.reason);
            zmq_send(zap->socket, "1.0", 3, ZMQ_SNDMORE);
            if (count > 1)
                zmq_send(zap->socket, frames[1].bytes, frames[1].count, ZMQ_SNDMORE);
            else
                zmq_send(zap->socket, "", 0, ZMQ_SNDMORE);
            zmq_send(zap->socket, code, 3, ZMQ_SNDMORE);
            zmq_send(zap->socket, answer.reason, strlen(answer.reason), ZMQ_SNDMORE);
            zmq_send(zap->socket, answer.name, strlen(answer.name), ZMQ_SNDMORE);
            zmq_send(zap->socket, "", 0, 0);
        }
        for (size_t i = 0; i < count; i++) zmq_msg_close(&parts[i]);
        if (ended) break;
    }
    zmq_close(zap->socket);
    return NULL;
}

struct zap_service *zap_service_start(void *context, const char *directory, struct refusals *refusals)
{
    struct zap_service *zap = calloc(1, sizeof *zap);
    if (!zap) return NULL;
    zap->refusals = refusals;
    int n = snprintf(zap->directory, sizeof zap->directory, "%s", directory), no_linger = 0;
    zap->socket = n > 0 && (size_t)n < sizeof zap->directory ? zmq_socket(context, ZMQ_REP) : NULL;
    if (!zap->socket) {
        free(zap);
        return NULL;
    }
    zmq_setsockopt(zap->socket, ZMQ_LINGER, &no_linger, sizeof no_linger);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the shell's business */
    bool started =
        zmq_bind(zap->socket, "inproc://zeromq.zap.01") == 0 && pthread_create(&zap->thread, NULL, zap_run, zap) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) return zap;
    zmq_close(zap->socket);
    free(zap);
    return NULL;
}

bool zap_service_uses(const struct zap_service *zap, const char *directory)
{
    return strcmp(zap->directory, directory) == 0;
}

void zap_service_join(struct zap_service *zap)
{
    if (zap) pthread_join(zap->thread, NULL);
    free(zap);
}
