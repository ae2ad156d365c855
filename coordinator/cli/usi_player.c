#include "coordinator/cli/usi_player.h"

#include "common/net/child.h"
#include "common/net/clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void log_line(const struct usi_player *player, const char *arrow, const char *line, size_t bytes)
{
    if (!player->log) return;
    int64_t now_us = clock_now_us();
    fprintf(player->log, "%" PRId64 ".%06d %s %s %.*s\n", now_us / 1000000, (int)(now_us % 1000000), player->tag, arrow,
            (int)bytes, line);
}

void usi_player_init(struct usi_player *player, const char *tag, FILE *log)
{
    memset(player, 0, offsetof(struct usi_player, in));
    player->to_fd = player->from_fd = -1;
    player->log = log;
    snprintf(player->tag, sizeof player->tag, "%s", tag);
}

static void close_pair(int fds[2])
{
    if (fds[0] >= 0) close(fds[0]);
    if (fds[1] >= 0) close(fds[1]);
    fds[0] = fds[1] = -1;
}

bool usi_player_start(struct usi_player *player, char *const *argv, const char *stderr_path)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1}, error = 0;
    int stderr_fd = stderr_path ? open(stderr_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
    pid_t pid = -1;
    char why[CHILD_WHY_BYTES];
    if ((stderr_path && stderr_fd < 0) || pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC)) {
        error = errno;
    } else {
        const struct child_setup setup = {to[0], from[1], stderr_fd, &player->nice_level};
        if (child_start(argv, &setup, &pid, why) != ST_OK) error = errno;
    }
    if (stderr_fd >= 0) close(stderr_fd);
    if (error) {
        close_pair(to);
        close_pair(from);
        errno = error;
        return false;
    }
    close(to[0]);
    close(from[1]);
    fcntl(to[1], F_SETFL, O_NONBLOCK);
    fcntl(from[0], F_SETFL, O_NONBLOCK);
    player->pid = pid;
    player->to_fd = to[1];
    player->from_fd = from[0];
    player->eof = player->stuck = player->skipping = player->go_queued = false;
    player->in_start = player->in_used = player->out_used = 0;
    player->go_written_us = 0;
    player->exit_text[0] = 0;
    usi_dialogue_start(&player->dialogue);
    usi_player_send(player, "usi");
    return true;
}

void usi_player_kill(struct usi_player *player)
{
    if (player->pid <= 0) return;
    /* When it closed its output it is on its way out: a moment's patience shows its own exit status and not ours. */
    siginfo_t info = {0};
    for (int tries = 0; player->eof && tries < 100; tries++) {
        if (waitid(P_PID, (id_t)player->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0) break;
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
    int status = 0;
    kill(-player->pid, SIGKILL); /* it, if it still lives, and whatever it started */
    while (waitpid(player->pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status))
        snprintf(player->exit_text, sizeof player->exit_text, "exit code %d", WEXITSTATUS(status));
    else if (WIFSIGNALED(status))
        snprintf(player->exit_text, sizeof player->exit_text, "signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    log_line(player, "--", player->exit_text, strlen(player->exit_text));
    close(player->to_fd);
    close(player->from_fd);
    player->pid = 0;
    player->to_fd = player->from_fd = -1;
    player->go_queued = false;
    player->in_start = player->in_used = player->out_used = 0;
}

/* ---- processor time -----------------------------------------------------------------------------------------------
 */

struct process {
    pid_t pid, parent;
    int64_t ticks;
    bool counted;
};

/* /proc/PID/stat: pid (name) state ppid ... utime stime cutime cstime; the name may hold anything. */
static bool read_process(const char *pid_text, struct process *process)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%.20s/stat", pid_text);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t got = read(fd, text, sizeof text - 1);
    close(fd);
    if (got <= 0) return false;
    text[got] = 0;
    const char *after_name = strrchr(text, ')');
    long long ticks[4];
    int parent;
    if (!after_name || sscanf(after_name + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lld %lld %lld %lld",
                              &parent, &ticks[0], &ticks[1], &ticks[2], &ticks[3]) != 5)
        return false;
    *process = (struct process){.pid = (pid_t)atoi(pid_text), .parent = parent};
    for (unsigned i = 0; i < 4; i++) process->ticks += ticks[i];
    return true;
}

int64_t usi_player_cpu_ms(const struct usi_player *player)
{
    enum { PROCESSES_MAX = 4096 };
    if (player->pid <= 0) return 0;
    struct process *processes = malloc(PROCESSES_MAX * sizeof *processes);
    DIR *proc = opendir("/proc");
    size_t count = 0;
    int64_t ticks = 0;
    struct dirent *entry;
    while (processes && proc && count < PROCESSES_MAX && (entry = readdir(proc)))
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && read_process(entry->d_name, &processes[count]))
            count++;
    for (bool more = true; more;) { /* generation by generation */
        more = false;
        for (size_t i = 0; i < count; i++) {
            if (processes[i].counted) continue;
            bool ours = processes[i].pid == player->pid;
            for (size_t k = 0; k < count && !ours; k++)
                ours = processes[k].counted && processes[k].pid == processes[i].parent;
            if (!ours) continue;
            processes[i].counted = more = true;
            ticks += processes[i].ticks;
        }
    }
    if (proc) closedir(proc);
    free(processes);
    return ticks * 1000 / sysconf(_SC_CLK_TCK);
}

/* ---- pipes --------------------------------------------------------------------------------------------------------
 */

void usi_player_flush(struct usi_player *player)
{
    while (player->pid > 0 && player->out_used > 0) {
        ssize_t wrote = write(player->to_fd, player->out, player->out_used);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) {
            if (errno != EAGAIN) player->out_used = 0; /* broken pipe: the end of its output will tell */
            return;
        }
        memmove(player->out, player->out + wrote, player->out_used - (size_t)wrote);
        player->out_used -= (size_t)wrote;
    }
    if (player->go_queued && player->out_used == 0) {
        player->go_written_us = clock_now_us();
        player->go_queued = false;
    }
}

static void queue_line(struct usi_player *player, const char *line)
{
    size_t bytes = strlen(line);
    log_line(player, "<-", line, bytes);
    if (player->pid <= 0) return;
    if (bytes + 1 > USI_PLAYER_OUT_BYTES - player->out_used) {
        player->stuck = true;
        return;
    }
    memcpy(player->out + player->out_used, line, bytes);
    player->out[player->out_used + bytes] = '\n';
    player->out_used += bytes + 1;
}

void usi_player_send(struct usi_player *player, const char *line)
{
    queue_line(player, line);
    usi_player_flush(player);
}

void usi_player_send_go(struct usi_player *player, const char *line)
{
    const char *old_line;
    size_t bytes;
    usi_player_read(player);
    while (usi_player_next_line(player, &old_line, &bytes)) (void)usi_dialogue_line(&player->dialogue, old_line, bytes);
    usi_dialogue_sent_go(&player->dialogue);
    queue_line(player, line);
    player->go_queued = true;
    player->go_written_us = 0;
    usi_player_flush(player);
}

void usi_player_read(struct usi_player *player)
{
    if (player->pid <= 0 || player->eof) return;
    if (player->in_start > 0) {
        memmove(player->in, player->in + player->in_start, player->in_used - player->in_start);
        player->in_used -= player->in_start;
        player->in_start = 0;
    }
    if (player->in_used == USI_PLAYER_IN_BYTES) {
        /* Whole lines may fill the buffer: those are taken first and more is read on the next round. */
        if (memchr(player->in, '\n', player->in_used)) return;
        player->in_used = 0;
        player->skipping = true;
    }
    ssize_t got;
    do got = read(player->from_fd, player->in + player->in_used, USI_PLAYER_IN_BYTES - player->in_used);
    while (got < 0 && errno == EINTR);
    if (got > 0) {
        player->in_used += (size_t)got;
        player->read_us = clock_now_us();
    } else if (got == 0 || errno != EAGAIN) {
        player->eof = true;
    }
}

bool usi_player_next_line(struct usi_player *player, const char **line, size_t *bytes)
{
    for (;;) {
        char *start = player->in + player->in_start;
        char *end = memchr(start, '\n', player->in_used - player->in_start);
        if (!end) return false;
        player->in_start = (size_t)(end - player->in) + 1;
        if (player->skipping) {
            player->skipping = false;
            usi_dialogue_long_line(&player->dialogue);
            continue;
        }
        *line = start;
        *bytes = (size_t)(end - start);
        if (*bytes > 0 && start[*bytes - 1] == '\r') (*bytes)--;
        log_line(player, "->", *line, *bytes);
        return true;
    }
}
