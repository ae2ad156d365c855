/* check_hostile.c - peers that mean harm, and a machine that runs out of things: floods, frames without end, replayed
 * answers, idle connections, no descriptors, a full disk, a wall clock that jumps. The coordinator goes on playing, its
 * memory stays bounded, and each case prints what it measured. */
#include "common/base/prng.h"
#include "common/net/link_zmq.h"
#include "common/shogi/zobrist.h"
#include "proto/msg.h"
#include "tests/e2e/driver.h"
#include "tests/unit/check_main.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define START "startpos"
enum {
    FLOOD_MEMORY_LIMIT_MB = 192 * SANITIZED_MEMORY, /* as PROTOCOL.md says; inflow.h says why */
    MEMORY_LIMIT_MB = 128 * SANITIZED_MEMORY        /* afterwards */
};

static char endpoint[PATH_BYTES];

static void endpoint_learn(struct process *p)
{
    const char *line = await_error(p, "listening endpoint=", WAIT_MS);
    snprintf(endpoint, sizeof endpoint, "%s", strstr(line, "endpoint=") + strlen("endpoint="));
    endpoint[strcspn(endpoint, " \n")] = 0;
}

static struct process *coordinator_ready(struct process *p)
{
    endpoint_learn(p);
    say(p, "usi");
    await(p, "usiok", WAIT_MS);
    say(p, "setoption name MinimumThinkingTime value 100");
    say(p, "setoption name NetworkDelay2 value 100");
    return p;
}

static struct process *coordinator_start(void)
{
    return coordinator_ready(engine_start("--workers", "1", "--listen", "tcp://127.0.0.1:*", "--log", "info", NULL));
}

static void make_ready(struct process *p)
{
    say(p, "isready");
    await(p, "readyok", WAIT_MS);
    say(p, "usinewgame");
}

static unsigned memory_mb(pid_t pid)
{
    char path[64];
    unsigned long total = 0, resident = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "re");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%lu %lu", &total, &resident), 2);
    fclose(file);
    return (unsigned)(resident * (unsigned long)sysconf(_SC_PAGESIZE) >> 20);
}

static unsigned processor_ms(pid_t pid)
{
    char path[64], text[1024] = "";
    unsigned long user = 0, kernel = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(text, sizeof text, file));
    fclose(file);
    ck_assert_int_eq(
        sscanf(strrchr(text, ')'), ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &kernel), 2);
    return (unsigned)((user + kernel) * 1000 / (unsigned long)sysconf(_SC_CLK_TCK));
}

static uint64_t metric(const char *name)
{
    char key[64];
    struct process *status = command_start("cluster", "status", "--json", NULL);
    ck_assert_int_eq(await_end(status, WAIT_MS), 0);
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(status->out, key);
    ck_assert_ptr_nonnull(at);
    uint64_t value = strtoull(at + strlen(key), NULL, 10);
    process_drop(status);
    return value;
}

/* ---- raw peers -----------------------------------------------------------------------------------------------------
 */

/* -1: not let in. */
static int stranger_connect(void)
{
    const struct timeval patience = {.tv_usec = 100000}; /* an address that is shut does not answer */
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    address.sin_port = htons((uint16_t)atoi(strrchr(endpoint, ':') + 1));
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(fd, 0);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    close(fd);
    return -1;
}

static const uint8_t greeting[64] = {0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0, 'N', 'U', 'L', 'L'};

/* A whole ZMTP handshake without keys: only when both sides are ready are frames taken. -1: not let in. */
static int stranger_says(const uint8_t *ready, size_t bytes)
{
    const struct timeval patience = {.tv_sec = 1};
    uint8_t answer[256];
    int fd = stranger_connect();
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    bool good = send(fd, greeting, sizeof greeting, MSG_NOSIGNAL) == sizeof greeting &&
                send(fd, ready, bytes, MSG_NOSIGNAL) == (ssize_t)bytes &&
                recv(fd, answer, sizeof greeting + 2, MSG_WAITALL) == sizeof greeting + 2 &&
                recv(fd, answer, answer[sizeof greeting + 1], MSG_WAITALL) > 0;
    if (good) return fd;
    close(fd);
    return -1;
}

static int stranger_greets(void)
{
    static const uint8_t ready[] = {4,   28,  5,   'R', 'E', 'A', 'D', 'Y', 11, 'S', 'o', 'c', 'k', 'e', 't',
                                    '-', 'T', 'y', 'p', 'e', 0,   0,   0,   6,  'D', 'E', 'A', 'L', 'E', 'R'};
    return stranger_says(ready, sizeof ready);
}

/* Sends the block again and again over so many connections, and connects anew whenever one is thrown out; returns how
 * many bytes were taken. */
static uint64_t flood(const struct process *victim, unsigned at_once, const uint8_t *block, size_t bytes, int ms,
                      unsigned *connections, unsigned *most_mb)
{
    enum { AT_ONCE_MAX = 64 };
    struct {
        int fd;
        size_t at; /* in the block: the borders of frames are kept */
    } peers[AT_ONCE_MAX];
    uint64_t taken = 0;
    ck_assert_uint_le(at_once, AT_ONCE_MAX);
    for (unsigned i = 0; i < at_once; i++) {
        peers[i].fd = stranger_greets();
        peers[i].at = 0;
        ++*connections;
    }
    int64_t looked_ms = 0, end_ms = now_ms() + ms;
    for (unsigned i = 0; now_ms() < end_ms; i = (i + 1) % at_once) {
        if (peers[i].fd < 0) {
            peers[i].fd = stranger_greets();
            peers[i].at = 0;
            ++*connections;
        }
        if (peers[i].fd >= 0) {
            ssize_t n = send(peers[i].fd, block + peers[i].at, bytes - peers[i].at, MSG_NOSIGNAL | MSG_DONTWAIT);
            if (n > 0) {
                taken += (uint64_t)n;
                peers[i].at = (peers[i].at + (size_t)n) % bytes;
            } else if (errno != EAGAIN) {
                close(peers[i].fd);
                peers[i].fd = -1;
            }
        }
        if (now_ms() - looked_ms < 10) continue;
        looked_ms = now_ms();
        unsigned mb = memory_mb(victim->pid);
        if (mb > *most_mb) *most_mb = mb;
    }
    for (unsigned i = 0; i < at_once; i++)
        if (peers[i].fd >= 0) close(peers[i].fd);
    return taken;
}

static void flood_while_playing(struct process *coordinator, const char *name, unsigned at_once, const uint8_t *block,
                                size_t bytes)
{
    make_ready(coordinator);
    play(coordinator, START, "go movetime 200");
    unsigned before_mb = memory_mb(coordinator->pid), most_mb = before_mb, connections = 0;
    say(coordinator, "position startpos");
    size_t from = coordinator->out_used;
    say(coordinator, "go btime 0 wtime 0 byoyomi 2500");
    int64_t start_ms = now_ms();
    uint64_t taken = flood(coordinator, at_once, block, bytes, 2000, &connections, &most_mb);
    await(coordinator, "bestmove", WAIT_MS);
    int took_ms = (int)(now_ms() - start_ms);
    check_search_output(coordinator, from, START);
    ck_assert_ptr_null(strstr(coordinator->err, "worker_gone")); /* the honest one has not suffered */
    play(coordinator, START, "go depth 5");
    printf("%s: %u MiB taken in 2 s over %u connections; memory %u MiB before, %u MiB at most; answer after %d ms of "
           "2500\n",
           name, (unsigned)(taken >> 20), connections, before_mb, most_mb, took_ms);
    ck_assert_uint_lt(most_mb, before_mb + FLOOD_MEMORY_LIMIT_MB);
    /* What it was buffered in is given back, so that floods do not add up. */
    for (int tries = 0; memory_mb(coordinator->pid) >= before_mb + MEMORY_LIMIT_MB && tries < 400; tries++)
        usleep(50000);
    ck_assert_uint_lt(memory_mb(coordinator->pid), before_mb + MEMORY_LIMIT_MB);
    engine_quit(coordinator);
}

static unsigned count_in(const char *text, const char *part)
{
    unsigned count = 0;
    for (; (text = strstr(text, part)); text += strlen(part)) count++;
    return count;
}

static uint8_t small_frames[7 * 8192];

static void small_frames_fill(void)
{
    for (size_t i = 0; i < sizeof small_frames; i += 7) memcpy(small_frames + i, "\0\5\335\17\377\377\377", 7);
}

START_TEST(a_flood_of_small_frames_is_cut_off)
{
    small_frames_fill();
    flood_while_playing(coordinator_start(), "flood of 7-byte frames", 1, small_frames, sizeof small_frames);
}
END_TEST

START_TEST(a_flood_over_many_connections_is_cut_off)
{
    small_frames_fill();
    struct process *coordinator = coordinator_start();
    struct process *worker = worker_start(endpoint, "--name", "honest", NULL); /* by the same address: it stays */
    await_error(worker, " joined ", WAIT_MS);
    flood_while_playing(coordinator, "flood of 7-byte frames, 64 connections at once", 64, small_frames,
                        sizeof small_frames);
    ck_assert_uint_eq(count_in(worker->err, " joined "), 1);
    process_drop(worker);
}
END_TEST

START_TEST(a_message_without_end_is_cut_off)
{
    static uint8_t block[9 + 60000];
    block[0] = 3; /* long, more to come */
    block[7] = 60000 >> 8;
    block[8] = 60000 & 255;
    flood_while_playing(coordinator_start(), "one message of endless parts", 1, block, sizeof block);
}
END_TEST

/* Where keys are needed, what comes before the handshake is over takes no memory, however it is wrong. */
START_TEST(without_a_key_a_flood_gets_nowhere)
{
    static const uint8_t curve[64] = {0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0, 'C', 'U', 'R', 'V', 'E'};
    static uint8_t hello[2 + 200] = {4, 200, 5, 'H', 'E', 'L', 'L', 'O', 1, 0};
    struct prng prng = prng_make(7);
    for (size_t i = 10 + 72; i < sizeof hello; i++) hello[i] = (uint8_t)prng_next(&prng);
    small_frames_fill();
    const struct {
        const uint8_t *greeting, *block;
        size_t bytes;
    } attacks[] = {{greeting, small_frames, sizeof small_frames},
                   {curve, small_frames, sizeof small_frames},
                   {curve, hello, sizeof hello},
                   {curve, hello, 100}};
    char keys[PATH_BYTES];
    snprintf(keys, sizeof keys, "%s/keys", scratch());
    keys_make(keys, "alpha");
    struct process *coordinator = coordinator_ready(
        engine_start("--workers", "1", "--listen", "tcp://127.0.0.1:*", "--keys", keys, "--log", "info", NULL));
    make_ready(coordinator);
    play(coordinator, START, "go movetime 200");
    unsigned before_mb = memory_mb(coordinator->pid), most_mb = before_mb, connections = 0;
    for (int64_t end_ms = now_ms() + 2000; now_ms() < end_ms; connections++) {
        int fd = stranger_connect();
        if (fd < 0) continue;
        (void)send(fd, attacks[connections % 4].greeting, 64, MSG_NOSIGNAL);
        for (int i = 0; i < 50; i++)
            if (send(fd, attacks[connections % 4].block, attacks[connections % 4].bytes, MSG_NOSIGNAL) < 0) break;
        close(fd);
        unsigned mb = memory_mb(coordinator->pid);
        if (mb > most_mb) most_mb = mb;
    }
    play(coordinator, START, "go movetime 200");
    printf("4 kinds of flood without a key, 2 s, %u connections: memory %u MiB before, %u MiB at most\n", connections,
           before_mb, most_mb);
    ck_assert_uint_lt(most_mb, before_mb + 32 * SANITIZED_MEMORY);
    struct process *worker = worker_start(endpoint, "--key", key_path(keys, "alpha"), NULL);
    await_error(worker, " joined ", WAIT_MS);
    play(coordinator, START, "go depth 5");
    engine_quit(coordinator);
    process_drop(worker);
}
END_TEST

/* One who has a key may still go mad. */
START_TEST(a_flood_of_a_worker_with_a_key_is_cut_off)
{
    char keys[PATH_BYTES], why[KEY_TEXT_MAX];
    struct key_pair key;
    snprintf(keys, sizeof keys, "%s/keys-of-the-mad", scratch());
    keys_make(keys, "mad");
    ck_assert_int_eq(key_read(key_path(keys, "mad"), true, &key, why), ST_OK);
    struct process *coordinator = coordinator_ready(
        engine_start("--workers", "1", "--listen", "tcp://127.0.0.1:*", "--keys", keys, "--log", "info", NULL));
    make_ready(coordinator);
    play(coordinator, START, "go movetime 200");
    unsigned before_mb = memory_mb(coordinator->pid), most_mb = before_mb;
    uint64_t sent = 0;
    struct link *mad = link_zmq_worker_new(endpoint, &(struct link_zmq_keys){.own = &key}, why);
    ck_assert_ptr_nonnull(mad);
    for (int64_t end_ms = now_ms() + 2000; now_ms() < end_ms;) {
        struct link_event event;
        for (int i = 0; i < 1000 && link_send(mad, LINK_COORDINATOR, (const uint8_t *)"", 1) == LINK_SENT; i++) sent++;
        link_wait(mad, NULL, 0, 1, false);
        while (link_receive(mad, &event)) {
        }
        unsigned mb = memory_mb(coordinator->pid);
        if (mb > most_mb) most_mb = mb;
    }
    play(coordinator, START, "go depth 5");
    printf("flood of a worker with a key, 2 s, %" PRIu64 " frames: memory %u MiB before, %u MiB at most\n", sent,
           before_mb, most_mb);
    ck_assert_uint_lt(most_mb, before_mb + FLOOD_MEMORY_LIMIT_MB);
    link_close(mad, 0);
    engine_quit(coordinator);
}
END_TEST

START_TEST(frames_that_lie_about_their_size_are_cut_off)
{
    struct process *coordinator = coordinator_start();
    make_ready(coordinator);
    unsigned before_mb = memory_mb(coordinator->pid);
    static const uint8_t lies[][9] = {{2, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
                                      {2, 0, 0, 0, 0, 0x40, 0, 0, 0},
                                      {2, 0, 0, 0, 0, 0, 1, 0, 1},
                                      {6, 0, 0, 0, 0, 0x40, 0, 0, 0}};
    unsigned closed = 0;
    for (unsigned i = 0; i < 40; i++) {
        int fd = stranger_greets();
        ck_assert_int_ge(fd, 0);
        (void)send(fd, lies[i % 4], i % 9 + 1, MSG_NOSIGNAL); /* some are truncated, too */
        if (i % 9 == 8) {
            char rest[256];
            struct timeval patience = {.tv_sec = 5};
            setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
            ssize_t n;
            while ((n = recv(fd, rest, sizeof rest, 0)) > 0) {
            }
            closed += n == 0 || errno == ECONNRESET;
        }
        close(fd);
    }
    play(coordinator, START, "go depth 5");
    printf(
        "frames that claim up to 8 EiB: 40 connections, %u of 4 whole lies closed by us, memory %u MiB before, %u MiB "
        "after\n",
        closed, before_mb, memory_mb(coordinator->pid));
    ck_assert_uint_eq(closed, 4);
    ck_assert_uint_lt(memory_mb(coordinator->pid), before_mb + 16 * SANITIZED_MEMORY);
    engine_quit(coordinator);
}
END_TEST

/* libzmq 4.3.4 aborts when a peer overfills a pipe with a limit, sends heartbeats and resets (zeromq/libzmq#4841): our
 * pipes have no limit. The victim sleeps meanwhile, as a process on a suspended machine does. */
START_TEST(a_coordinator_that_slept_through_a_flood_of_heartbeats_wakes_up)
{
    static const uint8_t frame[] = {0, 5, 'h', 'e', 'l', 'l', 'o'}, ping[] = {4, 7, 4, 'P', 'I', 'N', 'G', 0, 100};
    static uint8_t block[sizeof frame * 4000 + sizeof ping];
    const struct linger reset = {.l_onoff = 1, .l_linger = 0};
    for (size_t i = 0; i < 4000; i++) memcpy(block + i * sizeof frame, frame, sizeof frame);
    memcpy(block + sizeof block - sizeof ping, ping, sizeof ping);
    struct process *coordinator = coordinator_start();
    make_ready(coordinator);
    unsigned sent = 0;
    for (int round = 0; round < 3; round++) {
        int fds[8];
        for (int i = 0; i < 8; i++) fds[i] = stranger_greets();
        usleep(100000); /* the handshakes are over */
        kill(coordinator->pid, SIGSTOP);
        for (int i = 0; i < 8; i++)
            for (int k = 0; k < 20; k++)
                sent += send(fds[i], block, sizeof block, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof block;
        usleep(1200000); /* longer than the library's own heartbeat */
        kill(coordinator->pid, SIGCONT);
        usleep(100000);
        for (int i = 0; i < 8; i++) {
            setsockopt(fds[i], SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
            close(fds[i]);
        }
        play(coordinator, START, "go movetime 200");
    }
    printf("asleep for 3 x 1.2 s under %u thousand frames with heartbeats and resets: alive, memory %u MiB\n", sent * 4,
           memory_mb(coordinator->pid));
    engine_quit(coordinator);
}
END_TEST

/* A routing id of the peer's own choice would make it somebody else, or a hole that swallows frames. */
START_TEST(a_peer_that_chooses_its_own_address_is_not_heard)
{
    static const uint8_t ready[] = {4,   46,  5,   'R', 'E', 'A', 'D', 'Y', 11,  'S', 'o', 'c', 'k', 'e', 't', '-',
                                    'T', 'y', 'p', 'e', 0,   0,   0,   6,   'D', 'E', 'A', 'L', 'E', 'R', 8,   'I',
                                    'd', 'e', 'n', 't', 'i', 't', 'y', 0,   0,   0,   5,   'a', 'l', 'p', 'h', 'a'};
    static const uint8_t frame[] = {0, 5, 'h', 'e', 'l', 'l', 'o'};
    char runtime[PATH_BYTES];
    snprintf(runtime, sizeof runtime, "%s/run", scratch());
    mkdir(runtime, 0700);
    setenv("MURAKUMO_RUNTIME_DIR", runtime, 1);
    struct process *coordinator = coordinator_start();
    make_ready(coordinator);
    uint64_t bad_frames = metric("bad_frames"), malformed = metric("malformed");
    int fd = stranger_says(ready, sizeof ready);
    ck_assert_int_ge(fd, 0);
    for (int i = 0; i < 10; i++) ck_assert_int_gt(send(fd, frame, sizeof frame, MSG_NOSIGNAL), 0);
    for (int tries = 0; metric("malformed") < malformed + 10 && tries < 100; tries++) usleep(20000);
    ck_assert_uint_eq(metric("malformed"), malformed + 10);
    ck_assert_uint_eq(metric("bad_frames"), bad_frames); /* they never came as far as the core */
    play(coordinator, START, "go depth 5");
    printf("a peer with an address of its own choice: 10 of 10 frames thrown away\n");
    close(fd);
    engine_quit(coordinator);
}
END_TEST

/* ---- a worker that replays ------------------------------------------------------------------------------------------
 */

struct liar {
    struct link *link;
    uint64_t boot, sequence, session;
    uint8_t frame[WIRE_FRAME_BYTES_MAX];
    size_t frame_bytes; /* of the last message sent */
};

static void liar_writes(struct liar *liar, struct msg *msg)
{
    msg->boot = liar->boot;
    msg->sequence = ++liar->sequence;
    ck_assert_int_eq(msg_encode(msg, liar->frame, sizeof liar->frame, &liar->frame_bytes), ST_OK);
}

static void liar_send(struct liar *liar, struct msg *msg)
{
    liar_writes(liar, msg);
    ck_assert_int_eq(link_send(liar->link, LINK_COORDINATOR, liar->frame, liar->frame_bytes), LINK_SENT);
}

/* Leaves the frame that is to be sent again alone. */
static void liar_beats(struct liar *liar, uint64_t session)
{
    static struct liar copy;
    struct msg beat = {.type = MSG_heartbeat};
    beat.heartbeat = (struct msg_heartbeat){.session = session, .sent_us = 1};
    copy = *liar;
    liar_send(&copy, &beat);
    liar->sequence = copy.sequence;
}

/* The next message of that type; others are passed over. */
static struct msg liar_awaits(struct liar *liar, enum msg_type type, uint8_t keep[WIRE_FRAME_BYTES_MAX])
{
    struct msg msg;
    for (int64_t end_ms = now_ms() + WAIT_MS; now_ms() < end_ms;) {
        struct link_event event;
        link_wait(liar->link, NULL, 0, 20, false);
        while (link_receive(liar->link, &event)) {
            if (event.type != LINK_EVENT_FRAME || event.count == 0) {
                if (event.type == LINK_EVENT_CONNECTED && type == MSG_hello) return (struct msg){.type = MSG_hello};
                continue;
            }
            memcpy(keep, event.bytes, event.count);
            if (msg_decode(&msg, keep, event.count) == ST_OK && msg.type == type) return msg;
        }
    }
    ck_abort_msg("waited in vain for a %s", msg_name(type));
}

static struct msg hello_as(const char *name, const char *build, uint64_t eval_hash, uint64_t zobrist)
{
    struct msg msg = {.type = MSG_hello};
    msg.hello = (struct msg_hello){.name = wire_str_make(name, strlen(name)),
                                   .build = wire_str_make(build, strlen(build)),
                                   .eval_hash = eval_hash,
                                   .zobrist_check = zobrist,
                                   .threads = 1,
                                   .hash_mb = 16};
    return msg;
}

START_TEST(answers_that_are_replayed_count_once)
{
    enum { REPLAYS = 5000 };
    static struct liar liar;
    static uint8_t keep[WIRE_FRAME_BYTES_MAX];
    char why[KEY_TEXT_MAX], runtime[PATH_BYTES];
    snprintf(runtime, sizeof runtime, "%s/run", scratch());
    mkdir(runtime, 0700);
    setenv("MURAKUMO_RUNTIME_DIR", runtime, 1); /* `cluster status` finds this coordinator only */
    struct process *coordinator =
        coordinator_ready(engine_start("--workers", "0", "--listen", "tcp://127.0.0.1:*", "--log", "info", NULL));
    liar.link = link_zmq_worker_new(endpoint, NULL, why);
    liar.boot = 4711;
    ck_assert_ptr_nonnull(liar.link);
    liar_awaits(&liar, MSG_hello, keep);
    struct msg msg = hello_as("liar", "test", 1, zobrist_check());
    liar_send(&liar, &msg);
    uint64_t session = liar_awaits(&liar, MSG_welcome, keep).welcome.session;
    struct msg configure = liar_awaits(&liar, MSG_configure, keep);
    msg = (struct msg){.type = MSG_configured};
    msg.configured = (struct msg_configured){.session = session, .config = configure.configure.config, .ok = true};
    liar_send(&liar, &msg);
    make_ready(coordinator);

    say(coordinator, "position startpos");
    say(coordinator, "go nodes 1000");
    struct msg job = liar_awaits(&liar, MSG_job, keep);
    msg = (struct msg){.type = MSG_result};
    msg.result = (struct msg_result){.session = session,
                                     .epoch = job.job.epoch,
                                     .job = job.job.job,
                                     .attempt = job.job.attempt,
                                     .verdict = VERDICT_MOVE,
                                     .best = wire_str_make("2g2f", 4),
                                     .depth = 5,
                                     .nodes = 1000,
                                     .elapsed_ms = 1};
    liar_send(&liar, &msg);
    await(coordinator, "bestmove 2g2f", WAIT_MS);
    uint64_t duplicates = metric("duplicates"), stale = metric("stale"), results = metric("results");
    /* The same frame again and again, then the same content under new numbers, during the next search. */
    say(coordinator, "position startpos moves 2g2f");
    say(coordinator, "go infinite");
    for (int i = 0; i < REPLAYS; i++) {
        if (i % 250 == 0) liar_beats(&liar, session); /* a replay is no sign of life */
        if (link_send(liar.link, LINK_COORDINATOR, liar.frame, liar.frame_bytes) != LINK_SENT) usleep(1000), i--;
    }
    for (int i = 0; i < 100; i++) liar_send(&liar, &msg);
    for (int tries = 0; metric("stale") < stale + 100 && tries < 100; tries++) usleep(20000);
    ck_assert_uint_eq(metric("duplicates"), duplicates + REPLAYS);
    ck_assert_uint_eq(metric("stale"), stale + 100);
    ck_assert_uint_eq(metric("results"), results);
    await_silence(coordinator, "bestmove", 50);
    say(coordinator, "stop");
    await(coordinator, "bestmove", WAIT_MS);
    ck_assert_uint_eq(count_lines(coordinator, "bestmove"), 2);
    printf("replayed answers: %d as they were, 100 under new numbers: all known as such, 0 counted\n", REPLAYS);
    engine_quit(coordinator);
    link_close(liar.link, 0);
}
END_TEST

static struct liar liar_connects(void)
{
    static uint8_t keep[WIRE_FRAME_BYTES_MAX];
    char why[KEY_TEXT_MAX];
    struct liar liar = {.link = link_zmq_worker_new(endpoint, NULL, why), .boot = 4712};
    ck_assert_ptr_nonnull(liar.link);
    liar_awaits(&liar, MSG_hello, keep);
    return liar;
}

/* Another evaluation, other position keys, another protocol: each is told why, and so is who asks for the status. */
static void status_names(const char *worker, const char *word)
{
    struct process *status = command_start("cluster", "status", NULL);
    ck_assert_int_eq(await_end(status, WAIT_MS), 0);
    ck_assert_msg(strstr(status->out, worker) && strstr(status->out, word), "%s", status->out);
    process_drop(status);
}

START_TEST(a_worker_of_another_kind_is_refused_and_both_sides_know_why)
{
    static uint8_t keep[WIRE_FRAME_BYTES_MAX];
    static struct liar liar;
    const struct {
        const char *name, *word; /* in the reason */
        uint64_t eval_hash, zobrist;
        uint8_t major;
    } kinds[] = {{"other-eval", "evaluation", 1, 0, 0},
                 {"other-keys", "position", 0, 1, 0},
                 {"other-protocol", "protocol", 0, 0, 1}};
    char runtime[PATH_BYTES];
    snprintf(runtime, sizeof runtime, "%s/run-kinds", scratch());
    mkdir(runtime, 0700);
    setenv("MURAKUMO_RUNTIME_DIR", runtime, 1);
    struct process *coordinator = coordinator_start();
    make_ready(coordinator); /* the local worker decides which evaluation the cluster has */
    for (unsigned i = 0; i < 3; i++) {
        liar = liar_connects();
        struct msg msg = hello_as(kinds[i].name, "test", kinds[i].eval_hash, zobrist_check() + kinds[i].zobrist);
        liar_writes(&liar, &msg);
        liar.frame[1] = (uint8_t)(liar.frame[1] + kinds[i].major); /* the first item of the array */
        ck_assert_int_eq(link_send(liar.link, LINK_COORDINATOR, liar.frame, liar.frame_bytes), LINK_SENT);
        struct msg answer = liar_awaits(&liar, MSG_refuse, keep);
        char text[WIRE_TEXT_BYTES_MAX + 1];
        snprintf(text, sizeof text, "%.*s", (int)answer.refuse.text.length, answer.refuse.text.bytes);
        ck_assert_msg(strstr(text, kinds[i].word), "%s", text);
        link_close(liar.link, 0);
        if (kinds[i].major) continue; /* what cannot be read has no name */
        status_names(kinds[i].name, kinds[i].word);
    }
    play(coordinator, START, "go depth 5");
    engine_quit(coordinator);
}
END_TEST

START_TEST(a_worker_of_another_build_is_refused_and_both_sides_know_why)
{
    static uint8_t keep[WIRE_FRAME_BYTES_MAX];
    static struct liar first, second;
    char runtime[PATH_BYTES];
    snprintf(runtime, sizeof runtime, "%s/run-builds", scratch());
    mkdir(runtime, 0700);
    setenv("MURAKUMO_RUNTIME_DIR", runtime, 1);
    struct process *coordinator =
        coordinator_ready(engine_start("--workers", "0", "--listen", "tcp://127.0.0.1:*", "--log", "info", NULL));
    first = liar_connects();
    struct msg msg = hello_as("first", "murakumo 1", 1, zobrist_check());
    liar_send(&first, &msg);
    liar_awaits(&first, MSG_welcome, keep);
    second = liar_connects();
    second.boot++;
    msg = hello_as("second", "murakumo 2", 1, zobrist_check());
    liar_send(&second, &msg);
    struct msg answer = liar_awaits(&second, MSG_refuse, keep);
    ck_assert_int_eq(answer.refuse.reason, REFUSE_BUILD);
    status_names("second", "build \"murakumo 2\" differs from the cluster's \"murakumo 1\"");
    link_close(first.link, 0);
    link_close(second.link, 0);
    engine_quit(coordinator);
}
END_TEST

/* ---- a machine that runs out ----------------------------------------------------------------------------------------
 */

START_TEST(without_descriptors_it_goes_on_and_recovers)
{
    enum { IDLE = 900, DESCRIPTORS = 512 }; /* with far fewer a burst may outrun us, see inflow.h; doctor warns */
    char command[PATH_BYTES * 3];
    snprintf(command, sizeof command,
             "ulimit -n %d; exec %s --workers 1 --hash 16 --threads 1 --listen 'tcp://127.0.0.1:*' --log info",
             DESCRIPTORS, program("murakumo"));
    char *argv[] = {"/bin/sh", "-c", command, NULL};
    struct process *coordinator = coordinator_ready(process_start(argv));
    make_ready(coordinator);
    int fds[IDLE];
    for (int i = 0; i < IDLE; i++) fds[i] = stranger_connect();
    unsigned used_ms = processor_ms(coordinator->pid);
    int64_t start_ms = now_ms();
    await_silence(coordinator, "impossible", 1500);
    unsigned percent = (processor_ms(coordinator->pid) - used_ms) * 100 / (unsigned)(now_ms() - start_ms);
    play(coordinator, START, "go movetime 300"); /* its own worker was there before */
    for (int i = 0; i < IDLE; i++)
        if (fds[i] >= 0) close(fds[i]);
    start_ms = now_ms();
    struct process *worker = worker_start(endpoint, "--name", "late", NULL);
    await_error(worker, " joined ", WAIT_MS);
    printf("%d descriptors, %d idle connections: %u %% of a processor, a worker joins %d ms after they have gone\n",
           DESCRIPTORS, IDLE, percent, (int)(now_ms() - start_ms));
    ck_assert_uint_lt(percent, 30);
    play(coordinator, START, "go depth 5");
    engine_quit(coordinator);
    process_drop(worker);
}
END_TEST

/* Nobody comes in then, but those who are there stay: unbinding would end their connections (gate.h). */
START_TEST(who_is_there_stays_when_descriptors_run_out)
{
    enum { IDLE = 400, DESCRIPTORS = 64 };
    char command[PATH_BYTES * 3];
    snprintf(command, sizeof command,
             "ulimit -n %d; exec %s --workers 0 --hash 16 --threads 1 --listen 'tcp://127.0.0.1:*' --log info",
             DESCRIPTORS, program("murakumo"));
    char *argv[] = {"/bin/sh", "-c", command, NULL};
    struct process *coordinator = coordinator_ready(process_start(argv));
    struct process *worker = worker_start(endpoint, "--name", "early", NULL);
    await_error(worker, " joined ", WAIT_MS);
    make_ready(coordinator);
    play(coordinator, START, "go depth 5");
    int fds[IDLE];
    unsigned in = 0, used_ms = processor_ms(coordinator->pid);
    int64_t start_ms = now_ms();
    for (int i = 0; i < IDLE; i++) {
        fds[i] = -1;
        if (now_ms() - start_ms < 2000) fds[i] = stranger_connect();
        in += fds[i] >= 0;
    }
    await_silence(coordinator, "impossible", 1000);
    unsigned percent = (processor_ms(coordinator->pid) - used_ms) * 100 / (unsigned)(now_ms() - start_ms);
    play(coordinator, START, "go depth 5");
    ck_assert_ptr_null(strstr(coordinator->err, "worker_gone"));
    for (int i = 0; i < IDLE; i++)
        if (fds[i] >= 0) close(fds[i]);
    struct process *late = worker_start(endpoint, "--name", "late", NULL);
    await_error(late, " joined ", WAIT_MS);
    ck_assert_ptr_null(strstr(coordinator->err, "worker_gone"));
    printf("%d descriptors, %u idle connections: %u %% of a processor, the worker that was there stayed\n", DESCRIPTORS,
           in, percent);
    ck_assert_uint_lt(percent, 30);
    engine_quit(coordinator);
    process_drop(worker);
    process_drop(late);
}
END_TEST

START_TEST(a_full_disk_costs_the_recording_and_nothing_else)
{
    char mountpoint[PATH_BYTES], record[PATH_BYTES * 2], debug[PATH_BYTES * 2];
    snprintf(mountpoint, sizeof mountpoint, "%s/full", scratch());
    mkdir(mountpoint, 0700);
    bool mounted = mount("tmpfs", mountpoint, "tmpfs", 0, "size=16k") == 0;
    snprintf(record, sizeof record, "%s", mounted ? "" : "/dev/full");
    if (mounted) snprintf(record, sizeof record, "%s/record", mountpoint);
    snprintf(debug, sizeof debug, "%s", mounted ? "" : "/dev/full");
    if (mounted) snprintf(debug, sizeof debug, "%s/debug", mountpoint);
    struct process *coordinator = coordinator_ready(
        engine_start("--workers", "1", "--listen", "tcp://127.0.0.1:*", "--log", "info", "--record", record, NULL));
    say(coordinator, "setoption name DebugLogFile value %s", debug);
    make_ready(coordinator);
    for (int i = 0; i < 12; i++) play(coordinator, START, "go movetime 150");
    await_error(coordinator, "recording_ended", WAIT_MS);
    play(coordinator, START, "go depth 5");
    engine_quit(coordinator);
    if (mounted) {
        char *argv[] = {(char *)(uintptr_t)program("murakumo-sim"), "--replay", record, NULL};
        struct process *replay = process_start(argv); /* what was written is good */
        ck_assert_int_eq(await_end(replay, WAIT_MS), 0);
        printf("full disk (tmpfs of 16 KiB): the game went on; %s", replay->out);
        process_drop(replay);
        ck_assert_int_eq(umount2(mountpoint, MNT_DETACH), 0);
    } else {
        printf("full disk: /dev/full stands for it (no permission to mount a tmpfs)\n");
    }
}
END_TEST

/* The wall clock jumps a day ahead and two days back, in steps of 100 ms, while a search runs: the shim lies to the
 * process about CLOCK_REALTIME only. */
START_TEST(a_wall_clock_that_jumps_has_no_effect)
{
    char clock[PATH_BYTES];
    snprintf(clock, sizeof clock, "%s/clock", scratch());
    int fd = open(clock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    int64_t offset_s = 0;
    ck_assert_int_eq(pwrite(fd, &offset_s, sizeof offset_s, 0), sizeof offset_s);
    setenv("WALLCLOCK_FILE", clock, 1);
    setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 0); /* for builds that have it */
    setenv("LD_PRELOAD", program("e2e/wallclock.so"), 1);
    struct process *coordinator = coordinator_start();
    unsetenv("LD_PRELOAD");
    make_ready(coordinator);
    for (int i = 0; i < 6; i++) {
        say(coordinator, "position startpos");
        size_t from = coordinator->out_used;
        int64_t start_ms = now_ms();
        say(coordinator, "go btime 0 wtime 0 byoyomi 800");
        for (int k = 0; k < 4; k++) {
            await_silence(coordinator, "bestmove", 100);
            offset_s = (i * 4 + k) % 3 == 0 ? 86400 : (i * 4 + k) % 3 == 1 ? -86400 : 0;
            ck_assert_int_eq(pwrite(fd, &offset_s, sizeof offset_s, 0), sizeof offset_s);
        }
        await(coordinator, "bestmove", WAIT_MS);
        ck_assert_int_gt(now_ms() - start_ms, 500); /* not early, not late */
        ck_assert_int_lt(now_ms() - start_ms, 1800 * SANITIZED_PATIENCE);
        check_search_output(coordinator, from, START);
    }
    ck_assert_ptr_null(strstr(coordinator->err, "worker_gone"));
    ck_assert_ptr_null(strstr(coordinator->err, "worker_suspect"));
    printf("wall clock moved 24 times by a day or two: 6 answers in time, 0 workers suspected\n");
    engine_quit(coordinator);
    close(fd);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *peers = tcase_create("peers");
    tcase_add_test(peers, a_flood_of_small_frames_is_cut_off);
    tcase_add_test(peers, a_flood_over_many_connections_is_cut_off);
    tcase_add_test(peers, a_message_without_end_is_cut_off);
    tcase_add_test(peers, without_a_key_a_flood_gets_nowhere);
    tcase_add_test(peers, a_flood_of_a_worker_with_a_key_is_cut_off);
    tcase_add_test(peers, frames_that_lie_about_their_size_are_cut_off);
    tcase_add_test(peers, a_coordinator_that_slept_through_a_flood_of_heartbeats_wakes_up);
    tcase_add_test(peers, a_peer_that_chooses_its_own_address_is_not_heard);
    tcase_add_test(peers, answers_that_are_replayed_count_once);
    tcase_add_test(peers, a_worker_of_another_kind_is_refused_and_both_sides_know_why);
    tcase_add_test(peers, a_worker_of_another_build_is_refused_and_both_sides_know_why);
    suite_add_tcase(suite, peers);
    TCase *machine = tcase_create("machine");
    tcase_add_test(machine, without_descriptors_it_goes_on_and_recovers);
    tcase_add_test(machine, who_is_there_stays_when_descriptors_run_out);
    tcase_add_test(machine, a_full_disk_costs_the_recording_and_nothing_else);
    tcase_add_test(machine, a_wall_clock_that_jumps_has_no_effect);
    suite_add_tcase(suite, machine);
}

CHECK_MAIN("hostile", add_cases)
