#include "coordinator/view/annotate.h"

#include "common/shogi/csa.h"
#include "common/shogi/kanji.h"

#include <inttypes.h>
#include <string.h>

enum { COMMENT_BYTES_MAX = 4096 };

struct annotator {
    struct record *record;
    enum annotate_style style;
    struct text_buffer text; /* of one comment */
    enum status status;
};

static void put_comment(struct annotator *a, uint32_t ply, enum record_comment_kind kind)
{
    if (a->status == ST_OK && a->text.status == ST_OK && a->text.length > 0)
        a->status = record_annotate(a->record, ply, kind, text_buffer_view(&a->text));
    text_buffer_clear(&a->text);
}

static void put_move(struct annotator *a, const struct position *pos, Square last_to, Move move)
{
    if (a->style == ANNOTATE_CSA) {
        csa_put_move(pos, move, &a->text);
        return;
    }
    text_buffer_put_string(&a->text, pos->side == BLACK ? "▲" : "△");
    kanji_put_relative(&a->text, pos, last_to, move, false);
}

/* The moves of a line in USI, as far as they are legal. Returns how many. */
static unsigned put_line(struct annotator *a, const struct position *start, Square last_to, struct text line)
{
    struct position pos = *start;
    struct text word;
    unsigned count = 0;
    while (text_take_word(&line, &word)) {
        Move move = movetext_from_usi(&pos, word.at, text_length(word));
        if (move == MOVE_NONE) break;
        struct undo undo;
        if (a->style == ANNOTATE_CSA) text_buffer_put_char(&a->text, ' ');
        put_move(a, &pos, last_to, move);
        last_to = move_to(move);
        position_do(&pos, move, &undo);
        count++;
    }
    return count;
}

/* Black's view: centipawns, or a mate with its sign. */
static void put_score(struct annotator *a, struct judge_score score, bool black_to_move)
{
    bool mate = score.kind == WIRE_SCORE_MATE;
    bool black = (score.score > 0) == black_to_move; /* mate 0: the side to move is mated */
    int32_t cp = black_to_move ? score.score : -score.score;
    unsigned plies = (unsigned)(score.score < 0 ? -score.score : score.score);
    if (a->style == ANNOTATE_CSA)
        text_buffer_format(&a->text, " %d", mate ? (black ? ANNOTATE_CSA_MATE : -ANNOTATE_CSA_MATE) : (int)cp);
    else if (!mate)
        text_buffer_format(&a->text, "評価値=%d", (int)cp);
    else if (plies > 0)
        text_buffer_format(&a->text, "詰み=%s:%u手", black ? "先手勝ち" : "後手勝ち", plies);
    else
        text_buffer_format(&a->text, "詰み=%s", black ? "先手勝ち" : "後手勝ち");
}

static void annotate_position(struct annotator *a, uint32_t ply, const struct position *pos, Square last_to,
                              const struct game_position *analysed)
{
    struct judge_score score = game_score(analysed);
    if (score.kind == WIRE_SCORE_NONE) return;
    put_score(a, score, pos->side == BLACK);
    if (a->style == ANNOTATE_CSA) {
        put_line(a, pos, last_to, text_from(analysed->pv));
        text_buffer_format(&a->text, " #%" PRIu64, analysed->nodes);
    } else {
        put_comment(a, ply, RECORD_COMMENT_PROGRAM);
        text_buffer_put_string(&a->text, "読み筋=");
        if (put_line(a, pos, last_to, text_from(analysed->pv)) == 0) text_buffer_clear(&a->text);
    }
    put_comment(a, ply, RECORD_COMMENT_PROGRAM);
}

static const char *class_word(enum judge_class class, enum annotate_style style)
{
    switch (class) {
    case JUDGE_INACCURACY:
        return style == ANNOTATE_KIF ? "疑問手" : judge_class_name(class);
    case JUDGE_MISTAKE:
        return style == ANNOTATE_KIF ? "悪手" : judge_class_name(class);
    case JUDGE_BLUNDER:
        return style == ANNOTATE_KIF ? "大悪手" : judge_class_name(class);
    case JUDGE_MISSED_MATE:
        return style == ANNOTATE_KIF ? "詰み逃し" : judge_class_name(class);
    case JUDGE_UNKNOWN:
    case JUDGE_BEST:
    case JUDGE_GOOD:
        break;
    }
    return NULL;
}

/* What was wrong with a move, and what would have been better. `before`: the position in which it was played. */
static void annotate_mistake(struct annotator *a, uint32_t ply, const struct position *before, Square last_to,
                             const struct game_position *positions)
{
    struct game_judged judged = game_judge_ply(a->record, positions, ply);
    const char *word = class_word(judged.verdict.class, a->style);
    if (!word) return;
    const char *best = positions[ply - 1].best;
    Move better = movetext_from_usi(before, best, strlen(best));
    int percent = (int)(judged.verdict.loss_permille + 5) / 10;
    bool csa = a->style == ANNOTATE_CSA;
    text_buffer_format(&a->text, csa ? "%s: -%d %% win probability" : "%s 勝率-%d%%", word, percent);
    if (better != MOVE_NONE) {
        text_buffer_put_string(&a->text, csa ? ", better " : " 最善手=");
        put_move(a, before, last_to, better);
    }
    put_comment(a, ply, csa ? RECORD_COMMENT_NOTE : RECORD_COMMENT_PROGRAM);
}

enum status annotate_record(struct record *record, const struct game_position *positions, enum annotate_style style)
{
    struct annotator a = {.record = record, .style = style, .status = ST_OK};
    text_buffer_init(&a.text, COMMENT_BYTES_MAX);
    struct position pos = record->initial;
    Square last_to = SQUARE_NONE;
    annotate_position(&a, 0, &pos, last_to, &positions[0]);
    for (uint32_t ply = 1; ply <= record_plies(record); ply++) {
        struct position before = pos;
        Square before_to = last_to;
        Move move = record->moves[record_main(record)->first + ply - 1].move;
        struct undo undo;
        position_do(&pos, move, &undo);
        last_to = move_to(move);
        annotate_position(&a, ply, &pos, last_to, &positions[ply]);
        annotate_mistake(&a, ply, &before, before_to, positions);
    }
    text_buffer_free(&a.text);
    return a.status;
}
