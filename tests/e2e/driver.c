/* driver.c - see driver.h. */
#include "tests/e2e/driver.h"

#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REPORT_BYTES = 2000, ARGS_MAX = 40 };

int64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t now_ms(void) { return now_us() / 1000; }

static void remove_tree(const char *path)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) {
        char inner[PATH_BYTES * 2];
        struct stat info;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (lstat(inner, &info) == 0 && S_ISDIR(info.st_mode))
            remove_tree(inner);
        else
            unlink(inner);
    }
    if (dir) closedir(dir);
    rmdir(path);
}

static char scratch_path[PATH_BYTES];
static pid_t scratch_owner;

static void scratch_remove(void)
{
    if (scratch_path[0] && getpid() == scratch_owner) remove_tree(scratch_path);
}

const char *scratch(void)
{
    if (scratch_path[0] && getpid() == scratch_owner) return scratch_path;
    snprintf(scratch_path, sizeof scratch_path, "/tmp/e2e-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(scratch_path));
    scratch_owner = getpid(); /* a test runs in a fork of its own and gets a directory of its own */
    atexit(scratch_remove);
    return scratch_path;
}

const char *scratch_file(const char *name, const char *text)
{
    static char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", scratch(), name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

const char *program(const char *name)
{
    static char paths[4][PATH_BYTES];
    static int next;
    const char *build = getenv("BUILD");
    char *path = paths[next++ % 4];
    snprintf(path, PATH_BYTES, "%s/%s", build ? build : "build", name);
    return path;
}

/* ---- processes ------------------------------------------------------------------------------------------------- */

static void append(char **text, size_t *used, size_t *size, const char *bytes, size_t count)
{
    if (*used + count + 1 > *size) {
        *size = (*used + count + 1) * 2;
        *text = realloc(*text, *size);
        ck_assert_ptr_nonnull(*text);
    }
    memcpy(*text + *used, bytes, count);
    *used += count;
    (*text)[*used] = 0;
}

struct process *process_start(char *const *argv)
{
    int in[2], out[2], err[2];
    signal(SIGPIPE, SIG_IGN);
    ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
    ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
    ck_assert_int_eq(pipe2(err, O_CLOEXEC), 0);
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGPIPE, SIG_DFL);
        dup2(in[0], 0);
        dup2(out[1], 1);
        dup2(err[1], 2);
        execv(argv[0], argv);
        _exit(126);
    }
    close(in[0]);
    close(out[1]);
    close(err[1]);
    struct process *p = calloc(1, sizeof *p);
    ck_assert_ptr_nonnull(p);
    p->pid = pid;
    p->to = in[1];
    p->from = out[0];
    p->errors = err[0];
    append(&p->out, &p->out_used, &p->out_size, "", 0);
    append(&p->err, &p->err_used, &p->err_size, "", 0);
    append(&p->sent, &p->sent_used, &p->sent_size, "", 0);
    return p;
}

static struct process *start_with(const char *name, const char *const *before, const char *first, va_list rest)
{
    char *argv[ARGS_MAX];
    size_t n = 0;
    argv[n++] = (char *)(uintptr_t)program(name);
    while (*before) argv[n++] = (char *)(uintptr_t)*before++;
    for (const char *word = first; word && n + 1 < ARGS_MAX; word = va_arg(rest, const char *))
        argv[n++] = (char *)(uintptr_t)word;
    argv[n] = NULL;
    return process_start(argv);
}

static const char *const engine_words[] = {"--hash", "16", "--threads", "1", NULL};

struct process *engine_start(const char *first, ...)
{
    va_list rest;
    va_start(rest, first);
    struct process *p = start_with("murakumo", engine_words, first, rest);
    va_end(rest);
    return p;
}

struct process *command_start(const char *first, ...)
{
    static const char *const nothing[] = {NULL};
    va_list rest;
    va_start(rest, first);
    struct process *p = start_with("murakumo", nothing, first, rest);
    va_end(rest);
    return p;
}

struct process *worker_start(const char *endpoint, const char *first, ...)
{
    const char *const words[] = {"--connect", endpoint, "--hash", "16", "--threads", "1", NULL};
    va_list rest;
    va_start(rest, first);
    struct process *p = start_with("murakumo-worker", words, first, rest);
    va_end(rest);
    return p;
}

struct process *engine_ready(const char *first, ...)
{
    va_list rest;
    va_start(rest, first);
    struct process *p = start_with("murakumo", engine_words, first, rest);
    va_end(rest);
    say(p, "usi");
    await(p, "usiok", WAIT_MS);
    say(p, "isready");
    await(p, "readyok", WAIT_MS);
    say(p, "usinewgame");
    return p;
}

void say(struct process *p, const char *format, ...)
{
    static char line[400000];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    ck_assert(n >= 0 && (size_t)n < sizeof line - 1);
    line[n] = '\n';
    append(&p->sent, &p->sent_used, &p->sent_size, line, n > 300 ? 300 : (size_t)n + 1);
    for (size_t done = 0; done < (size_t)n + 1;) {
        ssize_t wrote = write(p->to, line + done, (size_t)n + 1 - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) return; /* it is gone: the waiting that follows will tell */
        done += (size_t)wrote;
    }
}

void close_input(struct process *p)
{
    if (p->to >= 0) close(p->to);
    p->to = -1;
}

static void take(int fd, bool *eof, char **text, size_t *used, size_t *size)
{
    char bytes[65536];
    ssize_t n = read(fd, bytes, sizeof bytes);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n <= 0)
        *eof = true;
    else
        append(text, used, size, bytes, (size_t)n);
}

/* Reads what comes within timeout_ms; returns early when something has come. */
static void pump(struct process *p, int timeout_ms)
{
    struct pollfd fds[2] = {{.fd = p->from_eof ? -1 : p->from, .events = POLLIN},
                            {.fd = p->errors_eof ? -1 : p->errors, .events = POLLIN}};
    if (poll(fds, 2, timeout_ms) <= 0) return;
    if (fds[0].revents) take(p->from, &p->from_eof, &p->out, &p->out_used, &p->out_size);
    if (fds[1].revents) take(p->errors, &p->errors_eof, &p->err, &p->err_used, &p->err_size);
}

static const char *tail(const char *text, size_t used)
{
    return text + (used > REPORT_BYTES ? used - REPORT_BYTES : 0);
}

static _Noreturn void give_up(const struct process *p, const char *what, const char *detail)
{
    ck_abort_msg("%s \"%.500s\"\n--- said to it:\n%s\n--- it said:\n%s\n--- on stderr:\n%s\n", what, detail,
                 tail(p->sent, p->sent_used), tail(p->out, p->out_used), tail(p->err, p->err_used));
    abort();
}

/* The next whole line at *at, copied; NULL when there is none yet. */
static const char *line_next(const char *text, size_t *at)
{
    static char line[70000];
    const char *end = strchr(text + *at, '\n');
    if (!end) return NULL;
    size_t length = (size_t)(end - (text + *at));
    if (length >= sizeof line) length = sizeof line - 1;
    memcpy(line, text + *at, length);
    line[length] = 0;
    *at = (size_t)(end - text) + 1;
    return line;
}

static bool begins(const char *line, const char *prefix) { return strncmp(line, prefix, strlen(prefix)) == 0; }

const char *peek(struct process *p, const char *prefix, int timeout_ms)
{
    int64_t deadline_ms = now_ms() + timeout_ms;
    for (;;) {
        const char *line;
        while ((line = line_next(p->out, &p->out_read)) != NULL)
            if (begins(line, prefix)) return line;
        int64_t left_ms = deadline_ms - now_ms();
        if (left_ms <= 0 || p->from_eof) return NULL;
        pump(p, (int)left_ms);
    }
}

const char *await(struct process *p, const char *prefix, int timeout_ms)
{
    const char *line = peek(p, prefix, timeout_ms);
    if (!line) give_up(p, p->from_eof ? "it ended before saying" : "waited in vain for", prefix);
    return line;
}

const char *await_error(struct process *p, const char *part, int timeout_ms)
{
    int64_t deadline_ms = now_ms() + timeout_ms;
    for (;;) {
        const char *line;
        while ((line = line_next(p->err, &p->err_read)) != NULL)
            if (strstr(line, part)) return line;
        int64_t left_ms = deadline_ms - now_ms();
        if (left_ms <= 0 || p->errors_eof) give_up(p, "waited in vain on stderr for", part);
        pump(p, (int)left_ms);
    }
}

void await_silence(struct process *p, const char *prefix, int ms)
{
    int64_t deadline_ms = now_ms() + ms;
    for (int64_t left_ms = ms; left_ms > 0; left_ms = deadline_ms - now_ms()) {
        pump(p, (int)left_ms);
        size_t at = p->out_read;
        const char *line;
        while ((line = line_next(p->out, &at)) != NULL)
            if (begins(line, prefix)) give_up(p, "silence was broken by", line);
        if (p->from_eof) give_up(p, "it ended instead of keeping quiet about", prefix);
    }
}

void await_that(bool (*condition)(void *context), void *context, int timeout_ms, const char *what)
{
    int64_t deadline_ms = now_ms() + timeout_ms;
    while (!condition(context)) {
        ck_assert_msg(now_ms() < deadline_ms, "waited in vain until %s", what);
        poll(NULL, 0, 5);
    }
}

static bool reap(struct process *p, int flags)
{
    int status;
    if (p->pid == 0) return true;
    if (waitpid(p->pid, &status, flags) != p->pid) return false;
    p->exit_code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    p->pid = 0;
    return true;
}

bool has_ended(const struct process *p)
{
    siginfo_t info = {0};
    if (p->pid == 0) return true;
    return waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == p->pid;
}

int await_end(struct process *p, int timeout_ms)
{
    int64_t deadline_ms = now_ms() + timeout_ms;
    while (!reap(p, WNOHANG)) {
        if (now_ms() >= deadline_ms) {
            char limit[24];
            snprintf(limit, sizeof limit, "%d ms", timeout_ms);
            give_up(p, "it does not end within", limit);
        }
        if (p->from_eof && p->errors_eof)
            poll(NULL, 0, 2);
        else
            pump(p, 20);
    }
    while (!p->from_eof && now_ms() < deadline_ms) pump(p, 100);
    while (!p->errors_eof && now_ms() < deadline_ms) pump(p, 100);
    return p->exit_code;
}

static void process_free(struct process *p)
{
    close_input(p);
    close(p->from);
    close(p->errors);
    free(p->out);
    free(p->err);
    free(p->sent);
    free(p);
}

void engine_quit(struct process *p)
{
    say(p, "quit");
    int code = await_end(p, WAIT_MS);
    if (code != 0) give_up(p, "it ended with another code than 0", "");
    process_free(p);
}

void process_drop(struct process *p)
{
    if (p->pid) {
        kill(p->pid, SIGKILL);
        reap(p, 0);
    }
    process_free(p);
}

void forget(struct process *p)
{
    p->out_used = p->err_used = p->sent_used = p->out_read = p->err_read = 0;
    p->out[0] = p->err[0] = p->sent[0] = 0;
}

bool make_punctual(pid_t pid)
{
    const struct sched_param least = {.sched_priority = 1};
    return sched_setscheduler(pid, SCHED_FIFO | SCHED_RESET_ON_FORK, &least) == 0;
}

int late_ms(bool punctual) { return punctual && !SANITIZED ? LATE_MS : 3000; }

unsigned count_lines(const struct process *p, const char *prefix)
{
    unsigned count = 0;
    size_t at = 0;
    const char *line;
    while ((line = line_next(p->out, &at)) != NULL) count += begins(line, prefix);
    return count;
}

/* ---- who is there ---------------------------------------------------------------------------------------------- */

/* State letter and parent of a process; false: it is not there. */
static bool process_stat(pid_t pid, char *state, pid_t *parent)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = 0;
    const char *behind = strrchr(text, ')');
    int ppid;
    if (!behind || sscanf(behind + 1, " %c %d", state, &ppid) != 2) return false;
    *parent = ppid;
    return true;
}

static size_t children_in_state(pid_t pid, bool zombie, pid_t pids[PIDS_MAX])
{
    size_t count = 0;
    DIR *dir = opendir("/proc");
    const struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) {
        int number = atoi(entry->d_name);
        char state;
        pid_t parent;
        if (number <= 0 || !process_stat(number, &state, &parent) || parent != pid) continue;
        if ((state == 'Z' || state == 'X') == zombie && count < PIDS_MAX) pids[count++] = number;
    }
    if (dir) closedir(dir);
    return count;
}

size_t children_of(pid_t pid, pid_t pids[PIDS_MAX]) { return children_in_state(pid, false, pids); }

size_t zombies_of(pid_t pid)
{
    pid_t pids[PIDS_MAX];
    return children_in_state(pid, true, pids);
}

bool is_running(pid_t pid)
{
    char state;
    pid_t parent;
    return process_stat(pid, &state, &parent) && state != 'Z' && state != 'X';
}

pid_t worker_of(const struct process *engine, pid_t not_this)
{
    int64_t deadline_ms = now_ms() + WAIT_MS;
    while (now_ms() < deadline_ms) {
        pid_t pids[PIDS_MAX];
        size_t count = children_of(engine->pid, pids);
        for (size_t i = 0; i < count; i++) {
            char path[64], name[64] = "";
            snprintf(path, sizeof path, "/proc/%d/comm", (int)pids[i]);
            FILE *file = fopen(path, "re");
            if (file && fgets(name, sizeof name, file) && begins(name, "murakumo-worker") && pids[i] != not_this) {
                fclose(file);
                return pids[i];
            }
            if (file) fclose(file);
        }
        poll(NULL, 0, 5);
    }
    give_up(engine, "there is no local worker", "");
}

void keys_make(const char *directory, const char *name)
{
    struct process *p = command_start("keygen", "--dir", directory, "coordinator", NULL);
    await_end(p, WAIT_MS); /* may exist already */
    process_drop(p);
    p = command_start("keygen", "--dir", directory, "worker", name, NULL);
    ck_assert_int_eq(await_end(p, WAIT_MS), 0);
    process_drop(p);
}

const char *key_path(const char *directory, const char *name)
{
    static char paths[4][PATH_BYTES * 2];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/workers/%s.key", directory, name);
    return path;
}

/* ---- shogi ----------------------------------------------------------------------------------------------------- */

static bool position_read(const char *words, struct position *pos)
{
    const char *moves = strstr(words, " moves");
    const char *sfen = begins(words, "startpos") ? SFEN_STARTPOS : begins(words, "sfen ") ? words + 5 : words;
    size_t length = begins(words, "startpos") ? strlen(SFEN_STARTPOS) : moves ? (size_t)(moves - sfen) : strlen(sfen);
    if (sfen_read(pos, sfen, length, NULL, NULL) != ST_OK) return false;
    const char *rest = moves ? moves + strlen(" moves") : "";
    for (;;) {
        rest += strspn(rest, " ");
        size_t bytes = strcspn(rest, " ");
        if (bytes == 0) return true;
        Move move = movetext_from_usi(pos, rest, bytes);
        struct undo undo;
        if (move == MOVE_NONE) return false;
        position_do(pos, move, &undo);
        rest += bytes;
    }
}

bool is_legal(const char *position, const char *move)
{
    struct position pos;
    ck_assert_msg(position_read(position, &pos), "the test's own position is wrong: %s", position);
    return movetext_from_usi(&pos, move, strcspn(move, " ")) != MOVE_NONE;
}

/* Every move of the line is legal. */
static bool line_is_legal(const struct position *start, const char *moves)
{
    struct position pos = *start;
    for (;;) {
        moves += strspn(moves, " ");
        size_t bytes = strcspn(moves, " ");
        struct undo undo;
        if (bytes == 0) return true;
        Move move = movetext_from_usi(&pos, moves, bytes);
        if (move == MOVE_NONE) return false;
        position_do(&pos, move, &undo);
        moves += bytes;
    }
}

void check_search_output(const struct process *p, size_t from, const char *position)
{
    struct position pos;
    ck_assert_msg(position_read(position, &pos), "the test's own position is wrong: %s", position);
    size_t at = from;
    unsigned bestmoves = 0;
    char last_pv[16] = "";
    unsigned long long nodes_before = 0;
    const char *line;
    while ((line = line_next(p->out, &at)) != NULL) {
        const char *pv = strstr(line, " pv "), *nodes = strstr(line, " nodes "), *nps = strstr(line, " nps ");
        if (begins(line, "info string")) continue;
        if (begins(line, "info ")) {
            if (pv && !line_is_legal(&pos, pv + 4)) give_up(p, "a pv is not legal", line);
            if (pv && !strstr(line, " upperbound") && (!strstr(line, " multipv ") || strstr(line, " multipv 1 ")))
                sscanf(pv + 4, "%15s", last_pv);
            unsigned long long count = nodes ? strtoull(nodes + 7, NULL, 10) : nodes_before;
            if (count < nodes_before) give_up(p, "nodes went down", line);
            nodes_before = count;
            if (nps && strtoull(nps + 5, NULL, 10) > 2000000000ull) give_up(p, "nps is absurd", line);
            const char *hash = strstr(line, " hashfull ");
            if (hash && strtoull(hash + 10, NULL, 10) > 1000) give_up(p, "hashfull is above 1000", line);
            const char *mate = strstr(line, " score mate ");
            if (mate && strspn(mate + 12, "+-0123456789") < strlen("1")) give_up(p, "a mate has no number", line);
        }
        if (begins(line, "bestmove ")) {
            const char *move = line + 9;
            bestmoves++;
            if (strcmp(move, "resign") == 0 || strcmp(move, "win") == 0) continue;
            if (!is_legal(position, move)) give_up(p, "the move is not legal", line);
            char word[16];
            sscanf(move, "%15s", word);
            if (last_pv[0] && strcmp(word, last_pv) != 0) give_up(p, "the move is not the first of the last pv", line);
            const char *ponder = strstr(line, " ponder ");
            char both[40];
            snprintf(both, sizeof both, "%s %s", word, ponder ? ponder + 8 : "");
            if (!line_is_legal(&pos, both)) give_up(p, "the expected reply is not legal", line);
        }
    }
    if (bestmoves != 1) give_up(p, "bestmove was not said exactly once", position);
}

const char *play(struct process *p, const char *position, const char *go)
{
    static char move[16];
    say(p, "position %s", position);
    size_t from = p->out_used;
    say(p, "%s", go);
    const char *line = await(p, "bestmove ", WAIT_MS);
    sscanf(line + 9, "%15s", move);
    check_search_output(p, from, position);
    return move;
}
