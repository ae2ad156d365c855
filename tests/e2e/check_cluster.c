/* check_cluster.c - workers from elsewhere: joining, leaving, being refused; keys; strangers on the port. Loopback
 * only. */
#include "common/net/keys.h"
#include "tests/e2e/driver.h"
#include "tests/unit/check_main.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define START "startpos"

static char endpoint[PATH_BYTES]; /* of the coordinator started last */

static void endpoint_learn(struct process *coordinator)
{
    const char *line = await_error(coordinator, "listening endpoint=", WAIT_MS);
    snprintf(endpoint, sizeof endpoint, "%s", strstr(line, "endpoint=") + strlen("endpoint="));
    endpoint[strcspn(endpoint, " \n")] = 0;
}

static void introduce(struct process *coordinator)
{
    say(coordinator, "usi");
    await(coordinator, "usiok", WAIT_MS);
    say(coordinator, "setoption name MinimumThinkingTime value 200");
    say(coordinator, "setoption name NetworkDelay2 value 300");
}

static void make_ready(struct process *coordinator)
{
    say(coordinator, "isready");
    await(coordinator, "readyok", WAIT_MS);
    say(coordinator, "usinewgame");
}

static struct process *coordinator_start(const char *address)
{
    struct process *coordinator = engine_start("--workers", "0", "--listen", address, "--log", "info", NULL);
    endpoint_learn(coordinator);
    introduce(coordinator);
    return coordinator;
}

static void await_joined(struct process *worker) { await_error(worker, " joined ", WAIT_MS); }

static struct process *joined_worker(const char *name)
{
    struct process *worker = worker_start(endpoint, "--name", name, NULL);
    await_joined(worker);
    return worker;
}

static void terminate(struct process *worker)
{
    kill(worker->pid, SIGTERM);
    ck_assert_int_eq(await_end(worker, WAIT_MS), 0);
    process_drop(worker);
}

/* ---- coming and going ------------------------------------------------------------------------------------------ */

START_TEST(two_remote_workers_search_and_one_move_is_said)
{
    struct process *coordinator = coordinator_start("tcp://127.0.0.1:*");
    struct process *alpha = joined_worker("alpha"), *beta = joined_worker("beta");
    make_ready(coordinator);
    for (int i = 0; i < 3; i++) play(coordinator, "startpos moves 7g7f", "go movetime 300");
    play(coordinator, START, "go depth 6");
    play(coordinator, START, "go nodes 10000");
    engine_quit(coordinator);
    terminate(alpha);
    terminate(beta);
}
END_TEST

START_TEST(one_of_two_workers_may_die_in_mid_search)
{
    struct process *coordinator = coordinator_start("tcp://127.0.0.1:*");
    struct process *alpha = joined_worker("alpha"), *beta = joined_worker("beta");
    make_ready(coordinator);
    for (int i = 0; i < 2; i++) {
        say(coordinator, "position startpos");
        size_t from = coordinator->out_used;
        say(coordinator, "go btime 0 wtime 0 byoyomi 1200");
        await_silence(coordinator, "bestmove", 150);
        kill(i ? beta->pid : alpha->pid, SIGKILL);
        await(coordinator, "bestmove", WAIT_MS);
        check_search_output(coordinator, from, START);
    }
    engine_quit(coordinator);
    process_drop(alpha);
    process_drop(beta);
}
END_TEST

START_TEST(a_late_joiner_works_and_a_leaver_is_missed_by_nobody)
{
    struct process *coordinator = coordinator_start("tcp://127.0.0.1:*");
    make_ready(coordinator);
    play(coordinator, START, "go movetime 200"); /* nobody there yet */
    say(coordinator, "position startpos");
    size_t from = coordinator->out_used;
    say(coordinator, "go infinite");
    struct process *late = joined_worker("late");
    await(coordinator, "info depth 8", WAIT_MS); /* deeper than the coordinator looks by itself so soon */
    kill(late->pid, SIGTERM);
    ck_assert_int_eq(await_end(late, WAIT_MS), 0);
    process_drop(late);
    await_silence(coordinator, "bestmove", 200);
    say(coordinator, "stop");
    await(coordinator, "bestmove", WAIT_MS);
    check_search_output(coordinator, from, START);
    engine_quit(coordinator);
}
END_TEST

START_TEST(local_and_remote_workers_work_together)
{
    struct process *coordinator =
        engine_start("--workers", "1", "--listen", "tcp://127.0.0.1:*", "--log", "info", NULL);
    endpoint_learn(coordinator);
    introduce(coordinator);
    struct process *remote = joined_worker("remote");
    make_ready(coordinator);
    play(coordinator, START, "go movetime 300");
    engine_quit(coordinator);
    terminate(remote);
}
END_TEST

static size_t cpu_ticks(pid_t pid)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    const char *at = strrchr(text, ')');
    unsigned long user = 0, system_time = 0;
    if (at) sscanf(at + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system_time);
    return user + system_time;
}

static bool is_quiet(void *context)
{
    pid_t pid = *(pid_t *)context;
    size_t before = cpu_ticks(pid);
    poll(NULL, 0, 500);
    return cpu_ticks(pid) - before < 3; /* ticks of 10 ms */
}

START_TEST(a_killed_coordinator_stops_remote_searches_and_the_workers_find_the_next_one)
{
    struct process *coordinator = coordinator_start("tcp://127.0.0.1:*");
    struct process *worker = joined_worker("alpha");
    make_ready(coordinator);
    say(coordinator, "position startpos");
    say(coordinator, "go infinite");
    await(coordinator, "info depth 5", WAIT_MS);
    kill(coordinator->pid, SIGKILL);
    await_end(coordinator, WAIT_MS);
    process_drop(coordinator);
    await_error(worker, "connection_lost joined=1", WAIT_MS);
    await_that(is_quiet, &worker->pid, WAIT_MS, "the worker stops searching");
    char same[PATH_BYTES];
    snprintf(same, sizeof same, "%s", endpoint);
    coordinator = coordinator_start(same);
    await_joined(worker);
    make_ready(coordinator);
    play(coordinator, START, "go depth 6");
    engine_quit(coordinator);
    terminate(worker);
}
END_TEST

START_TEST(a_stopped_coordinator_is_noticed_and_found_again)
{
    struct process *coordinator = coordinator_start("tcp://127.0.0.1:*");
    struct process *worker = joined_worker("alpha");
    make_ready(coordinator);
    say(coordinator, "position startpos");
    say(coordinator, "go infinite");
    await(coordinator, "info depth 5", WAIT_MS);
    kill(coordinator->pid, SIGSTOP);
    await_error(worker, "coordinator_silent", WAIT_MS);
    await_that(is_quiet, &worker->pid, WAIT_MS, "the worker stops searching");
    kill(coordinator->pid, SIGCONT);
    await_joined(worker);
    say(coordinator, "stop");
    await(coordinator, "bestmove", WAIT_MS);
    make_ready(coordinator);
    play(coordinator, START, "go depth 6");
    engine_quit(coordinator);
    terminate(worker);
}
END_TEST

/* ---- strangers ------------------------------------------------------------------------------------------------- */

static int stranger_connect(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(fd, 0);
    address.sin_port = htons((uint16_t)atoi(strrchr(endpoint, ':') + 1));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ck_assert_int_eq(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

START_TEST(garbage_on_the_port_disturbs_nobody)
{
    struct process *coordinator = coordinator_start("tcp://127.0.0.1:*");
    struct process *worker = joined_worker("alpha");
    make_ready(coordinator);
    say(coordinator, "position startpos");
    size_t from = coordinator->out_used;
    say(coordinator, "go infinite");
    /* A whole greeting and handshake without keys, then a message of hostile MessagePack: "array of 268 million". */
    static const uint8_t greeting[64] = {0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0, 'N', 'U', 'L', 'L'};
    static const uint8_t ready[] = {4,   0x19, 5,   'R', 'E', 'A', 'D', 'Y', 11, 'S', 'o', 'c', 'k', 'e', 't',
                                    '-', 'T',  'y', 'p', 'e', 0,   0,   0,   6,  'D', 'E', 'A', 'L', 'E', 'R'};
    static const uint8_t bomb[] = {0, 5, 0xdd, 0x0f, 0xff, 0xff, 0xff};
    static const uint8_t many[] = {1, 1, 'a', 1, 1, 'b', 0, 1, 'c'};
    int fds[60];
    for (size_t i = 0; i < 60; i++) {
        char noise[256];
        for (size_t k = 0; k < sizeof noise; k++) noise[k] = (char)(i * 131 + k * 29 + (k >> 3));
        fds[i] = stranger_connect();
        ssize_t ignored = 0;
        if (i % 4 == 0) ignored += write(fds[i], noise, sizeof noise);
        if (i % 4 == 1) ignored += write(fds[i], greeting, i % 64 + 1);
        if (i % 4 == 2) {
            ignored += write(fds[i], greeting, sizeof greeting);
            uint8_t ready_right[sizeof ready];
            memcpy(ready_right, ready, sizeof ready);
            ready_right[1] = sizeof ready - 2;
            ignored += write(fds[i], ready_right, sizeof ready_right);
            ignored += write(fds[i], bomb, sizeof bomb);
            ignored += write(fds[i], many, sizeof many);
        }
        (void)ignored; /* 3: connects and says nothing */
    }
    await_silence(coordinator, "bestmove", 500);
    say(coordinator, "stop");
    await(coordinator, "bestmove", WAIT_MS);
    check_search_output(coordinator, from, START);
    for (size_t i = 0; i < 60; i++) close(fds[i]);
    play(coordinator, START, "go depth 6");
    ck_assert_ptr_null(strstr(worker->err, "coordinator_silent"));
    engine_quit(coordinator);
    terminate(worker);
}
END_TEST

/* ---- keys ------------------------------------------------------------------------------------------------------ */

static char keys_dir[PATH_BYTES];

static int run_to_end(struct process *p)
{
    int code = await_end(p, WAIT_MS);
    return code;
}

static struct process *murakumo(const char *a, const char *b, const char *c, const char *d, const char *e)
{
    char *argv[] = {(char *)(uintptr_t)program("murakumo"),
                    (char *)(uintptr_t)a,
                    (char *)(uintptr_t)b,
                    (char *)(uintptr_t)c,
                    (char *)(uintptr_t)d,
                    (char *)(uintptr_t)e,
                    NULL};
    return process_start(argv);
}

static struct process *keyed_coordinator(void)
{
    struct process *coordinator =
        engine_start("--workers", "0", "--listen", "tcp://127.0.0.1:*", "--keys", keys_dir, "--log", "info", NULL);
    endpoint_learn(coordinator);
    introduce(coordinator);
    return coordinator;
}

static void expect_refusal(struct process *worker, const char *part)
{
    int code = await_end(worker, WAIT_MS);
    ck_assert_msg(code == 3 && strstr(worker->err, part), "exit code %d, stderr: %s", code, worker->err);
    process_drop(worker);
}

/* One side has keys and the other has none. Whoever hangs up first decides what the worker learns: a refusal (it ends
 * with 3) or only a lost handshake (it tries on). In both cases it never joins and says what is wrong with the keys. */
static void expect_shut_out(struct process *worker, const char *part)
{
    bool tries_on = strstr(await_error(worker, part, WAIT_MS), "cannot_connect") != NULL;
    if (!tries_on) ck_assert_int_eq(await_end(worker, WAIT_MS), 3);
    ck_assert_msg(strstr(worker->err, "info joined") == NULL, "stderr: %s", worker->err);
    process_drop(worker);
}

START_TEST(only_workers_with_a_known_key_may_join)
{
    char other_dir[PATH_BYTES];
    snprintf(keys_dir, sizeof keys_dir, "%s/keys", scratch());
    snprintf(other_dir, sizeof other_dir, "%s/other", scratch());
    keys_make(keys_dir, "alpha");
    keys_make(keys_dir, "gone");
    keys_make(other_dir, "stranger");
    struct process *coordinator = keyed_coordinator();

    struct process *alpha = worker_start(endpoint, "--key", key_path(keys_dir, "alpha"), NULL);
    await_joined(alpha);
    await_error(coordinator, "alpha", WAIT_MS);

    /* No key at all. */
    expect_shut_out(worker_start(endpoint, NULL), "demands a key");
    /* A key of another cluster: it expects another coordinator, never talks to this one and says why. */
    struct process *stranger = worker_start(endpoint, "--key", key_path(other_dir, "stranger"), NULL);
    await_error(stranger, "the coordinator's key is not the one", WAIT_MS);
    terminate(stranger);
    /* The right coordinator, but a key that is not on the list any more. */
    char public_path[PATH_BYTES * 2];
    snprintf(public_path, sizeof public_path, "%s/workers/gone.pub", keys_dir);
    ck_assert_int_eq(unlink(public_path), 0);
    expect_refusal(worker_start(endpoint, "--key", key_path(keys_dir, "gone"), NULL), "does not know");

    make_ready(coordinator);
    play(coordinator, START, "go depth 6");
    engine_quit(coordinator);
    terminate(alpha);
}
END_TEST

static void expect_unsaid(const struct process *p, const char *record, const char *secret)
{
    char command[PATH_BYTES * 2];
    ck_assert_uint_eq(strlen(secret), KEY_Z85_CHARS);
    ck_assert_ptr_null(strstr(p->out, secret));
    ck_assert_ptr_null(strstr(p->err, secret));
    snprintf(command, sizeof command, "tr '\\0' ' ' < /proc/%d/cmdline", (int)p->pid);
    for (int i = 0; i < 2; i++) {
        static char text[1 << 20];
        FILE *file = i ? fopen(record, "re") : popen(command, "r");
        ck_assert_ptr_nonnull(file);
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        i ? fclose(file) : pclose(file);
        ck_assert_uint_gt(strlen(text), 0);
        ck_assert_ptr_null(strstr(text, secret));
    }
}

/* Not in what they print, log and record at their most talkative, and not among the words that `ps` shows. */
START_TEST(a_secret_is_never_said)
{
    char why[KEY_TEXT_MAX], path[PATH_BYTES * 2], records[2][PATH_BYTES * 2];
    struct key_pair ours, alphas;
    snprintf(keys_dir, sizeof keys_dir, "%s/keys-unsaid", scratch());
    snprintf(records[0], sizeof records[0], "%s/record-c", scratch());
    snprintf(records[1], sizeof records[1], "%s/record-w", scratch());
    keys_make(keys_dir, "alpha");
    snprintf(path, sizeof path, "%s/coordinator.key", keys_dir);
    ck_assert_int_eq(key_read(path, true, &ours, why), ST_OK);
    ck_assert_int_eq(key_read(key_path(keys_dir, "alpha"), true, &alphas, why), ST_OK);
    struct process *coordinator = engine_start("--workers", "0", "--listen", "tcp://127.0.0.1:*", "--keys", keys_dir,
                                               "--log", "debug", "--record", records[0], NULL);
    endpoint_learn(coordinator);
    introduce(coordinator);
    struct process *alpha =
        worker_start(endpoint, "--key", key_path(keys_dir, "alpha"), "--log", "debug", "--record", records[1], NULL);
    await_joined(alpha);
    make_ready(coordinator);
    play(coordinator, START, "go depth 5");
    struct process *doctor = command_start("doctor", "--connect", endpoint, "--key", key_path(keys_dir, "alpha"), NULL);
    ck_assert_int_eq(await_end(doctor, WAIT_MS), 0);
    ck_assert_ptr_null(strstr(doctor->out, alphas.secret_z85));
    expect_unsaid(coordinator, records[0], ours.secret_z85);
    expect_unsaid(alpha, records[1], alphas.secret_z85);
    process_drop(doctor);
    engine_quit(coordinator);
    process_drop(alpha);
}
END_TEST

START_TEST(a_worker_added_later_needs_no_restart)
{
    snprintf(keys_dir, sizeof keys_dir, "%s/keys", scratch());
    keys_make(keys_dir, "alpha");
    struct process *coordinator = keyed_coordinator();
    keys_make(keys_dir, "beta");
    struct process *beta = worker_start(endpoint, "--key", key_path(keys_dir, "beta"), NULL);
    await_joined(beta);
    engine_quit(coordinator);
    terminate(beta);
}
END_TEST

START_TEST(a_key_that_is_struck_off_the_list_ends_a_session_that_is_open)
{
    char removed[PATH_BYTES * 2];
    snprintf(keys_dir, sizeof keys_dir, "%s/keys", scratch());
    keys_make(keys_dir, "alpha");
    keys_make(keys_dir, "beta");
    struct process *coordinator = keyed_coordinator();
    struct process *alpha = worker_start(endpoint, "--key", key_path(keys_dir, "alpha"), NULL);
    struct process *beta = worker_start(endpoint, "--key", key_path(keys_dir, "beta"), NULL);
    await_joined(alpha);
    await_joined(beta);
    snprintf(removed, sizeof removed, "%s/workers/alpha.pub", keys_dir);
    unlink(removed);
    ck_assert_int_eq(await_end(alpha, WAIT_MS), 3);
    ck_assert_ptr_nonnull(strstr(alpha->err, "does not know this worker"));
    process_drop(alpha);
    make_ready(coordinator);
    play(coordinator, START, "go depth 5"); /* beta has not noticed */
    ck_assert_ptr_null(strstr(beta->err, "connection_lost"));
    engine_quit(coordinator);
    terminate(beta);
}
END_TEST

START_TEST(a_key_against_a_coordinator_without_keys_is_explained)
{
    snprintf(keys_dir, sizeof keys_dir, "%s/keys", scratch());
    keys_make(keys_dir, "alpha");
    struct process *coordinator = coordinator_start("tcp://127.0.0.1:*");
    expect_shut_out(worker_start(endpoint, "--key", key_path(keys_dir, "alpha"), NULL), "without keys");
    engine_quit(coordinator);
}
END_TEST

START_TEST(no_door_is_opened_to_other_machines_without_keys)
{
    static const char *const open[] = {"tcp://0.0.0.0:7654", "tcp://*:7654", "tcp://192.0.2.1:7654", "tcp://[::]:7654",
                                       "ipc:///tmp/murakumo-test-socket"};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        struct process *p = engine_start("--workers", "0", "--listen", open[i], NULL);
        ck_assert_int_eq(await_end(p, WAIT_MS), 2);
        ck_assert_msg(strstr(p->err, "keygen") || strstr(p->err, "chmod"), "%s", p->err);
        process_drop(p);
    }
    struct process *p = worker_start("tcp://192.0.2.1:7654", NULL);
    ck_assert_int_eq(await_end(p, WAIT_MS), 2);
    ck_assert_ptr_nonnull(strstr(p->err, "--key"));
    process_drop(p);
}
END_TEST

START_TEST(a_key_that_others_can_read_is_not_used)
{
    snprintf(keys_dir, sizeof keys_dir, "%s/keys", scratch());
    keys_make(keys_dir, "alpha");
    ck_assert_int_eq(chmod(key_path(keys_dir, "alpha"), 0644), 0);
    struct process *p = worker_start("tcp://127.0.0.1:7654", "--key", key_path(keys_dir, "alpha"), NULL);
    ck_assert_int_eq(await_end(p, WAIT_MS), 2);
    ck_assert_ptr_nonnull(strstr(p->err, "chmod 600"));
    process_drop(p);
}
END_TEST

START_TEST(keygen_never_replaces_a_key)
{
    snprintf(keys_dir, sizeof keys_dir, "%s/keys", scratch());
    keys_make(keys_dir, "alpha");
    struct process *p = murakumo("keygen", "--dir", keys_dir, "worker", "alpha");
    ck_assert_int_eq(run_to_end(p), 1);
    ck_assert_ptr_nonnull(strstr(p->err, "exists already"));
    process_drop(p);
    struct stat info;
    ck_assert_int_eq(stat(key_path(keys_dir, "alpha"), &info), 0);
    ck_assert_int_eq(info.st_mode & 0777, 0600);
    p = murakumo("keygen", "--dir", keys_dir, "worker", "../evil");
    ck_assert_int_eq(run_to_end(p), 1);
    process_drop(p);
}
END_TEST

/* `doctor` with these words ends with this code and says so. */
static void doctor_says(int code, const char *part, const char *option, const char *value, const char *option2,
                        const char *value2)
{
    struct process *p = command_start("doctor", option, value, option2, value2, NULL);
    ck_assert_msg(await_end(p, WAIT_MS) == code && strstr(p->out, part), "%d, expected %d and \"%s\": %s%s",
                  p->exit_code, code, part, p->out, p->err);
    process_drop(p);
}

START_TEST(the_doctor_finds_what_is_in_the_way)
{
    snprintf(keys_dir, sizeof keys_dir, "%s/keys-of-the-doctor", scratch());
    keys_make(keys_dir, "alpha");
    struct process *coordinator = keyed_coordinator();
    doctor_says(0, "ok       listen", "--listen", "tcp://127.0.0.1:*", NULL, NULL);
    doctor_says(0, ", with keys", "--listen", "tcp://0.0.0.0:*", "--keys", keys_dir);
    doctor_says(1, "murakumo keygen", "--listen", "tcp://0.0.0.0:*", NULL, NULL);
    doctor_says(1, "in use", "--listen", endpoint, "--keys", keys_dir);
    doctor_says(0, "are given to outgoing connections", "--listen", "tcp://127.0.0.1:47654", NULL, NULL);
    doctor_says(0, "lets us in", "--connect", endpoint, "--key", key_path(keys_dir, "alpha"));
    doctor_says(1, "demands a key", "--connect", endpoint, NULL, NULL);
    engine_quit(coordinator);
    doctor_says(1, "nothing answers", "--connect", endpoint, "--key", key_path(keys_dir, "alpha"));
}
END_TEST

/* ---- words ----------------------------------------------------------------------------------------------------- */

START_TEST(programs_explain_themselves_and_refuse_wrong_usage_with_2)
{
    static const char *const good[][3] = {{"help", NULL, NULL},      {"--help", NULL, NULL},
                                          {"usi", "--help", NULL},   {"usi", "--version", NULL},
                                          {"--version", NULL, NULL}, {"keygen", "--help", NULL}};
    static const char *const bad[][3] = {
        {"nonsense", NULL, NULL},          {"usi", "--nonsense", NULL},
        {"--workers", "x", NULL},          {"--workers", "-1", NULL},
        {"--workers", "0", NULL},          {"--listen", "udp://1.2.3.4:5", "--workers"},
        {"keygen", "nonsense", NULL},      {"--listen", "tcp://127.0.0.1:99999", NULL},
        {"--config", "/nonexistent", NULL}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct process *p = murakumo(good[i][0], good[i][1], good[i][2], NULL, NULL);
        ck_assert_int_eq(await_end(p, WAIT_MS), 0);
        ck_assert_uint_gt(p->out_used, 10);
        ck_assert_uint_eq(p->err_used, 0);
        process_drop(p);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct process *p = murakumo(bad[i][0], bad[i][1], bad[i][2], NULL, NULL);
        ck_assert_msg(await_end(p, WAIT_MS) == 2, "%s %s: code %d", bad[i][0], bad[i][1], p->exit_code);
        ck_assert_uint_gt(p->err_used, 10);
        ck_assert_uint_eq(p->out_used, 0);
        process_drop(p);
    }
    struct process *p = worker_start("nonsense", NULL);
    ck_assert_int_eq(await_end(p, WAIT_MS), 2);
    process_drop(p);
    p = worker_start("tcp://127.0.0.1:7654", "--help", NULL);
    ck_assert_int_eq(await_end(p, WAIT_MS), 0);
    process_drop(p);
}
END_TEST

START_TEST(settings_come_from_file_environment_and_command_line_in_that_order)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/test.conf", scratch());
    FILE *file = fopen(path, "we");
    ck_assert_ptr_nonnull(file);
    fputs("# a comment\nhash = 32   # MiB\nthreads = 2\nworkers = 1\n", file);
    fclose(file);
    setenv("MURAKUMO_THREADS", "3", 1);
    setenv("MURAKUMO_WORKERS", "2", 1); /* no setting of a worker: must not reach the local ones */
    char *argv[] = {(char *)(uintptr_t)program("murakumo"), "--config", path, "--hash", "24", NULL};
    struct process *p = process_start(argv);
    unsetenv("MURAKUMO_THREADS");
    unsetenv("MURAKUMO_WORKERS");
    say(p, "usi");
    await(p, "usiok", WAIT_MS);
    ck_assert_ptr_nonnull(strstr(p->out, "option name USI_Hash type spin default 24 "));
    ck_assert_ptr_nonnull(strstr(p->out, "option name Threads type spin default 3 "));
    make_ready(p);
    pid_t pids[PIDS_MAX];
    ck_assert_uint_eq(children_of(p->pid, pids), 2);
    engine_quit(p);

    file = fopen(path, "we");
    fputs("hash = 32\nthreads = many\n", file);
    fclose(file);
    p = process_start(argv);
    ck_assert_int_eq(await_end(p, WAIT_MS), 2);
    ck_assert_ptr_nonnull(strstr(p->err, "test.conf:2: threads: found \"many\", expected a number"));
    process_drop(p);
}
END_TEST

START_TEST(a_worker_without_a_coordinator_waits_and_leaves_when_asked)
{
    struct process *worker = worker_start("tcp://127.0.0.1:1", NULL);
    await_silence(worker, "impossible", 300);
    ck_assert(is_running(worker->pid));
    terminate(worker);
}
END_TEST

START_TEST(flight_recorders_write_every_event)
{
    char coordinator_path[PATH_BYTES], worker_path[PATH_BYTES], text[4096] = "";
    snprintf(coordinator_path, sizeof coordinator_path, "%s/c.log", scratch());
    snprintf(worker_path, sizeof worker_path, "%s/w.log", scratch());
    struct process *coordinator = engine_start("--workers", "0", "--listen", "tcp://127.0.0.1:*", "--log", "info",
                                               "--record", coordinator_path, NULL);
    endpoint_learn(coordinator);
    introduce(coordinator);
    struct process *worker = worker_start(endpoint, "--record", worker_path, NULL);
    await_joined(worker);
    make_ready(coordinator);
    play(coordinator, START, "go depth 4");
    engine_quit(coordinator);
    terminate(worker);
    FILE *file = fopen(coordinator_path, "re");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    ck_assert_ptr_nonnull(strstr(text, " line 0 usi\n"));
    ck_assert_ptr_nonnull(strstr(text, " frame "));
    char *argv[] = {(char *)(uintptr_t)program("murakumo-sim"), "--replay", coordinator_path, NULL};
    struct process *replay = process_start(argv);
    ck_assert_int_eq(await_end(replay, WAIT_MS), 0);
    ck_assert_ptr_nonnull(strstr(replay->out, "the same effects as recorded"));
    process_drop(replay);
    file = fopen(worker_path, "re");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    ck_assert_ptr_nonnull(strstr(text, " connected\n"));
    ck_assert_ptr_nonnull(strstr(text, "type=welcome frame="));
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tcase = tcase_create("cluster");
    tcase_add_test(tcase, two_remote_workers_search_and_one_move_is_said);
    tcase_add_test(tcase, one_of_two_workers_may_die_in_mid_search);
    tcase_add_test(tcase, a_late_joiner_works_and_a_leaver_is_missed_by_nobody);
    tcase_add_test(tcase, local_and_remote_workers_work_together);
    tcase_add_test(tcase, a_killed_coordinator_stops_remote_searches_and_the_workers_find_the_next_one);
    tcase_add_test(tcase, a_stopped_coordinator_is_noticed_and_found_again);
    tcase_add_test(tcase, garbage_on_the_port_disturbs_nobody);
    tcase_add_test(tcase, only_workers_with_a_known_key_may_join);
    tcase_add_test(tcase, a_secret_is_never_said);
    tcase_add_test(tcase, a_worker_added_later_needs_no_restart);
    tcase_add_test(tcase, a_key_that_is_struck_off_the_list_ends_a_session_that_is_open);
    tcase_add_test(tcase, a_key_against_a_coordinator_without_keys_is_explained);
    tcase_add_test(tcase, no_door_is_opened_to_other_machines_without_keys);
    tcase_add_test(tcase, a_key_that_others_can_read_is_not_used);
    tcase_add_test(tcase, keygen_never_replaces_a_key);
    tcase_add_test(tcase, the_doctor_finds_what_is_in_the_way);
    tcase_add_test(tcase, programs_explain_themselves_and_refuse_wrong_usage_with_2);
    tcase_add_test(tcase, settings_come_from_file_environment_and_command_line_in_that_order);
    tcase_add_test(tcase, a_worker_without_a_coordinator_waits_and_leaves_when_asked);
    tcase_add_test(tcase, flight_recorders_write_every_event);
    suite_add_tcase(suite, tcase);
}

CHECK_MAIN("cluster", add_cases)
