/* usi.c - `murakumo usi`: a USI engine on stdin and stdout, with a cluster behind it. */
#include "common/base/log.h"
#include "coordinator/cli/attach_run.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/engine_settings.h"
#include "coordinator/cli/usi_log.h"
#include "coordinator/output.h"
#include "coordinator/run.h"
#include "coordinator/usi/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_BYTES = 65536, READS_MAX = 16, DRAIN_MS = 1000 };

static const struct conf_key attach_key =
    CONF_FLAG_KEY(struct engine_settings, attach, "attach", "be a front end of the running `murakumo serve`");

/* The commands on the command line: each word is a line, given when the engine has answered the one before. */
struct script {
    char **lines;
    int count, next;
    bool used, waiting; /* waiting: for readyok, bestmove or checkmate */
};

struct front {
    struct run *run;
    struct output out;
    struct script script;
    FILE *debug_log;
    struct usi_lines lines;
    char line_buffer[COORD_LINE_BYTES_MAX];
    char read_buffer[READ_BYTES];
    bool eof;
};

static void debug_file(void *context, const char *path)
{
    struct front *front = context;
    usi_log_open(&front->debug_log, path, &front->out);
}

/* ---- lines out and in ------------------------------------------------------------------------------------------ */

static bool word_is(const char *line, size_t length, const char *word)
{
    size_t bytes = strlen(word);
    return length >= bytes && memcmp(line, word, bytes) == 0 && (length == bytes || line[bytes] == ' ');
}

static void say(void *context, const char *line, size_t length)
{
    struct front *front = context;
    usi_log_line(front->debug_log, "<", line, length);
    output_line(&front->out, line, length);
    if (word_is(line, length, "bestmove") || word_is(line, length, "checkmate") || word_is(line, length, "readyok"))
        front->script.waiting = false;
}

static void give(struct front *front, const char *line, size_t length, bool too_long)
{
    usi_log_line(front->debug_log, ">", line, length);
    run_line(front->run, line, length, too_long);
}

static void take_stdin(struct front *front)
{
    ssize_t n = read(STDIN_FILENO, front->read_buffer, sizeof front->read_buffer);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    struct usi_line line;
    for (ssize_t taken = 0; taken < n;) {
        taken += (ssize_t)usi_lines_push(&front->lines, front->read_buffer + taken, (size_t)(n - taken));
        while (usi_lines_next(&front->lines, &line)) give(front, line.bytes, line.length, line.too_long);
    }
    if (n <= 0) {
        front->eof = true;
        if (usi_lines_last(&front->lines, &line)) give(front, line.bytes, line.length, line.too_long);
        run_eof(front->run);
    }
}

static void script_advance(struct front *front)
{
    struct script *script = &front->script;
    while (script->used && !script->waiting) {
        const char *line = script->next < script->count ? script->lines[script->next] : "quit";
        if (script->next > script->count) return;
        script->next++;
        script->waiting = word_is(line, strlen(line), "go") || word_is(line, strlen(line), "isready");
        give(front, line, strlen(line), false);
    }
}

static void loop(struct front *front)
{
    for (;;) {
        script_advance(front);
        bool blocked = !output_is_empty(&front->out);
        bool reads = !front->eof && !front->script.used;
        struct link_watch watches[2] = {{.fd = reads ? STDIN_FILENO : -1},
                                        {.fd = blocked ? front->out.fd : -1, .want_write = true}};
        if (!run_turn(front->run, watches, 2, -1)) return;
        if (watches[0].ready) take_stdin(front);
        if (watches[1].ready) output_flush(&front->out);
        if (front->out.broken && !front->eof) { /* the GUI has gone */
            front->eof = true;
            run_eof(front->run);
        }
    }
}

/* ---- the command ----------------------------------------------------------------------------------------------- */

static const char usage_head[] =
    "murakumo usi is a USI engine: a GUI starts it and talks to it over stdin and stdout. It starts its own local\n"
    "workers, restarts them when they die, and lets workers from other machines join. With --attach it is only a thin\n"
    "front end of a `murakumo serve` that runs already: the GUI may kill and restart it, the cluster stays.\n\n"
    "usage: murakumo [usi] [OPTIONS] [LINE...]\n"
    "       murakumo usi --attach\n\n";
static const char usage_tail[] =
    "\nWith LINEs these are carried out instead of stdin, each when the one before is answered; then it quits.\n"
    "Every setting can also stand in the --config file or in the environment (MURAKUMO_WORKERS=2).\n\n"
    "examples:\n"
    "  murakumo\n"
    "  murakumo --workers 2 --threads 4 --hash 4096\n"
    "  murakumo --workers 0 --listen tcp://127.0.0.1:7654\n"
    "  murakumo --listen tcp://0.0.0.0:7654 --keys keys\n"
    "  murakumo usi --attach\n"
    "  murakumo usi \"position startpos moves 7g7f\" \"go movetime 1000\"\n\n"
    "exit codes: 0 done, 1 something broke, 2 wrong usage, 3 --attach: no cluster to attach to\n";

static int front_run(const struct engine_settings *settings, char **lines, int count)
{
    struct front *front = calloc(1, sizeof *front);
    if (!front || !output_init(&front->out, STDOUT_FILENO)) {
        free(front);
        fprintf(stderr, "murakumo usi: not enough memory to start\n");
        return CLI_FAILED;
    }
    char why[KEY_TEXT_MAX], name[80];
    int code;
    usi_lines_init(&front->lines, front->line_buffer, sizeof front->line_buffer);
    front->script = (struct script){.lines = lines, .count = count, .used = count > 0};
    struct run_options options = engine_settings_options(settings, name);
    options.kind = "usi";
    options.hooks = (struct run_hooks){.context = front, .say = say, .debug_file = debug_file};
    front->run = run_new(&options, why, &code);
    if (front->run) {
        for (size_t i = 0; *run_bound(front->run, i); i++) log_info("listening endpoint=%s", run_bound(front->run, i));
        loop(front);
        output_drain(&front->out, DRAIN_MS);
        code = run_free(front->run);
    } else {
        fprintf(stderr, "murakumo usi: %s\n", why);
    }
    if (front->debug_log) fclose(front->debug_log);
    output_free(&front->out);
    free(front);
    return code;
}

int cli_usi(int argc, char **argv)
{
    static struct engine_settings settings; /* large and zeroed */
    struct conf_key keys[ENGINE_KEYS + 1];
    memcpy(keys, engine_keys, sizeof engine_keys);
    keys[ENGINE_KEYS] = attach_key;
    const struct conf_table table = {keys, ENGINE_KEYS + 1, &settings};
    int count = argc - 1, code;
    if (!engine_settings_load(&table, "usi", &count, argv + 1, usage_head, usage_tail, &code)) return code;
    if (settings.attach && (count > 0 || settings.listen[0] || settings.record[0])) {
        fprintf(stderr,
                "murakumo usi: --attach takes no LINEs, and --listen and --record belong to `murakumo serve`\n");
        return CLI_USAGE;
    }
    if (settings.attach) return attach_run();
    return front_run(&settings, argv + 1, count);
}
