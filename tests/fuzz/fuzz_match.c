/* fuzz_match.c - whatever an engine says: the dialogue stays within its bounds and the referee takes only legal moves.
 *
 * Input: lines. The first one is the opening; the others go to the dialogue, and each bestmove to the referee.
 */
#include "common/base/text.h"
#include "coordinator/core/referee.h"
#include "coordinator/core/usi_dialogue.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct referee referee;
    static struct usi_dialogue dialogue;
    const struct referee_rules rules = {.max_moves = 320,
                                        .entering_king = size % 2 ? RULE_TRY : RULE_CSA27,
                                        .resign_score_cp = 1000,
                                        .resign_plies = 6,
                                        .draw_score_cp = 20,
                                        .draw_plies = 10};
    struct text rest = text_make((const char *)data, size), line;
    if (!text_take_line(&rest, &line)) return 0;
    if (referee_start(&referee, &rules, line.at, text_length(line), NULL) != ST_OK &&
        referee_start(&referee, &rules, "startpos", 8, NULL) != ST_OK)
        abort();
    memset(&dialogue, 0, sizeof dialogue);
    usi_dialogue_start(&dialogue);
    while (text_take_line(&rest, &line)) {
        switch (usi_dialogue_line(&dialogue, line.at, text_length(line))) {
        case DIALOGUE_USIOK:
            usi_dialogue_sent_isready(&dialogue);
            break;
        case DIALOGUE_READYOK:
            usi_dialogue_sent_go(&dialogue);
            break;
        case DIALOGUE_BESTMOVE: {
            const int *score_cp = dialogue.info.has_score ? &dialogue.info.score_cp : NULL;
            uint32_t before = referee.move_count;
            struct referee_verdict verdict =
                referee_play(&referee, dialogue.bestmove, strlen(dialogue.bestmove), score_cp);
            if (referee.move_count > before + 1 || verdict.winner > REFEREE_NOBODY) abort();
            if (verdict.end != GAME_RUNNING) return 0;
            usi_dialogue_sent_go(&dialogue);
            break;
        }
        case DIALOGUE_NOTHING:
            break;
        }
        if (dialogue.option_count > DIALOGUE_OPTIONS_MAX || dialogue.info.score_cp > SCORE_CP_MAX ||
            dialogue.info.score_cp < -SCORE_CP_MAX)
            abort();
    }
    return 0;
}
