#include "common/shogi/record_end.h"

struct end_words {
    const char *csa, *kif;
    enum record_verdict verdict;
};

static const struct end_words ends[RECORD_END_COUNT] = {
#define RECORD_END_WORDS(name, csa, kif, verdict) {csa, kif, verdict},
    RECORD_ENDS(RECORD_END_WORDS)
#undef RECORD_END_WORDS
};

const char *record_end_csa(enum record_end end) { return ends[end].csa; }

const char *record_end_kif(enum record_end end) { return ends[end].kif; }

enum record_verdict record_end_verdict(enum record_end end) { return ends[end].verdict; }

enum record_end record_end_from_csa(struct text word)
{
    for (unsigned end = 0; end < RECORD_END_COUNT; end++)
        if (ends[end].csa && text_is(word, ends[end].csa)) return (enum record_end)end;
    return record_end_from_kif(word); /* CSA has no words for 不戦勝 and the like */
}

enum record_end record_end_from_kif(struct text word)
{
    static const struct {
        const char *word;
        enum record_end end;
    } others[] = {
        {"詰", RECORD_END_MATE},
        {"時間切れ", RECORD_END_TIME_UP},
        {"時間切れ負け", RECORD_END_TIME_UP},
        {"切れ負", RECORD_END_TIME_UP},
        {"反則負", RECORD_END_ILLEGAL_LOSS},
        {"反則", RECORD_END_ILLEGAL_LOSS},
        {"反則勝", RECORD_END_ILLEGAL_WIN},
        {"宣言勝ち", RECORD_END_DECLARATION},
        {"入玉宣言", RECORD_END_DECLARATION},
        {"入玉宣言勝ち", RECORD_END_DECLARATION},
        {"引分け", RECORD_END_DRAW},
        {"引分", RECORD_END_DRAW},
    };
    for (unsigned end = 0; end < RECORD_END_COUNT; end++)
        if (ends[end].kif && text_is(word, ends[end].kif)) return (enum record_end)end;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (text_is(word, others[i].word)) return others[i].end;
    return RECORD_END_OTHER;
}
