/* bench_audit.c - `murakumo bench audit [--plies N] [--hash MB] [--mate-nodes N] [--margin CP] PUZZLES.jsonl`: asks
 * once more about every published puzzle.
 *
 * PUZZLES.jsonl is what `murakumo mine --format jsonl` wrote. This process knows only position and solution. It asks
 * the questions of the audit (mine.h), N plies deeper than the verification was, without limit of nodes and with the
 * plain rule of uniqueness (margin 0, any runner-up); mates are proved again, with their uniqueness. One line for each
 * puzzle, the sum at the end; exit code 1 if any does not stand.
 */
#include "common/base/json.h"
#include "common/shogi/movetext.h"
#include "coordinator/core/mine.h"
#include "tests/bench/bench.h"
#include "tests/bench/task_runner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct solution {
    char id[32];
    struct position start;
    Move line[MINE_LINE_MAX];
    unsigned count;
    uint32_t depths[MINE_SOLVER_MAX];
    int64_t mate_plies;
};

struct sum {
    unsigned puzzles, mates, mates_bad, reasons[MINE_REASON_COUNT], bad;
    uint64_t nodes;
};

static struct text inside(struct json string) { return text_make(string.raw.at + 1, text_length(string.raw) - 2); }

static bool solution_read(struct json row, struct solution *s)
{
    struct json sfen = json_member(row, "sfen"), id = json_member(row, "id"), element;
    memset(s, 0, sizeof *s);
    if (sfen.type != JSON_STRING || id.type != JSON_STRING ||
        sfen_read(&s->start, inside(sfen).at, text_length(inside(sfen)), NULL, NULL) != ST_OK)
        return false;
    snprintf(s->id, sizeof s->id, "%.*s", (int)text_length(inside(id)), inside(id).at);
    struct position pos = s->start;
    struct json_walk walk = json_walk_start(json_member(row, "solution"));
    while (json_walk_element(&walk, &element)) {
        struct undo undo;
        if (element.type != JSON_STRING || s->count == MINE_LINE_MAX) return false;
        Move move = movetext_from_usi(&pos, inside(element).at, text_length(inside(element)));
        if (move == MOVE_NONE) return false;
        s->line[s->count++] = move;
        position_do(&pos, move, &undo);
    }
    walk = json_walk_start(json_member(row, "depths"));
    for (unsigned i = 0; i < MINE_SOLVER_MAX && json_walk_element(&walk, &element); i++) {
        int64_t depth;
        if (!json_integer(element, WIRE_DEPTH_MAX, &depth)) return false;
        s->depths[i] = (uint32_t)depth;
    }
    return s->count % 2 == 1 && json_integer(json_member(row, "mate_plies"), MINE_LINE_MAX, &s->mate_plies);
}

static enum mine_reason audit(const struct mine *m, struct task_runner *runner, const struct solution *s,
                              uint64_t *nodes)
{
    static struct mine_case c;
    struct task task;
    struct text_buffer text;
    text_buffer_init(&text, ANSWER_BYTES_MAX);
    mine_case_audit(&c, &s->start, s->line, s->count, s->depths, (unsigned)s->mate_plies);
    while (mine_question(m, &c, &task)) {
        struct answer answer;
        text_buffer_clear(&text);
        bool good = task_runner_do(runner, &task, &text, nodes);
        struct text view = text_buffer_view(&text);
        mine_answer(m, &c, good && answer_next(&view, &answer) ? &answer : NULL);
    }
    text_buffer_free(&text);
    return c.reason;
}

static bool audit_file(const struct mine *m, struct task_runner *runner, const char *path, struct sum *sum)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t capacity = 0;
    bool good = file != NULL;
    for (unsigned number = 1; good && getline(&line, &capacity, file) >= 0; number++) {
        struct text rest = text_from(line);
        struct json row;
        struct solution s;
        good = json_take(&rest, &row, NULL) == ST_OK;
        if (good && !json_string_is(json_member(row, "type"), "puzzle")) continue;
        if (!good || !solution_read(row, &s)) {
            fprintf(stderr, "%s: line %u: found no puzzle, expected a row of murakumo mine\n", path, number);
            good = false;
            break;
        }
        enum mine_reason reason = audit(m, runner, &s, &sum->nodes);
        sum->puzzles++;
        sum->mates += s.mate_plies > 0;
        sum->mates_bad += s.mate_plies > 0 && reason != MINE_NONE;
        sum->reasons[reason]++;
        sum->bad += reason != MINE_NONE;
        printf("%s %s\n", s.id, reason == MINE_NONE ? "stands" : mine_reason_word(reason));
        fflush(stdout);
    }
    if (!file) fprintf(stderr, "murakumo-bench: %s: cannot be read\n", path);
    if (file) fclose(file);
    free(line);
    return good;
}

int bench_audit(int argc, char **argv)
{
    struct mine m = mine_defaults();
    int64_t hash_mb = 64;
    int at = 1;
    m.audit_plies = 4;
    m.margin_cp = 0;
    m.runner_most_permille = 1000;
    for (; at < argc && !strncmp(argv[at], "--", 2); at += 2) {
        const char *value = at + 1 < argc ? argv[at + 1] : NULL;
        if (strcmp(argv[at], "--plies") == 0)
            m.audit_plies = bench_number(argv[at], value, 0, 20);
        else if (strcmp(argv[at], "--hash") == 0)
            hash_mb = bench_number(argv[at], value, 1, 65536);
        else if (strcmp(argv[at], "--mate-nodes") == 0)
            m.mate_nodes = bench_number(argv[at], value, 1000, INT64_MAX / 8);
        else if (strcmp(argv[at], "--margin") == 0)
            m.margin_cp = bench_number(argv[at], value, 0, 3000);
        else
            at = argc;
    }
    if (at + 1 != argc) {
        bool help = argc == 2 && strcmp(argv[1], "--help") == 0;
        fputs("usage: murakumo-bench audit [--plies N] [--hash MB] [--mate-nodes N] [--margin CP] PUZZLES.jsonl\n",
              help ? stdout : stderr);
        return help ? 0 : 2;
    }
    struct task_runner *runner = task_runner_new((uint32_t)hash_mb);
    if (!runner) {
        fputs("murakumo-bench: out of memory\n", stderr);
        return 1;
    }
    struct sum sum = {0};
    double begin_s = bench_cpu_s();
    bool good = audit_file(&m, runner, argv[at], &sum);
    task_runner_free(runner);
    printf("%u puzzles, %u of them mates: %u do not stand, %u of them mates; %" PRIu64 " nodes, %.1f s cpu\n",
           sum.puzzles, sum.mates, sum.bad, sum.mates_bad, sum.nodes, bench_cpu_s() - begin_s);
    for (int i = 1; i < MINE_REASON_COUNT; i++)
        if (sum.reasons[i]) printf("  %-26s %u\n", mine_reason_word((enum mine_reason)i), sum.reasons[i]);
    return good && sum.bad == 0 ? 0 : 1;
}
