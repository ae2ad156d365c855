/* child.c - see child.h. */
#include "common/net/child.h"

#include "common/net/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { START_PATIENCE_MS = 500 }; /* from fork to exec: less than a millisecond unless it is stopped or starved */

/* The environment without our own settings: what is meant for the coordinator is no setting of a worker. */
static char **environment_filter(void)
{
    size_t count = 0, kept = 0;
    while (environ[count]) count++;
    char **filtered = malloc((count + 1) * sizeof *filtered);
    if (!filtered) return NULL;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "MURAKUMO_", strlen("MURAKUMO_")) != 0) filtered[kept++] = environ[i];
    filtered[kept] = NULL;
    return filtered;
}

/* Between fork and exec: async-signal-safe calls only. errno goes through `report`, which exec closes. */
static _Noreturn void become(char *const *argv, char *const *environment, const int streams[3], const int *nice_level,
                             int report, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127); /* the parent died before the line above */
    if (nice_level) setpriority(PRIO_PROCESS, 0, *nice_level);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    bool ready = true;
    for (int fd = 0; fd < 3 && ready; fd++) ready = dup2(streams[fd], fd) >= 0;
    if (ready) execvpe(argv[0], argv, environment);
    int error = errno;
    ssize_t ignored = write(report, &error, sizeof error);
    (void)ignored;
    _exit(127);
}

/* Waits until the program has begun (0) or could not (errno). Somebody may stop the child before its exec: after
 * START_PATIENCE_MS it counts as begun, and its silence or its end tells the rest. */
static int await_start(int report, pid_t child)
{
    int error = 0;
    int64_t deadline_ms = clock_now_ms() + START_PATIENCE_MS;
    struct pollfd told = {.fd = report, .events = POLLIN};
    for (int64_t left_ms = START_PATIENCE_MS; poll(&told, 1, (int)left_ms) <= 0;) {
        left_ms = deadline_ms - clock_now_ms();
        if (left_ms <= 0) return 0;
    }
    if (read(report, &error, sizeof error) != (ssize_t)sizeof error) return 0;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return error;
}

enum status child_start(char *const *argv, const struct child_setup *setup, pid_t *pid, char why[CHILD_WHY_BYTES])
{
    int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC), report[2] = {-1, -1}, error = 0;
    int streams[3] = {setup->in_fd, setup->out_fd, setup->error_fd};
    for (int fd = 0; fd < 3; fd++)
        if (streams[fd] < 0) streams[fd] = null_fd;
    pid_t parent = getpid(), child = -1;
    char **environment = environment_filter();
    if (!environment) {
        error = ENOMEM;
    } else if (null_fd < 0 || pipe2(report, O_CLOEXEC) != 0) {
        error = errno;
    } else if ((child = fork()) == 0) {
        become(argv, environment, streams, setup->nice_level, report[1], parent);
    } else if (child < 0) {
        error = errno;
    } else {
        setpgid(child, child); /* also done by the child: whoever comes first */
        close(report[1]);
        report[1] = -1;
        error = await_start(report[0], child);
    }
    if (report[0] >= 0) close(report[0]);
    if (report[1] >= 0) close(report[1]);
    if (null_fd >= 0) close(null_fd);
    free(environment);
    if (error) {
        snprintf(why, CHILD_WHY_BYTES, "cannot start: %.90s: %s", argv[0], strerror(error));
        errno = error;
        return ST_IO;
    }
    *pid = child;
    return ST_OK;
}

static void describe(int status, char how[CHILD_WHY_BYTES])
{
    if (WIFSIGNALED(status))
        snprintf(how, CHILD_WHY_BYTES, "signal %d", WTERMSIG(status));
    else
        snprintf(how, CHILD_WHY_BYTES, "exit %d", WEXITSTATUS(status));
}

bool child_has_ended(pid_t pid, char how[CHILD_WHY_BYTES])
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0) return false;
    kill(-pid, SIGKILL); /* before it is reaped: the number of the group is still ours */
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    describe(status, how);
    return true;
}

void child_signal(pid_t pid, int signal_number)
{
    if (pid > 0) kill(-pid, signal_number);
}

void child_end(pid_t pid, int timeout_ms, char how[CHILD_WHY_BYTES])
{
    int64_t deadline_ms = clock_now_ms() + timeout_ms;
    while (!child_has_ended(pid, how)) {
        if (clock_now_ms() >= deadline_ms) child_signal(pid, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

bool child_program_beside(const char *name, char *out, size_t capacity)
{
    char own[4096];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0) return false;
    own[length] = 0;
    char *slash = strrchr(own, '/');
    if (!slash) return false;
    slash[1] = 0;
    int n = snprintf(out, capacity, "%s%s", own, name);
    return n > 0 && (size_t)n < capacity;
}
