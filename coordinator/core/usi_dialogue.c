#include "coordinator/core/usi_dialogue.h"

#include "common/base/text.h"

#include <string.h>
#include <strings.h>

/* A number with an optional sign; what is no number leaves *value alone. */
static bool take_number(struct text *rest, int64_t *value)
{
    struct text word;
    return text_take_word(rest, &word) && text_take_signed(&word, INT64_MAX / 2, value) && text_empty(word);
}

static void copy_text(char *out, size_t out_bytes, const char *text, size_t bytes)
{
    size_t length = bytes < out_bytes - 1 ? bytes : out_bytes - 1;
    memcpy(out, text, length);
    out[length] = 0;
}

static void read_id(struct usi_dialogue *dialogue, struct text *rest)
{
    struct text word;
    if (!text_take_word(rest, &word) || !text_is(word, "name")) return;
    struct text first;
    if (!text_take_word(rest, &first)) return;
    struct text name = text_trim(text_make(first.at, (size_t)(rest->end - first.at)));
    copy_text(dialogue->id_name, sizeof dialogue->id_name, name.at, text_length(name));
}

/* The name goes up to the word `type`; UCI-like engines have blanks in it. */
static void read_option(struct usi_dialogue *dialogue, struct text *rest)
{
    struct text word, first;
    if (!text_take_word(rest, &word) || !text_is(word, "name") || !text_take_word(rest, &first)) return;
    const char *end = first.end;
    while (text_take_word(rest, &word) && !text_is(word, "type")) end = word.end;
    if (dialogue->option_count == DIALOGUE_OPTIONS_MAX) return;
    copy_text(dialogue->options[dialogue->option_count++], DIALOGUE_OPTION_BYTES, first.at, (size_t)(end - first.at));
}

static int clamp_cp(int64_t score_cp)
{
    if (score_cp > SCORE_CP_MAX) return SCORE_CP_MAX;
    return score_cp < -SCORE_CP_MAX ? -SCORE_CP_MAX : (int)score_cp;
}

static void read_info(struct usi_dialogue *dialogue, struct text *rest)
{
    struct dialogue_info info = dialogue->info;
    struct text word;
    bool exact = true, best = true, has_score = false;
    while (text_take_word(rest, &word) && !text_is(word, "pv") && !text_is(word, "string")) {
        int64_t number;
        if (text_is(word, "lowerbound") || text_is(word, "upperbound"))
            exact = false;
        else if (text_is(word, "depth") && take_number(rest, &number))
            info.depth_plies = (int)(number > 0 && number < 10000 ? number : 0);
        else if (text_is(word, "nodes") && take_number(rest, &number))
            info.nodes = number > 0 ? (uint64_t)number : 0;
        else if (text_is(word, "time") && take_number(rest, &number))
            info.time_ms = number;
        else if (text_is(word, "multipv") && take_number(rest, &number))
            best = number <= 1;
        else if (text_is(word, "cp") && take_number(rest, &number)) {
            info.score_cp = clamp_cp(number);
            has_score = true;
        } else if (text_is(word, "mate") && text_take_word(rest, &word)) {
            info.score_cp = word.at[0] == '-' ? -SCORE_CP_MAX : SCORE_CP_MAX;
            has_score = true;
        }
    }
    if (!best) return;
    if (has_score && !exact) { /* the nodes count, the score does not */
        info.has_score = dialogue->info.has_score;
        info.score_cp = dialogue->info.score_cp;
    } else if (has_score) {
        info.has_score = true;
    }
    dialogue->info = info;
}

static enum dialogue_event read_bestmove(struct usi_dialogue *dialogue, struct text *rest)
{
    if (dialogue->state != DIALOGUE_THINKING) {
        dialogue->faults[dialogue->went ? FAULT_DOUBLE_BESTMOVE : FAULT_STRAY_BESTMOVE]++;
        return DIALOGUE_NOTHING;
    }
    dialogue->state = DIALOGUE_IDLE;
    struct text word;
    if (text_take_word(rest, &word) && text_length(word) < DIALOGUE_MOVE_BYTES) {
        copy_text(dialogue->bestmove, DIALOGUE_MOVE_BYTES, word.at, text_length(word));
    } else {
        dialogue->bestmove[0] = 0;
        dialogue->faults[FAULT_MALFORMED_BESTMOVE]++;
    }
    return DIALOGUE_BESTMOVE;
}

const char *dialogue_fault_name(enum dialogue_fault fault)
{
    static const char *const names[DIALOGUE_FAULT_COUNT] = {
        [FAULT_DOUBLE_BESTMOVE] = "double_bestmove",
        [FAULT_STRAY_BESTMOVE] = "stray_bestmove",
        [FAULT_MALFORMED_BESTMOVE] = "malformed_bestmove",
        [FAULT_IDLE_INFO] = "idle_info",
        [FAULT_LONG_LINE] = "long_line",
    };
    return names[fault];
}

void usi_dialogue_start(struct usi_dialogue *dialogue)
{
    dialogue->state = DIALOGUE_HANDSHAKE;
    dialogue->went = dialogue->new_game = false;
    dialogue->id_name[0] = 0;
    dialogue->option_count = 0;
    dialogue->bestmove[0] = 0;
    dialogue->info = (struct dialogue_info){0};
}

void usi_dialogue_sent_isready(struct usi_dialogue *dialogue) { dialogue->state = DIALOGUE_PINGED; }

void usi_dialogue_sent_newgame(struct usi_dialogue *dialogue) { dialogue->new_game = true; }

void usi_dialogue_sent_go(struct usi_dialogue *dialogue)
{
    dialogue->state = DIALOGUE_THINKING;
    dialogue->went = true;
    dialogue->bestmove[0] = 0;
    dialogue->info = (struct dialogue_info){0};
}

enum dialogue_event usi_dialogue_line(struct usi_dialogue *dialogue, const char *line, size_t bytes)
{
    struct text rest = text_make(line, bytes);
    struct text word;
    if (!text_take_word(&rest, &word)) return DIALOGUE_NOTHING;
    if (text_is(word, "bestmove")) return read_bestmove(dialogue, &rest);
    if (text_is(word, "info")) {
        if (dialogue->state == DIALOGUE_THINKING)
            read_info(dialogue, &rest);
        else if (dialogue->went && !(text_take_word(&rest, &word) && text_is(word, "string")))
            dialogue->faults[FAULT_IDLE_INFO]++;
        return DIALOGUE_NOTHING;
    }
    if (dialogue->state == DIALOGUE_HANDSHAKE) {
        if (text_is(word, "id"))
            read_id(dialogue, &rest);
        else if (text_is(word, "option"))
            read_option(dialogue, &rest);
        else if (text_is(word, "usiok")) {
            dialogue->state = DIALOGUE_IDLE;
            return DIALOGUE_USIOK;
        }
        return DIALOGUE_NOTHING;
    }
    if (dialogue->state == DIALOGUE_PINGED && text_is(word, "readyok")) {
        dialogue->state = DIALOGUE_IDLE;
        if (dialogue->new_game)
            dialogue->went = dialogue->new_game = false; /* what came before belongs to the old game */
        return DIALOGUE_READYOK;
    }
    return DIALOGUE_NOTHING;
}

void usi_dialogue_long_line(struct usi_dialogue *dialogue) { dialogue->faults[FAULT_LONG_LINE]++; }

bool usi_dialogue_declares(const struct usi_dialogue *dialogue, const char *option)
{
    for (unsigned i = 0; i < dialogue->option_count; i++)
        if (strncasecmp(dialogue->options[i], option, DIALOGUE_OPTION_BYTES - 1) == 0) return true;
    return false;
}
