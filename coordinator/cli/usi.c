/* usi.c - `murakumo usi`: a USI engine on stdin and stdout, with a cluster behind it. */
#include "common/base/log.h"
#include "common/net/clock.h"
#include "common/net/machine.h"
#include "common/net/settings.h"
#include "coordinator/cli/cli.h"
#include "coordinator/output.h"
#include "coordinator/run.h"
#include "coordinator/usi/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_BYTES = 65536, READS_MAX = 16, DRAIN_MS = 1000 };

struct settings {
    bool help, version;
    char listen[2048], keys[1024], config[1024], log[16], record[1024];
    int64_t workers, threads, hash_mb;
};

static const struct conf_key keys[] = {
    CONF_LIST_KEY(struct settings, listen, "listen", "ENDPOINT", "accept workers from elsewhere: tcp://HOST:PORT"),
    CONF_TEXT_KEY(struct settings, keys, "keys", "DIR", "keys made by `murakumo keygen`; needed off this machine"),
    CONF_NUMBER_KEY(struct settings, workers, "workers", 0, COORD_LOCAL_MAX, "N", "local worker processes"),
    CONF_NUMBER_KEY(struct settings, threads, "threads", 0, 1024, "N",
                    "search threads of each local worker; 0 = the cores of this machine"),
    CONF_NUMBER_KEY(struct settings, hash_mb, "hash", 0, 33554432, "MB",
                    "table of each local worker, MiB; 0 = a quarter of the memory, at most 1024"),
    CONF_TEXT_KEY(struct settings, config, "config", "FILE", "file with settings: `workers = 2`, one a line"),
    CONF_TEXT_KEY(struct settings, log, "log", "LEVEL", "error, warn, info or debug, on stderr"),
    CONF_TEXT_KEY(struct settings, record, "record", "FILE", "write every event to a file"),
    CONF_FLAG_KEY(struct settings, help, "help", "this text"),
    CONF_FLAG_KEY(struct settings, version, "version", "print the version"),
};

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

/* ---- DebugLogFile ---------------------------------------------------------------------------------------------- */

static void debug_line(struct front *front, const char *arrow, const char *line, size_t length)
{
    if (!front->debug_log) return;
    char time[40];
    log_time_write(clock_unix_ms(), time);
    fprintf(front->debug_log, "%s %s %.*s\n", time, arrow, (int)length, line);
    fflush(front->debug_log);
}

static void debug_file(void *context, const char *path)
{
    struct front *front = context;
    if (front->debug_log) fclose(front->debug_log);
    front->debug_log = path[0] ? fopen(path, "ae") : NULL;
    if (path[0] && !front->debug_log) {
        char text[320];
        int length = snprintf(text, sizeof text, "info string DebugLogFile: %.200s: %s", path, strerror(errno));
        output_line(&front->out, text, (size_t)length);
    }
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
    debug_line(front, "<", line, length);
    output_line(&front->out, line, length);
    if (word_is(line, length, "bestmove") || word_is(line, length, "checkmate") || word_is(line, length, "readyok"))
        front->script.waiting = false;
}

static void give(struct front *front, const char *line, size_t length, bool too_long)
{
    debug_line(front, ">", line, length);
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

static void help_print(const struct conf_table *table)
{
    static char text[8192];
    conf_help(table, text, sizeof text);
    printf(
        "murakumo usi is a USI engine: a GUI starts it and talks to it over stdin and stdout. It starts its own local\n"
        "workers, restarts them when they die, and lets workers from other machines join.\n\n"
        "usage: murakumo [usi] [OPTIONS] [LINE...]\n\n%s\n"
        "With LINEs these are carried out instead of stdin, each when the one before is answered; then it quits.\n"
        "Every setting can also stand in the --config file or in the environment (MURAKUMO_WORKERS=2).\n\n"
        "examples:\n"
        "  murakumo\n"
        "  murakumo --workers 2 --threads 4 --hash 4096\n"
        "  murakumo --workers 0 --listen tcp://127.0.0.1:7654\n"
        "  murakumo --listen tcp://0.0.0.0:7654 --keys keys\n"
        "  murakumo usi \"position startpos moves 7g7f\" \"go movetime 1000\"\n\n"
        "exit codes: 0 done, 1 something broke, 2 wrong usage\n",
        text);
}

static int usage(const char *why)
{
    fprintf(stderr, "murakumo usi: %s\n", why);
    return CLI_USAGE;
}

static int front_run(const struct settings *settings, char **lines, int count)
{
    struct front *front = calloc(1, sizeof *front);
    if (!front || !output_init(&front->out, STDOUT_FILENO)) {
        free(front);
        fprintf(stderr, "murakumo usi: not enough memory to start\n");
        return CLI_FAILED;
    }
    char why[KEY_TEXT_MAX], name[80];
    int code;
    snprintf(name, sizeof name, "Murakumo %.60s", cli_version());
    usi_lines_init(&front->lines, front->line_buffer, sizeof front->line_buffer);
    front->script = (struct script){.lines = lines, .count = count, .used = count > 0};
    front->run = run_new(
        &(struct run_options){
            .name = name,
            .listen = settings->listen,
            .keys_directory = settings->keys,
            .local_workers = (unsigned)settings->workers,
            .threads = (uint32_t)settings->threads,
            .hash_mb = (uint32_t)settings->hash_mb,
            .worker_log = settings->log,
            .record_path = settings->record,
            .hooks = {.context = front, .say = say, .debug_file = debug_file},
        },
        why, &code);
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
    static struct settings settings; /* large and zeroed */
    settings.workers = 1;
    strcpy(settings.log, "warn");
    const struct conf_table table = {keys, sizeof keys / sizeof *keys, &settings};
    struct settings defaults = settings;
    char why[CONF_WHY_BYTES];
    int count = argc - 1;
    if (settings_load(&table, argv + 1, &count, why) != ST_OK) return usage(why);
    if (settings.help) {
        help_print(&(struct conf_table){keys, table.count, &defaults});
        return CLI_DONE;
    }
    if (settings.version) {
        printf("murakumo %s (%s)\n", cli_version(), machine_simd());
        return CLI_DONE;
    }
    enum log_level level;
    if (!log_level_from_name(settings.log, &level)) return usage("--log: expected error, warn, info or debug");
    if (settings.workers == 0 && !settings.listen[0])
        return usage("--workers 0 needs --listen, or nobody could ever search");
    log_set_level(level);
    log_set_clock(clock_unix_ms);
    machine_raise_file_limit();
    return front_run(&settings, argv + 1, count);
}
