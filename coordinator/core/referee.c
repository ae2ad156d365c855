#include "coordinator/core/referee.h"

#include "common/shogi/movetext.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define GAME_END_WORD(name, word, text) word,
#define GAME_END_TEXT(name, word, text) text,

static const char *const end_words[GAME_END_COUNT] = {GAME_ENDS(GAME_END_WORD)};

const char *game_end_word(enum game_end end) { return end_words[end]; }

const char *game_end_text(enum game_end end)
{
    static const char *const texts[GAME_END_COUNT] = {GAME_ENDS(GAME_END_TEXT)};
    return texts[end];
}

bool game_end_from_word(const char *word, size_t bytes, enum game_end *end)
{
    for (unsigned i = 0; i < GAME_END_COUNT; i++)
        if (strlen(end_words[i]) == bytes && memcmp(end_words[i], word, bytes) == 0) {
            *end = (enum game_end)i;
            return true;
        }
    return false;
}

static bool skip_word(const char **at, const char *end, const char *word)
{
    const char *p = *at;
    while (p < end && (*p == ' ' || *p == '\t')) p++;
    size_t length = strlen(word);
    if ((size_t)(end - p) < length || memcmp(p, word, length) != 0) return false;
    if (p + length < end && p[length] != ' ' && p[length] != '\t') return false;
    *at = p + length;
    return true;
}

static struct referee_verdict end_game(struct referee *referee, enum game_end end, unsigned winner)
{
    referee->verdict = (struct referee_verdict){end, (uint8_t)winner};
    return referee->verdict;
}

/* What the rules say about the position after a move. */
static struct referee_verdict judge(struct referee *referee)
{
    Color side = referee->position.side, other = color_other(side);
    switch (game_outcome(&referee->history, &referee->position, referee->rules.max_moves)) {
    case OUTCOME_MATED:
        return end_game(referee, GAME_MATE, other);
    case OUTCOME_DRAW_REPETITION:
        return end_game(referee, GAME_REPETITION, REFEREE_NOBODY);
    case OUTCOME_PERPETUAL_WIN:
        return end_game(referee, GAME_PERPETUAL, side);
    case OUTCOME_PERPETUAL_LOSS:
        return end_game(referee, GAME_PERPETUAL, other);
    case OUTCOME_DRAW_MOVE_LIMIT:
        return end_game(referee, GAME_MOVE_LIMIT, REFEREE_NOBODY);
    case OUTCOME_NONE:
    case OUTCOME_SUPERIOR: /* these two are for the search only */
    case OUTCOME_INFERIOR:
        break;
    }
    return referee->verdict;
}

static bool make_move(struct referee *referee, Move move)
{
    struct undo undo;
    if (referee->move_count == HISTORY_MAX) return false;
    struct position before = referee->position;
    position_do(&referee->position, move, &undo);
    if (!history_push(&referee->history, &referee->position)) {
        referee->position = before;
        return false;
    }
    referee->moves[referee->move_count++] = move;
    return true;
}

static enum status refuse(struct sfen_error *error, enum status status, size_t offset, const char *text)
{
    if (error) {
        error->status = status;
        error->offset = offset;
        snprintf(error->text, sizeof error->text, "%s", text);
    }
    return status;
}

static enum status play_opening(struct referee *referee, const char *text, const char *at, const char *end,
                                struct sfen_error *error)
{
    for (;;) {
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) at++;
        if (at == end) return ST_OK;
        const char *word = at;
        while (at < end && *at != ' ' && *at != '\t' && *at != '\r') at++;
        Move move = movetext_from_usi(&referee->position, word, (size_t)(at - word));
        if (move == MOVE_NONE) return refuse(error, ST_ILLEGAL, (size_t)(word - text), "this move is not legal here");
        if (!make_move(referee, move))
            return refuse(error, ST_TOO_BIG, (size_t)(word - text), "the opening has too many moves");
    }
}

enum status referee_start(struct referee *referee, const struct referee_rules *rules, const char *opening, size_t bytes,
                          struct sfen_error *error)
{
    const char *at = opening, *end = opening + bytes;
    struct position start;
    skip_word(&at, end, "position");
    if (skip_word(&at, end, "startpos")) {
        enum status st = sfen_read(&start, SFEN_STARTPOS, strlen(SFEN_STARTPOS), NULL, NULL);
        assert(st == ST_OK);
    } else {
        size_t used = 0;
        skip_word(&at, end, "sfen");
        enum status st = sfen_read(&start, at, (size_t)(end - at), &used, error);
        if (st != ST_OK) return st;
        at += used;
    }
    bool has_moves = skip_word(&at, end, "moves");
    const char *rest = at;
    while (rest < end && (*rest == ' ' || *rest == '\t' || *rest == '\r')) rest++;
    if (!has_moves && rest < end)
        return refuse(error, ST_TRAILING, (size_t)(rest - opening), "the position is followed by something else");

    referee->start = start;
    referee->position = start;
    referee->move_count = 0;
    history_start(&referee->history, &referee->position);
    enum status st = play_opening(referee, opening, at, end, error);
    if (st != ST_OK) return st;
    referee->opening_count = referee->move_count;
    referee->rules = *rules;
    referee->verdict = (struct referee_verdict){GAME_RUNNING, REFEREE_NOBODY};
    referee->win_run_plies[BLACK] = referee->win_run_plies[WHITE] = referee->draw_run_plies = 0;
    if (judge(referee).end != GAME_RUNNING)
        return refuse(error, ST_ILLEGAL, 0, "the game is already over in this position");
    return ST_OK;
}

/* Counts for how many plies in a row the scores say the same. */
static void note_score(struct referee *referee, Color mover, const int *score_cp)
{
    for (Color color = BLACK; color < COLOR_COUNT; color++) {
        int sign = color == mover ? 1 : -1;
        bool wins = score_cp && sign * *score_cp >= referee->rules.resign_score_cp;
        referee->win_run_plies[color] = wins ? referee->win_run_plies[color] + 1 : 0;
    }
    int limit_cp = referee->rules.draw_score_cp;
    bool level = score_cp && *score_cp <= limit_cp && *score_cp >= -limit_cp;
    bool counts = referee->position.game_ply > referee->rules.draw_after_move;
    referee->draw_run_plies = level && counts ? referee->draw_run_plies + 1 : 0;
}

static struct referee_verdict adjudicate(struct referee *referee)
{
    const struct referee_rules *rules = &referee->rules;
    for (Color color = BLACK; color < COLOR_COUNT; color++)
        if (rules->resign_plies > 0 && referee->win_run_plies[color] >= rules->resign_plies)
            return end_game(referee, GAME_WON_BY_SCORE, color);
    if (rules->draw_plies > 0 && referee->draw_run_plies >= rules->draw_plies)
        return end_game(referee, GAME_DRAWN_BY_SCORE, REFEREE_NOBODY);
    return referee->verdict;
}

struct referee_verdict referee_play(struct referee *referee, const char *text, size_t bytes, const int *score_cp)
{
    assert(referee->verdict.end == GAME_RUNNING);
    Color mover = referee->position.side, other = color_other(mover);
    if (bytes == 6 && memcmp(text, "resign", 6) == 0) return end_game(referee, GAME_RESIGN, other);
    if (bytes == 3 && memcmp(text, "win", 3) == 0) {
        Move move;
        bool wins = declaration_wins(&referee->position, referee->rules.entering_king, &move);
        return wins ? end_game(referee, GAME_DECLARATION, mover) : end_game(referee, GAME_FALSE_DECLARATION, other);
    }
    Move move = movetext_from_usi(&referee->position, text, bytes);
    if (move == MOVE_NONE) return end_game(referee, GAME_ILLEGAL_MOVE, other);
    /* By the try rule the king's move to the try square wins at once. */
    Move try_move;
    bool is_try = referee->rules.entering_king == RULE_TRY &&
                  declaration_wins(&referee->position, RULE_TRY, &try_move) && move == try_move;
    if (!make_move(referee, move)) return end_game(referee, GAME_MOVE_LIMIT, REFEREE_NOBODY);
    if (is_try) return end_game(referee, GAME_DECLARATION, mover);
    if (judge(referee).end != GAME_RUNNING) return referee->verdict;
    note_score(referee, mover, score_cp);
    return adjudicate(referee);
}

struct referee_verdict referee_forfeit(struct referee *referee, Color loser, enum game_end reason)
{
    assert(referee->verdict.end == GAME_RUNNING);
    return end_game(referee, reason, color_other(loser));
}
