#include "coordinator/core/judge.h"

int32_t judge_cp(struct judge_score score)
{
    if (score.kind == WIRE_SCORE_NONE) return 0;
    if (score.kind == WIRE_SCORE_MATE) return score.score > 0 ? JUDGE_CP_MAX : -JUDGE_CP_MAX; /* mated in 0 is a loss */
    if (score.score > JUDGE_CP_MAX) return JUDGE_CP_MAX;
    return score.score < -JUDGE_CP_MAX ? -JUDGE_CP_MAX : score.score;
}

int32_t judge_win_permille(struct judge_score score)
{
    /* 1000 / (1 + exp(-x / 600)) for x = 0, 100, ..., 3000, rounded; straight lines between. */
    static const int16_t table[JUDGE_CP_MAX / 100 + 1] = {500, 542, 583, 622, 661, 697, 731, 763, 791, 818, 841,
                                                          862, 881, 897, 912, 924, 935, 944, 953, 960, 966, 971,
                                                          975, 979, 982, 985, 987, 989, 991, 992, 993};
    if (score.kind == WIRE_SCORE_MATE) return score.score > 0 ? 1000 : 0;
    int32_t cp = judge_cp(score);
    int32_t size = cp < 0 ? -cp : cp, step = size / 100;
    int32_t permille = table[step];
    if (size % 100) permille += (table[step + 1] - permille) * (size % 100) / 100;
    return cp < 0 ? 1000 - permille : permille;
}

static struct judge_score seen_by_the_other(struct judge_score score)
{
    /* Mated in 0 becomes a mate that is on the board: one ply. */
    if (score.kind == WIRE_SCORE_MATE && score.score == 0) return (struct judge_score){WIRE_SCORE_MATE, 1};
    score.score = -score.score;
    return score;
}

struct judge_verdict judge_move(struct judge_score before, struct judge_score after, bool played_is_best)
{
    struct judge_verdict verdict = {JUDGE_UNKNOWN, 0, 0};
    if (before.kind == WIRE_SCORE_NONE || after.kind == WIRE_SCORE_NONE) return verdict;
    verdict.class = JUDGE_BEST;
    if (played_is_best) return verdict;

    struct judge_score got = seen_by_the_other(after);
    int32_t loss_cp = judge_cp(before) - judge_cp(got);
    int32_t loss_permille = judge_win_permille(before) - judge_win_permille(got);
    verdict.loss_cp = loss_cp > 0 ? loss_cp : 0;
    verdict.loss_permille = loss_permille > 0 ? loss_permille : 0;
    bool had_mate = before.kind == WIRE_SCORE_MATE && before.score > 0;
    bool has_mate = got.kind == WIRE_SCORE_MATE && got.score > 0;
    if (had_mate && !has_mate)
        verdict.class = JUDGE_MISSED_MATE;
    else if (verdict.loss_permille >= JUDGE_BLUNDER_PERMILLE)
        verdict.class = JUDGE_BLUNDER;
    else if (verdict.loss_permille >= JUDGE_MISTAKE_PERMILLE)
        verdict.class = JUDGE_MISTAKE;
    else if (verdict.loss_permille >= JUDGE_INACCURACY_PERMILLE)
        verdict.class = JUDGE_INACCURACY;
    else
        verdict.class = JUDGE_GOOD;
    return verdict;
}

const char *judge_class_name(enum judge_class class)
{
    static const char *const names[] = {"", "best", "good", "inaccuracy", "mistake", "blunder", "missed mate"};
    return names[class];
}
