#include "common/shogi/record_score.h"

enum { SCORE_MAX = 100000000 };

static const struct record_score none = {RECORD_SCORE_NONE, 0};

static struct record_score centipawns(int64_t value) { return (struct record_score){RECORD_SCORE_CP, (int32_t)value}; }

static struct record_score mate(bool black_mates, int64_t plies)
{
    return (struct record_score){RECORD_SCORE_MATE, (int32_t)(black_mates ? plies : -plies)};
}

static bool at_word_end(struct text t) { return text_empty(t) || *t.at == ' ' || *t.at == '\t'; }

/* "+詰", "-詰 7", "詰 -12": the sign says who mates. */
static bool take_mate(struct text *t, struct record_score *score)
{
    struct text rest = *t;
    bool minus = text_take_char(&rest, '-');
    if (!minus) text_take_char(&rest, '+');
    if (!text_take(&rest, "詰")) return false;
    text_skip_blanks(&rest);
    int64_t plies = RECORD_MATE_UNKNOWN_PLIES;
    if (text_take_signed(&rest, RECORD_MATE_UNKNOWN_PLIES, &plies) && plies < 0) {
        minus = true;
        plies = -plies;
    }
    *score = mate(!minus, plies ? plies : RECORD_MATE_UNKNOWN_PLIES);
    *t = rest;
    return true;
}

/* 先手勝ち, 後手勝ち:15手 */
static struct record_score shogihome_mate(struct text t)
{
    bool black = text_take(&t, "先手勝ち");
    if (!black && !text_take(&t, "後手勝ち")) return none;
    uint64_t plies;
    if (!text_take_char(&t, ':') || !text_take_number(&t, RECORD_MATE_UNKNOWN_PLIES, &plies) || plies == 0)
        plies = RECORD_MATE_UNKNOWN_PLIES;
    return mate(black, (int64_t)plies);
}

static struct record_score number(struct text t)
{
    struct record_score score;
    int64_t value;
    if (take_mate(&t, &score)) return score;
    return text_take_signed(&t, SCORE_MAX, &value) ? centipawns(value) : none;
}

static struct record_score plain_number(struct text t)
{
    struct record_score score;
    int64_t value;
    if (take_mate(&t, &score)) return score;
    if (!text_take_signed(&t, SCORE_MAX, &value)) return none;
    if (!text_take(&t, "--")) text_take(&t, "++"); /* bounds */
    return text_empty(text_trim(t)) ? centipawns(value) : none;
}

struct record_score record_score_read(struct text comment, enum record_comment_kind kind, bool plain_scores)
{
    struct text t = comment;
    text_skip_blanks(&t);
    text_take_char(&t, '#'); /* ShogiHome: analysis by the user's engine, not by the player */
    if (text_take(&t, "評価値=")) return number(t);
    if (text_take(&t, "詰み=")) return shogihome_mate(t);
    if (kind == RECORD_COMMENT_USER) return plain_scores ? plain_number(text_trim(comment)) : none;
    if (kind != RECORD_COMMENT_PROGRAM) return none;
    int64_t value;
    if (text_take_signed(&t, SCORE_MAX, &value)) return at_word_end(t) ? centipawns(value) : none;
    struct text word;
    while (text_take_word(&t, &word)) {
        if (!text_is(word, "評価値")) continue;
        text_skip_blanks(&t);
        return number(t);
    }
    return none;
}
