/* attach_run.c - see attach_run.h. The stand-in is a coordinator without workers in this process. */
#include "coordinator/cli/attach_run.h"

#include "common/net/clock.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/usi_log.h"
#include "coordinator/core/attach.h"
#include "coordinator/door_client.h"
#include "coordinator/run.h"
#include "coordinator/usi/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    READ_BYTES = 65536,
    FIRST_WAIT_MS = 3000, /* for a daemon that is just starting, or whose last front end is just leaving */
    RETRY_MS = 100,
    ANSWER_MS = 500,      /* patience with a door, at the start */
    ANSWER_AGAIN_MS = 50, /* the same while a game may be going on */
    DRAIN_MS = 1000
};

struct attach_shell {
    struct attach core;
    struct run *standin;
    struct output gui, daemon; /* daemon.fd -1: not connected */
    struct usi_lines gui_lines, daemon_lines;
    FILE *debug_log;
    int64_t retry_ms;
    bool quits;
    char gui_buffer[COORD_LINE_BYTES_MAX], daemon_buffer[COORD_LINE_BYTES_MAX], read_buffer[READ_BYTES];
};

/* ---- the three sides --------------------------------------------------------------------------------------------- */

static void standin_says(void *context, const char *line, size_t length)
{
    struct attach_shell *shell = context;
    attach_standin_line(&shell->core, line, length);
}

static void debug_file(void *context, const char *path)
{
    struct attach_shell *shell = context;
    usi_log_open(&shell->debug_log, path, &shell->gui);
}

static void gui_give(struct attach_shell *shell, const char *line, size_t length)
{
    usi_log_line(shell->debug_log, "<", line, length);
    output_line(&shell->gui, line, length);
}

/* Carries out what the core wants; what the stand-in says meanwhile comes behind. */
static void carry_out(struct attach_shell *shell)
{
    struct attach *core = &shell->core;
    for (size_t i = 0; i < core->effect_count; i++) {
        struct attach_effect effect = core->effects[i];
        const char *line = core->text.data + effect.at;
        switch (effect.target) {
        case ATTACH_GUI:
            gui_give(shell, line, effect.length);
            break;
        case ATTACH_DAEMON:
            if (shell->daemon.fd >= 0) output_line(&shell->daemon, line, effect.length);
            break;
        case ATTACH_STANDIN: {
            char *copy = malloc(effect.length + 1); /* the stand-in's answers may move the text */
            if (!copy) break;
            memcpy(copy, line, effect.length);
            run_line(shell->standin, copy, effect.length, false);
            free(copy);
            break;
        }
        case ATTACH_QUIT:
            shell->quits = true;
            break;
        }
    }
    attach_clear(core);
}

static void daemon_close(struct attach_shell *shell)
{
    close(shell->daemon.fd);
    output_free(&shell->daemon);
    shell->daemon.fd = -1;
    shell->retry_ms = clock_now_ms();
    attach_lost(&shell->core, clock_now_ms());
    carry_out(shell);
}

static void daemon_open(struct attach_shell *shell, int fd)
{
    if (!output_init(&shell->daemon, fd)) {
        close(fd);
        shell->daemon.fd = -1;
        return;
    }
    usi_lines_init(&shell->daemon_lines, shell->daemon_buffer, sizeof shell->daemon_buffer);
    attach_connected(&shell->core, clock_now_ms());
    carry_out(shell);
}

static void daemon_retry(struct attach_shell *shell)
{
    char why[DOOR_CLIENT_WHY_BYTES];
    bool busy;
    int fd = door_client_attach(ANSWER_AGAIN_MS, why, &busy);
    shell->retry_ms = clock_now_ms() + RETRY_MS;
    if (fd >= 0) daemon_open(shell, fd);
}

static void take_daemon(struct attach_shell *shell)
{
    ssize_t n = recv(shell->daemon.fd, shell->read_buffer, sizeof shell->read_buffer, MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (n <= 0) {
        daemon_close(shell);
        return;
    }
    struct usi_line line;
    for (ssize_t taken = 0; taken < n;) {
        taken += (ssize_t)usi_lines_push(&shell->daemon_lines, shell->read_buffer + taken, (size_t)(n - taken));
        while (usi_lines_next(&shell->daemon_lines, &line)) {
            if (!line.too_long) attach_daemon_line(&shell->core, line.bytes, line.length);
            carry_out(shell);
        }
    }
}

static void take_gui(struct attach_shell *shell)
{
    ssize_t n = read(STDIN_FILENO, shell->read_buffer, sizeof shell->read_buffer);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    struct usi_line line;
    for (ssize_t taken = 0; taken < n && !shell->quits;) {
        taken += (ssize_t)usi_lines_push(&shell->gui_lines, shell->read_buffer + taken, (size_t)(n - taken));
        while (!shell->quits && usi_lines_next(&shell->gui_lines, &line)) {
            usi_log_line(shell->debug_log, ">", line.bytes, line.length);
            attach_gui_line(&shell->core, line.bytes, line.length, line.too_long, clock_now_ms());
            carry_out(shell);
        }
    }
    if (n <= 0) shell->quits = true;
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static int64_t wait_ms(const struct attach_shell *shell)
{
    int64_t due_ms = attach_deadline_ms(&shell->core), now_ms = clock_now_ms();
    if (shell->daemon.fd < 0 && shell->retry_ms < due_ms) due_ms = shell->retry_ms;
    return due_ms == INT64_MAX ? -1 : due_ms > now_ms ? due_ms - now_ms : 0;
}

static void loop(struct attach_shell *shell)
{
    while (!shell->quits) {
        bool there = shell->daemon.fd >= 0;
        struct link_watch watches[4] = {
            {.fd = STDIN_FILENO},
            {.fd = output_is_empty(&shell->gui) ? -1 : shell->gui.fd, .want_write = true},
            {.fd = shell->daemon.fd},
            {.fd = there && !output_is_empty(&shell->daemon) ? shell->daemon.fd : -1, .want_write = true}};
        if (!run_turn(shell->standin, watches, 4, wait_ms(shell))) return; /* told to end; it has answered */
        carry_out(shell);
        if (watches[0].ready) take_gui(shell);
        if (watches[1].ready) output_flush(&shell->gui);
        if (there && watches[2].ready) take_daemon(shell);
        if (shell->daemon.fd >= 0) {
            output_flush(&shell->daemon);
            if (shell->daemon.broken || shell->daemon.dropped) daemon_close(shell);
        } else if (clock_now_ms() >= shell->retry_ms) {
            daemon_retry(shell);
        }
        attach_tick(&shell->core, clock_now_ms());
        carry_out(shell);
        if (shell->gui.broken) return;
    }
}

/* Patience at the start: -1 and a message if nobody takes us. */
static int first_attach(void)
{
    char why[DOOR_CLIENT_WHY_BYTES];
    bool busy;
    int64_t due_ms = clock_now_ms() + FIRST_WAIT_MS;
    for (;;) {
        int fd = door_client_attach(ANSWER_MS, why, &busy);
        if (fd >= 0) return fd;
        if (clock_now_ms() >= due_ms) break;
        (void)usleep(RETRY_MS * 1000);
    }
    fprintf(stderr, "murakumo usi --attach: %s\n", why);
    return -1;
}

int attach_run(void)
{
    int fd = first_attach(), code = CLI_FAILED;
    if (fd < 0) return CLI_NO_CLUSTER;
    struct attach_shell *shell = calloc(1, sizeof *shell);
    char why[KEY_TEXT_MAX] = "not enough memory to start", name[80];
    if (shell && output_init(&shell->gui, STDOUT_FILENO)) {
        attach_init(&shell->core);
        shell->daemon.fd = -1;
        usi_lines_init(&shell->gui_lines, shell->gui_buffer, sizeof shell->gui_buffer);
        snprintf(name, sizeof name, "Murakumo %.60s", cli_version());
        shell->standin = run_new(
            &(struct run_options){
                .name = name,
                .hooks = {.context = shell, .say = standin_says, .debug_file = debug_file},
            },
            why, &code);
    }
    if (shell && shell->standin) {
        daemon_open(shell, fd);
        loop(shell);
        output_drain(&shell->gui, DRAIN_MS);
        code = CLI_DONE;
        (void)run_free(shell->standin);
        if (shell->daemon.fd >= 0) {
            output_drain(&shell->daemon, DRAIN_MS);
            close(shell->daemon.fd);
            output_free(&shell->daemon);
        }
    } else {
        fprintf(stderr, "murakumo usi --attach: %s\n", why);
        close(fd);
    }
    if (shell) {
        if (shell->debug_log) fclose(shell->debug_log);
        output_free(&shell->gui);
        attach_free(&shell->core);
    }
    free(shell);
    return code;
}
