/* game_table.c - an analysed game as text and as JSON and CSV. */
#include "coordinator/view/game_table.h"

#include "common/shogi/sfen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WORST_SHOWN = 5 };

struct judge_score game_score(const struct game_position *position)
{
    return position->done ? position->score : (struct judge_score){WIRE_SCORE_NONE, 0};
}

struct game_judged game_judge_ply(const struct record *record, const struct game_position *positions, uint32_t ply)
{
    struct game_judged judged;
    movetext_to_usi(record->moves[record->lines[0].first + ply - 1].move, judged.move);
    judged.black = (record->initial.side == BLACK) == (ply % 2 == 1);
    bool best = strcmp(judged.move, positions[ply - 1].best) == 0;
    judged.verdict = judge_move(game_score(&positions[ply - 1]), game_score(&positions[ply]), best);
    return judged;
}

static const char *class_mark(enum judge_class class)
{
    switch (class) {
    case JUDGE_INACCURACY:
        return "?!";
    case JUDGE_MISTAKE:
        return "?";
    case JUDGE_BLUNDER:
        return "??";
    case JUDGE_MISSED_MATE:
        return "??";
    case JUDGE_UNKNOWN:
    case JUDGE_BEST:
    case JUDGE_GOOD:
        break;
    }
    return "";
}

/* "+123", "mate +5" from Black's point of view. */
static void score_text(struct judge_score score, bool black_to_move, char out[24])
{
    int32_t value = black_to_move ? score.score : -score.score;
    if (score.kind == WIRE_SCORE_NONE)
        snprintf(out, 24, "-");
    else if (score.kind == WIRE_SCORE_MATE && score.score == 0)
        snprintf(out, 24, "mated");
    else if (score.kind == WIRE_SCORE_MATE)
        snprintf(out, 24, "mate %+d", (int)value);
    else
        snprintf(out, 24, "%+d", (int)value);
}

static void write_header(const struct record *record, const char *file, struct text_buffer *out)
{
    static const char empty[] = "?";
    struct text black = record_header_value(record, RECORD_KEY_BLACK),
                white = record_header_value(record, RECORD_KEY_WHITE);
    text_buffer_format(out, "%s\n", file);
    text_buffer_put_string(out, "▲ Black (先手) ");
    text_buffer_put_clean(out, text_empty(black) ? text_from(empty) : black);
    text_buffer_put_string(out, "   △ White (後手) ");
    text_buffer_put_clean(out, text_empty(white) ? text_from(empty) : white);
    const struct record_line *line = record_main(record);
    text_buffer_format(out, "   %u plies", (unsigned)record_plies(record));
    if (line->end_word.length > 0) {
        text_buffer_put_string(out, ", ");
        text_buffer_put_clean(out, record_text(record, line->end_word));
    }
    text_buffer_put_string(out, "\n\n ply  move     score    best     loss  depth\n");
}

static void write_side(const char *name, const uint32_t counts[], int64_t loss_sum, uint32_t moves,
                       struct text_buffer *out)
{
    if (moves == 0) return;
    uint32_t bad = counts[JUDGE_BLUNDER] + counts[JUDGE_MISSED_MATE];
    text_buffer_format(out,
                       "%s  %u moves, mean loss %" PRId64
                       " cp, engine's move %u, inaccuracies ?! %u, mistakes ? %u, blunders ?? %u\n",
                       name, (unsigned)moves, loss_sum / moves, (unsigned)counts[JUDGE_BEST],
                       (unsigned)counts[JUDGE_INACCURACY], (unsigned)counts[JUDGE_MISTAKE], (unsigned)bad);
}

/* The plies that lost most, largest first. */
struct worst {
    uint32_t count;
    struct {
        uint32_t ply;
        int32_t loss_permille;
    } items[WORST_SHOWN];
};

static void worst_add(struct worst *worst, uint32_t ply, int32_t loss_permille)
{
    uint32_t at = worst->count;
    while (at > 0 && worst->items[at - 1].loss_permille < loss_permille) at--;
    if (at == WORST_SHOWN) return;
    if (worst->count < WORST_SHOWN) worst->count++;
    for (uint32_t i = worst->count - 1; i > at; i--) worst->items[i] = worst->items[i - 1];
    worst->items[at].ply = ply;
    worst->items[at].loss_permille = loss_permille;
}

static void write_worst(const struct record *record, const struct game_position *positions, const struct worst *worst,
                        struct text_buffer *out)
{
    if (worst->count > 0) text_buffer_put_string(out, "\nBiggest mistakes (loss of win probability):\n");
    for (uint32_t i = 0; i < worst->count; i++) {
        uint32_t ply = worst->items[i].ply;
        struct game_judged judged = game_judge_ply(record, positions, ply);
        text_buffer_format(out, "  %4u %s%-6s %3d %%  %-12s better: %s\n", (unsigned)ply, judged.black ? "▲" : "△",
                           judged.move, (int)(judged.verdict.loss_permille + 5) / 10,
                           judge_class_name(judged.verdict.class), positions[ply - 1].pv);
    }
}

void game_table_write(const struct record *record, const char *file, const struct game_position *positions,
                      struct text_buffer *out)
{
    uint32_t counts[2][JUDGE_MISSED_MATE + 1] = {{0}}, moves[2] = {0};
    int64_t loss_sum[2] = {0};
    struct worst worst = {0};
    write_header(record, file, out);
    for (uint32_t ply = 1; ply <= record_plies(record); ply++) {
        struct game_judged judged = game_judge_ply(record, positions, ply);
        const struct judge_verdict *v = &judged.verdict;
        char score[24], loss[16] = "";
        score_text(game_score(&positions[ply]), !judged.black, score);
        if (v->class != JUDGE_UNKNOWN && v->class != JUDGE_BEST) snprintf(loss, sizeof loss, "%d", (int)v->loss_cp);
        text_buffer_format(out, "%4u  %s%-6s %9s  %-6s %6s %6u  %s\n", (unsigned)ply, judged.black ? "▲" : "△",
                           judged.move, score, v->class == JUDGE_BEST ? "=" : positions[ply - 1].best, loss,
                           (unsigned)positions[ply].depth, class_mark(v->class));
        if (v->class == JUDGE_UNKNOWN) continue;
        unsigned side = judged.black ? 0 : 1;
        moves[side]++;
        counts[side][v->class]++;
        loss_sum[side] += v->loss_cp;
        if (v->class >= JUDGE_INACCURACY) worst_add(&worst, ply, v->loss_permille);
    }
    text_buffer_put_char(out, '\n');
    write_side("▲", counts[0], loss_sum[0], moves[0], out);
    write_side("△", counts[1], loss_sum[1], moves[1], out);
    write_worst(record, positions, &worst, out);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static void write_json_score(struct judge_score score, struct text_buffer *out)
{
    if (score.kind == WIRE_SCORE_CP)
        text_buffer_format(out, "{\"cp\":%d}", (int)score.score);
    else if (score.kind == WIRE_SCORE_MATE)
        text_buffer_format(out, "{\"mate\":%d}", (int)score.score);
    else
        text_buffer_put_string(out, "null");
}

static void write_json_text(const char *name, struct text value, struct text_buffer *out)
{
    text_buffer_format(out, "\"%s\":", name);
    text_buffer_put_json(out, value);
    text_buffer_put_char(out, ',');
}

void game_table_write_json(const struct record *record, const char *file, uint32_t index,
                           const struct game_position *positions, struct text_buffer *out)
{
    char sfen[SFEN_BYTES_MAX];
    sfen_write(&record->initial, sfen);
    text_buffer_put_char(out, '{');
    write_json_text("file", text_from(file), out);
    text_buffer_format(out, "\"index\":%u,", (unsigned)index);
    write_json_text("black", record_header_value(record, RECORD_KEY_BLACK), out);
    write_json_text("white", record_header_value(record, RECORD_KEY_WHITE), out);
    write_json_text("initial_sfen", text_from(sfen), out);
    write_json_text("terminal", record_text(record, record_main(record)->end_word), out);
    text_buffer_put_string(out, "\"view\":\"side to move\",\"positions\":[");
    for (uint32_t ply = 0; ply <= record_plies(record); ply++) {
        const struct game_position *p = &positions[ply];
        text_buffer_format(out, "%s{\"ply\":%u,", ply > 0 ? "," : "", (unsigned)ply);
        if (ply > 0) {
            struct game_judged judged = game_judge_ply(record, positions, ply);
            text_buffer_format(out, "\"move\":\"%s\",\"loss_cp\":%d,\"loss_win_permille\":%d,\"class\":\"%s\",",
                               judged.move, (int)judged.verdict.loss_cp, (int)judged.verdict.loss_permille,
                               judge_class_name(judged.verdict.class));
        }
        text_buffer_put_string(out, "\"score\":");
        write_json_score(game_score(p), out);
        text_buffer_format(out, ",\"depth\":%u,\"nodes\":%" PRIu64 ",\"best\":\"%s\",\"pv\":\"%s\"}",
                           (unsigned)p->depth, p->nodes, p->best, p->pv);
    }
    text_buffer_put_string(out, "]}\n");
}

/* ---- CSV ------------------------------------------------------------------------------------------------------- */

static void write_csv_text(struct text value, struct text_buffer *out)
{
    text_buffer_put_char(out, '"');
    for (; !text_empty(value); value.at++) {
        if (*value.at == '"') text_buffer_put_char(out, '"');
        text_buffer_put_char(out, *value.at);
    }
    text_buffer_put_string(out, "\",");
}

void game_table_write_csv_head(struct text_buffer *out)
{
    text_buffer_put_string(out,
                           "file,game,black,white,ply,side,move,score,best,loss_cp,loss_win_permille,class,depth,nodes,"
                           "pv,sfen\n");
}

void game_table_write_csv(const struct record *record, const char *file, uint32_t index,
                          const struct game_position *positions, struct text_buffer *out)
{
    struct position pos = record->initial; /* in which the move is played */
    struct undo undo;
    for (uint32_t ply = 1; ply <= record_plies(record); ply++) {
        struct game_judged judged = game_judge_ply(record, positions, ply);
        const struct judge_verdict *v = &judged.verdict;
        char score[24] = "", sfen[SFEN_BYTES_MAX];
        if (game_score(&positions[ply]).kind != WIRE_SCORE_NONE)
            score_text(game_score(&positions[ply]), !judged.black, score);
        write_csv_text(text_from(file), out);
        text_buffer_format(out, "%u,", (unsigned)index);
        write_csv_text(record_header_value(record, RECORD_KEY_BLACK), out);
        write_csv_text(record_header_value(record, RECORD_KEY_WHITE), out);
        text_buffer_format(out, "%u,%s,%s,%s,%s,", (unsigned)ply, judged.black ? "black" : "white", judged.move, score,
                           positions[ply - 1].best);
        if (v->class != JUDGE_UNKNOWN)
            text_buffer_format(out, "%d,%d", (int)v->loss_cp, (int)v->loss_permille);
        else
            text_buffer_put_char(out, ',');
        sfen_write(&pos, sfen);
        position_do(&pos, record->moves[record->lines[0].first + ply - 1].move, &undo);
        text_buffer_format(out, ",%s,%u,%" PRIu64 ",%s,%s\n", judge_class_name(v->class),
                           (unsigned)positions[ply].depth, positions[ply].nodes, positions[ply - 1].pv, sfen);
    }
}
