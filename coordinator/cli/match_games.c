#include "coordinator/cli/match_games.h"

#include "common/shogi/score.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { GAME_BYTES_MAX = 4 << 20 };

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

bool match_games_open(struct match_games *games, const char *path)
{
    memset(games, 0, sizeof *games);
    games->path = path;
    record_init(&games->record);
    text_buffer_init(&games->text, GAME_BYTES_MAX);
    if (!path) return true;
    games->output = ends_with(path, ".kif")                               ? RECORD_OUT_KIF
                    : ends_with(path, ".usi") || ends_with(path, ".sfen") ? RECORD_OUT_USI
                                                                          : RECORD_OUT_CSA3;
    games->file = fopen(path, "ae");
    if (!games->file) {
        fprintf(stderr, "murakumo match: %s: %s\n", path, strerror(errno));
        return false;
    }
    games->count = fseek(games->file, 0, SEEK_END) == 0 && ftell(games->file) > 0;
    return true;
}

static enum record_end end_of(enum game_end end, bool loser_to_move)
{
    switch (end) {
    case GAME_MATE:
        return RECORD_END_MATE;
    case GAME_RESIGN:
        return RECORD_END_RESIGN;
    case GAME_DECLARATION:
        return RECORD_END_DECLARATION;
    case GAME_REPETITION:
        return RECORD_END_REPETITION;
    case GAME_PERPETUAL:
        return loser_to_move ? RECORD_END_ILLEGAL_LOSS : RECORD_END_ILLEGAL_WIN;
    case GAME_MOVE_LIMIT:
        return RECORD_END_MAX_MOVES;
    case GAME_ILLEGAL_MOVE:
    case GAME_FALSE_DECLARATION:
        return RECORD_END_ILLEGAL_LOSS;
    case GAME_TIME:
    case GAME_HANG:
        return RECORD_END_TIME_UP;
    case GAME_DRAWN_BY_SCORE:
        return RECORD_END_DRAW;
    case GAME_WON_BY_SCORE:
        return RECORD_END_INTERRUPTED;
    case GAME_CRASH:
        return RECORD_END_ERROR;
    case GAME_RUNNING:
    case GAME_END_COUNT:
        break;
    }
    return RECORD_END_NONE;
}

static enum status add_moves(struct record *record, const struct referee *referee, const struct match_game_text *text)
{
    char comment[64];
    Color mover = referee->start.side;
    for (uint32_t i = 0; i < referee->move_count; i++, mover = color_other(mover)) {
        enum status st = record_play(record, referee->moves[i]);
        if (st != ST_OK) return st;
        if (i < referee->opening_count) continue;
        const struct move_note *note = &text->notes[i - referee->opening_count];
        record_set_time(record, note->time_ms);
        if (!note->has_score) continue;
        int length = snprintf(comment, sizeof comment, " %d", mover == BLACK ? note->score_cp : -note->score_cp);
        st = record_add_comment(record, RECORD_COMMENT_PROGRAM, text_make(comment, (size_t)length));
        if (st != ST_OK) return st;
    }
    return ST_OK;
}

static enum status build(struct record *record, const struct referee *referee, const struct match_game_text *text)
{
    const struct referee_verdict verdict = referee->verdict;
    char comment[160];
    enum status st = record_begin(record, RECORD_FORMAT_CSA);
    if (st == ST_OK) st = record_set_initial(record, &referee->start);
    if (st == ST_OK) st = record_add_header(record, RECORD_KEY_BLACK, text_from(""), text_from(text->black));
    if (st == ST_OK) st = record_add_header(record, RECORD_KEY_WHITE, text_from(""), text_from(text->white));
    if (st == ST_OK) st = add_moves(record, referee, text);
    int length = snprintf(comment, sizeof comment, "game %" PRIu32 ": %s%s%s", text->game + 1,
                          game_end_text(verdict.end), text->illegal[0] ? ": " : "", text->illegal);
    if (st == ST_OK) st = record_add_comment(record, RECORD_COMMENT_USER, text_make(comment, (size_t)length));
    bool loser_to_move = verdict.winner == color_other(referee->position.side);
    if (st == ST_OK) st = record_set_end(record, end_of(verdict.end, loser_to_move), text_from(""));
    record_set_winner(record, verdict.winner == BLACK   ? RECORD_WINNER_BLACK
                              : verdict.winner == WHITE ? RECORD_WINNER_WHITE
                                                        : RECORD_WINNER_DRAW);
    return st;
}

bool match_games_write(struct match_games *games, const struct referee *referee, const struct match_game_text *text)
{
    if (!games->file) return true;
    text_buffer_clear(&games->text);
    enum status st = build(&games->record, referee, text);
    if (st == ST_OK) {
        record_write(&games->record, games->output, games->count, &games->text);
        st = games->text.status;
    }
    if (st == ST_OK && (games->text.length == 0 || games->text.data[games->text.length - 1] != '\n'))
        text_buffer_put_char(&games->text, '\n');
    errno = 0;
    bool ok = st == ST_OK && fwrite(games->text.data, 1, games->text.length, games->file) == games->text.length &&
              fflush(games->file) == 0;
    if (!ok)
        fprintf(stderr, "murakumo match: %s: game %" PRIu32 " cannot be written: %s\n", games->path, text->game + 1,
                st != ST_OK ? status_text(st) : strerror(errno));
    games->count++;
    return ok;
}

bool match_games_close(struct match_games *games)
{
    bool ok = !games->file || fclose(games->file) == 0;
    games->file = NULL;
    record_free(&games->record);
    text_buffer_free(&games->text);
    return ok;
}
