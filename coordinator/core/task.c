/* task.c - see task.h. */
#include "coordinator/core/task.h"

#include "common/base/sha256.h"
#include "common/shogi/outcome.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the task --------------------------------------------------------------------------------------------------- */

static const char *const kind_words[] = {[JOB_SEARCH] = "search", [JOB_MATE] = "mate"};

size_t task_write(const struct task *task, char out[TASK_BYTES_MAX])
{
    int n = snprintf(out, TASK_BYTES_MAX,
                     "%s engine=%016" PRIx64 " lane=%d nodes=%" PRIu64 " depth=%" PRIu32 " multipv=%" PRIu32
                     " plies=%" PRIu32 "-%" PRIu32 " mate=%" PRIu32 " only=%.*s root=%.*s moves=%.*s",
                     kind_words[task->kind], task->engine, (int)task->lane, task->nodes, task->depth_max, task->multipv,
                     task->first_ply, task->last_ply, task->plies_max, (int)text_length(task->only), task->only.at,
                     (int)text_length(task->root), task->root.at, (int)text_length(task->moves), task->moves.at);
    return n < 0 || n >= TASK_BYTES_MAX ? 0 : (size_t)n;
}

static bool take_u32(struct text *rest, const char *label, uint32_t *value)
{
    uint64_t number;
    if (!text_take(rest, label) || !text_take_number(rest, UINT32_MAX, &number)) return false;
    *value = (uint32_t)number;
    return true;
}

static bool take_hex(struct text *rest, uint64_t *value)
{
    *value = 0;
    for (int i = 0; i < 16; i++) {
        char c = text_empty(*rest) ? 0 : *rest->at++;
        if (c >= '0' && c <= '9')
            *value = *value << 4 | (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            *value = *value << 4 | (uint64_t)(c - 'a' + 10);
        else
            return false;
    }
    return true;
}

/* Up to `label`, which is taken too. */
static bool take_until(struct text *rest, const char *label, struct text *part)
{
    size_t bytes = strlen(label);
    for (const char *at = rest->at; (size_t)(rest->end - at) >= bytes; at++) {
        if (memcmp(at, label, bytes) != 0) continue;
        *part = (struct text){rest->at, at};
        rest->at = at + bytes;
        return true;
    }
    return false;
}

enum status task_read(struct task *task, struct text text)
{
    uint32_t lane;
    memset(task, 0, sizeof *task);
    if (!text_empty(text) && memchr(text.at, 0, text_length(text))) return ST_SYNTAX; /* texts are printed */
    if (text_take(&text, "mate "))
        task->kind = JOB_MATE;
    else if (!text_take(&text, "search "))
        return ST_SYNTAX;
    if (!text_take(&text, "engine=") || !take_hex(&text, &task->engine) || !take_u32(&text, " lane=", &lane) ||
        !text_take(&text, " nodes=") || !text_take_number(&text, UINT64_MAX, &task->nodes) ||
        !take_u32(&text, " depth=", &task->depth_max) || !take_u32(&text, " multipv=", &task->multipv) ||
        !take_u32(&text, " plies=", &task->first_ply) || !take_u32(&text, "-", &task->last_ply) ||
        !take_u32(&text, " mate=", &task->plies_max) || !text_take(&text, " only=") ||
        !take_until(&text, " root=", &task->only) || !take_until(&text, " moves=", &task->root))
        return ST_SYNTAX;
    if (lane >= TASK_LANE_COUNT || task->last_ply < task->first_ply ||
        task->last_ply - task->first_ply >= TASK_POSITIONS_MAX)
        return ST_RANGE;
    task->lane = (enum task_lane)lane;
    task->moves = text;
    return ST_OK;
}

void task_name(struct text text, char name[TASK_NAME_BYTES])
{
    struct sha256 hash;
    char hex[SHA256_HEX_BYTES];
    sha256_init(&hash);
    sha256_add(&hash, text.at, text_length(text));
    sha256_hex(&hash, hex);
    memcpy(name, hex, TASK_NAME_BYTES - 1);
    name[TASK_NAME_BYTES - 1] = 0;
}

static struct wire_str wire(struct text text) { return wire_str_make(text.at, text_length(text)); }

struct scan_order task_order(const struct task *task)
{
    bool slice = task->last_ply > task->first_ply;
    return (struct scan_order){.root = wire(task->root),
                               .moves = wire(task->moves),
                               .searchmoves = wire(task->only),
                               .first_ply = task->first_ply,
                               .last_ply = task->last_ply,
                               .nodes = task->nodes,
                               .depth_max = task->depth_max,
                               .plies_max = task->plies_max,
                               .multipv = task->multipv,
                               .kind = task->kind,
                               .fresh = !slice,
                               .warm = slice};
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */

static const char *const verdict_words[] = {
    [VERDICT_MOVE] = "move",     [VERDICT_RESIGN] = "resign",   [VERDICT_WIN] = "win",        [VERDICT_MATE] = "mate",
    [VERDICT_NOMATE] = "nomate", [VERDICT_UNKNOWN] = "unknown", [VERDICT_REFUSED] = "refused"};
static const char *const score_words[] = {
    [WIRE_SCORE_NONE] = "none", [WIRE_SCORE_CP] = "cp", [WIRE_SCORE_MATE] = "mate"};

static struct text text_of(struct wire_str s) { return text_make(s.length ? s.bytes : "", s.length); }

static void put_moves(struct text_buffer *out, struct text moves, unsigned moves_max)
{
    struct text word;
    for (unsigned n = 0; n < moves_max && text_take_word(&moves, &word); n++) {
        if (n) text_buffer_put_char(out, ' ');
        text_buffer_put(out, word);
    }
    text_buffer_put_char(out, '\n');
}

void answer_write(const struct scan_result *r, struct text_buffer *out)
{
    struct judge_score score = {r->score_kind, r->score};
    if (r->verdict == VERDICT_RESIGN) score = (struct judge_score){WIRE_SCORE_MATE, 0};
    if (r->verdict == VERDICT_WIN) score = (struct judge_score){WIRE_SCORE_MATE, 1};
    bool mate_job = r->verdict == VERDICT_MATE || r->verdict == VERDICT_NOMATE || r->verdict == VERDICT_UNKNOWN;
    text_buffer_format(out, "%" PRIu32 " %s ", r->ply, verdict_words[r->verdict]);
    text_buffer_put(out, r->best.length ? text_of(r->best) : text_from("-"));
    text_buffer_format(out, " %s %" PRId32 " depth %" PRIu32 " nodes %" PRIu64 "\n", score_words[score.kind],
                       score.score, mate_job ? r->refuted_plies : r->depth, r->nodes);
    if (r->verdict == VERDICT_MATE) {
        text_buffer_put_string(out, " line ");
        put_moves(out, text_of(r->line), UINT32_MAX);
    }
    for (uint32_t i = 0; i < r->line_count && i < ANSWER_LINES_MAX; i++) {
        const struct scan_line *line = &r->lines[i];
        text_buffer_format(out, " %s %" PRId32 " depth %" PRIu32 " pv ", score_words[line->score_kind], line->score,
                           line->depth);
        put_moves(out, text_of(line->pv), ANSWER_LINE_PLIES_MAX);
    }
}

static bool take_word_of(struct text *rest, const char *const *words, uint32_t count, uint32_t *which)
{
    struct text word;
    if (!text_take_word(rest, &word)) return false;
    for (*which = 0; *which < count; ++*which)
        if (text_is(word, words[*which])) return true;
    return false;
}

static bool take_score(struct text *line, struct judge_score *score, uint32_t *depth)
{
    int64_t value;
    uint64_t plies;
    if (!take_word_of(line, score_words, 3, &score->kind)) return false;
    text_skip_blanks(line);
    if (!text_take_signed(line, INT32_MAX, &value)) return false;
    score->score = (int32_t)value;
    if (!text_take(line, " depth ") || !text_take_number(line, UINT32_MAX, &plies)) return false;
    *depth = (uint32_t)plies;
    return true;
}

static bool take_line(struct text line, struct answer *answer)
{
    if (answer->line_count == ANSWER_LINES_MAX) return false;
    struct answer_line *into = &answer->lines[answer->line_count];
    *into = (struct answer_line){.score = answer->score};
    if (!text_take(&line, " line ") && (!take_score(&line, &into->score, &into->depth) || !text_take(&line, " pv ")))
        return false;
    into->pv = line;
    answer->line_count++;
    return true;
}

bool answer_next(struct text *rest, struct answer *answer)
{
    struct text line;
    uint64_t number;
    memset(answer, 0, sizeof *answer);
    if (!text_take_line(rest, &line)) return false;
    if (!text_take_number(&line, HISTORY_MAX, &number)) return false;
    answer->ply = (uint32_t)number;
    if (!take_word_of(&line, verdict_words, VERDICT_REFUSED + 1, &answer->verdict)) return false;
    if (!text_take_word(&line, &answer->best)) return false;
    if (text_is(answer->best, "-")) answer->best = text_from("");
    if (!take_score(&line, &answer->score, &answer->depth) || !text_take(&line, " nodes ") ||
        !text_take_number(&line, UINT64_MAX, &answer->nodes))
        return false;
    while (!text_empty(*rest) && *rest->at == ' ')
        if (!text_take_line(rest, &line) || !take_line(line, answer)) return false;
    return true;
}
