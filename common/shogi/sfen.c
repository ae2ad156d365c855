#include "common/shogi/sfen.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char piece_letters[] = ".PLNSBRGK"; /* by unpromoted type */
static const char *const type_names[] = {"", "pawn", "lance", "knight", "silver", "bishop", "rook", "gold", "king"};
static const uint8_t type_totals[] = {0, 18, 4, 4, 4, 2, 2, 4, 2}; /* in one set */
enum { PLY_MAX = 30000 };

struct reader {
    const char *text;
    size_t bytes, at;
    struct sfen_error *error;
};

__attribute__((format(printf, 4, 5))) static enum status refuse(const struct reader *r, enum status status,
                                                                size_t offset, const char *format, ...)
{
    if (r->error != NULL) {
        va_list args;
        r->error->status = status;
        r->error->offset = offset;
        va_start(args, format);
        vsnprintf(r->error->text, sizeof r->error->text, format, args);
        va_end(args);
    }
    return status;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool at_end(const struct reader *r)
{
    return r->at >= r->bytes || r->text[r->at] == 0 || r->text[r->at] == '\r' || r->text[r->at] == '\n';
}
static void skip_blanks(struct reader *r)
{
    while (!at_end(r) && is_blank(r->text[r->at])) r->at++;
}

/* How a stray character is named in a message: never raw control bytes. */
struct shown {
    char text[8];
};
static struct shown show(char c)
{
    struct shown s;
    unsigned char byte = (unsigned char)c;
    snprintf(s.text, sizeof s.text, byte >= 33 && byte < 127 ? "'%c'" : "0x%02x", byte);
    return s;
}

static PieceType type_of_letter(char c, Color *color)
{
    *color = c >= 'a' && c <= 'z' ? WHITE : BLACK;
    char upper = *color == WHITE ? (char)(c - 'a' + 'A') : c;
    const char *found = upper == 0 || upper == '.' ? NULL : strchr(piece_letters, upper);
    return found == NULL ? NO_TYPE : (PieceType)(found - piece_letters);
}

static bool is_dead(Color c, PieceType type, int rank)
{
    int from_far = c == BLACK ? rank : 10 - rank;
    return ((type == PAWN || type == LANCE) && from_far == 1) || (type == KNIGHT && from_far <= 2);
}

static enum status read_board(struct reader *r, struct position *pos, unsigned totals[KING + 1])
{
    bool pawn_on_file[COLOR_COUNT][10] = {{false}};
    bool have_king[COLOR_COUNT] = {false, false};
    for (int rank = 1; rank <= 9; rank++) {
        int file = 9;
        while (file >= 1) {
            size_t start = r->at;
            if (at_end(r))
                return refuse(r, ST_TRUNCATED, start, "the board ends in rank %d; expected 9 ranks of 9 squares", rank);
            char c = r->text[r->at++];
            if (c >= '1' && c <= '9') {
                file -= c - '0';
                if (file < 0) return refuse(r, ST_SYNTAX, start, "rank %d has more than 9 squares", rank);
                continue;
            }
            bool promoted = c == '+';
            if (promoted) {
                if (at_end(r)) return refuse(r, ST_TRUNCATED, start, "the board ends after '+'");
                c = r->text[r->at++];
            }
            Color color;
            PieceType type = type_of_letter(c, &color);
            if (c == '/' && !promoted)
                return refuse(r, ST_SYNTAX, start, "rank %d has only %d squares; expected 9", rank, 9 - file);
            if (type == NO_TYPE)
                return refuse(r, ST_SYNTAX, start, "%s is no piece; expected one of PLNSBRGK or plnsbrgk",
                              show(c).text);
            if (promoted && !type_can_promote(type))
                return refuse(r, ST_SYNTAX, start, "a %s cannot be promoted", type_names[type]);
            const char *owner = color == BLACK ? "Black" : "White";
            if (type == KING) {
                if (have_king[color]) return refuse(r, ST_ILLEGAL, start, "%s has two kings", owner);
                have_king[color] = true;
            }
            if (++totals[type] > type_totals[type])
                return refuse(r, ST_ILLEGAL, start, "more than %d %ss", type_totals[type], type_names[type]);
            if (!promoted && is_dead(color, type, rank))
                return refuse(r, ST_ILLEGAL, start, "a %s of %s on rank %c can never move", type_names[type], owner,
                              'a' + rank - 1);
            if (type == PAWN && !promoted) {
                if (pawn_on_file[color][file])
                    return refuse(r, ST_ILLEGAL, start, "%s has two pawns on file %d", owner, file);
                pawn_on_file[color][file] = true;
            }
            position_put(pos, square_make(file, rank),
                         piece_make(color, promoted ? (PieceType)(type | PROMOTED) : type));
            file--;
        }
        if (rank < 9) {
            if (at_end(r))
                return refuse(r, ST_TRUNCATED, r->at, "the board ends after rank %d; expected 9 ranks", rank);
            if (r->text[r->at] != '/')
                return refuse(r, ST_SYNTAX, r->at, "%s after the 9 squares of rank %d; expected '/'",
                              show(r->text[r->at]).text, rank);
            r->at++;
        }
    }
    return ST_OK;
}

static enum status read_hands(struct reader *r, struct position *pos, unsigned totals[KING + 1])
{
    if (at_end(r)) return refuse(r, ST_TRUNCATED, r->at, "pieces in hand are missing; expected them or '-'");
    if (r->text[r->at] == '-') {
        r->at++;
        return ST_OK;
    }
    while (!at_end(r) && !is_blank(r->text[r->at])) {
        size_t start = r->at;
        unsigned count = 0;
        while (!at_end(r) && r->text[r->at] >= '0' && r->text[r->at] <= '9') {
            count = count * 10 + (unsigned)(r->text[r->at++] - '0');
            if (count > 18) return refuse(r, ST_ILLEGAL, start, "more than 18 pieces of one kind in hand");
        }
        bool counted = r->at > start;
        if (at_end(r) || is_blank(r->text[r->at]))
            return refuse(r, ST_SYNTAX, r->at, "a number without a piece in hand");
        if (counted && count == 0) return refuse(r, ST_SYNTAX, start, "0 of a piece in hand; leave it out");
        Color color;
        PieceType type = type_of_letter(r->text[r->at], &color);
        if (type == NO_TYPE || type == KING)
            return refuse(r, ST_SYNTAX, r->at, "%s is no piece in hand; expected one of RBGSNLP, rbgsnlp or '-'",
                          show(r->text[r->at]).text);
        r->at++;
        if (!counted) count = 1;
        totals[type] += count;
        if (totals[type] > type_totals[type])
            return refuse(r, ST_ILLEGAL, start, "more than %d %ss", type_totals[type], type_names[type]);
        pos->hand[color] += hand_one(type) * count;
    }
    return ST_OK;
}

/* The ply number may be missing; then nothing is consumed, and what follows belongs to the caller. */
static enum status read_ply(struct reader *r, struct position *pos)
{
    size_t before = r->at;
    skip_blanks(r);
    size_t start = r->at;
    unsigned ply = 0;
    while (!at_end(r) && r->text[r->at] >= '0' && r->text[r->at] <= '9') {
        ply = ply * 10 + (unsigned)(r->text[r->at++] - '0');
        if (ply > PLY_MAX) return refuse(r, ST_RANGE, start, "the move number is larger than %d", PLY_MAX);
    }
    if (r->at == start) {
        r->at = before;
        return ST_OK;
    }
    if (!at_end(r) && !is_blank(r->text[r->at]))
        return refuse(r, ST_SYNTAX, r->at, "%s in the move number", show(r->text[r->at]).text);
    pos->game_ply = (uint16_t)(ply == 0 ? 1 : ply);
    return ST_OK;
}

static enum status read_all(struct reader *r, struct position *pos)
{
    unsigned totals[KING + 1] = {0};
    skip_blanks(r);
    enum status st = read_board(r, pos, totals);
    if (st != ST_OK) return st;

    if (at_end(r)) return refuse(r, ST_TRUNCATED, r->at, "the side to move is missing; expected 'b' or 'w'");
    if (!is_blank(r->text[r->at]))
        return refuse(r, ST_SYNTAX, r->at, "%s after the board; expected a blank", show(r->text[r->at]).text);
    skip_blanks(r);
    if (at_end(r)) return refuse(r, ST_TRUNCATED, r->at, "the side to move is missing; expected 'b' or 'w'");
    char side = r->text[r->at];
    if (side != 'b' && side != 'w')
        return refuse(r, ST_SYNTAX, r->at, "%s is no side to move; expected 'b' or 'w'", show(side).text);
    pos->side = side == 'b' ? BLACK : WHITE;
    r->at++;

    if (!at_end(r) && !is_blank(r->text[r->at]))
        return refuse(r, ST_SYNTAX, r->at, "%s after the side to move; expected a blank", show(r->text[r->at]).text);
    skip_blanks(r);
    st = read_hands(r, pos, totals);
    if (st != ST_OK) return st;
    if (!at_end(r) && !is_blank(r->text[r->at]))
        return refuse(r, ST_SYNTAX, r->at, "%s after the pieces in hand; expected a blank", show(r->text[r->at]).text);
    st = read_ply(r, pos);
    if (st != ST_OK) return st;

    position_refresh(pos);
    Color waiting = color_other(pos->side);
    if (pos->king[waiting] != SQUARE_NONE &&
        !bb_empty(position_attackers(pos, pos->side, pos->king[waiting], pos->by_type[NO_TYPE])))
        return refuse(r, ST_ILLEGAL, 0, "the king of %s is in check although it is the other side's turn",
                      waiting == BLACK ? "Black" : "White");
    return ST_OK;
}

enum status sfen_read(struct position *pos, const char *text, size_t bytes, size_t *used, struct sfen_error *error)
{
    struct reader reader = {.text = text, .bytes = bytes, .at = 0, .error = error};
    struct position fresh;
    position_clear(&fresh);
    enum status st = read_all(&reader, &fresh);
    if (st != ST_OK) return st;
    *pos = fresh;
    if (used != NULL) *used = reader.at;
    return ST_OK;
}

static char *write_number(char *out, unsigned number)
{
    char digits[12];
    size_t count = 0;
    do digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    while (count > 0) *out++ = digits[--count];
    return out;
}

static char letter_of(Color c, PieceType type)
{
    char upper = piece_letters[type];
    return c == BLACK ? upper : (char)(upper - 'A' + 'a');
}

size_t sfen_write(const struct position *pos, char out[SFEN_BYTES_MAX])
{
    static const PieceType hand_order[HAND_TYPES] = {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN};
    char *end = out;
    for (int rank = 1; rank <= 9; rank++) {
        int empty = 0;
        for (int file = 9; file >= 1; file--) {
            Piece piece = pos->board[square_make(file, rank)];
            if (piece == NO_PIECE) {
                empty++;
                continue;
            }
            if (empty > 0) *end++ = (char)('0' + empty);
            empty = 0;
            PieceType type = piece_type(piece);
            if (type > KING) *end++ = '+';
            *end++ = letter_of(piece_color(piece), type_unpromoted(type));
        }
        if (empty > 0) *end++ = (char)('0' + empty);
        if (rank < 9) *end++ = '/';
    }
    *end++ = ' ';
    *end++ = pos->side == BLACK ? 'b' : 'w';
    *end++ = ' ';
    if (pos->hand[BLACK] == 0 && pos->hand[WHITE] == 0) *end++ = '-';
    for (Color c = BLACK; c <= WHITE; c++)
        for (size_t i = 0; i < HAND_TYPES; i++) {
            unsigned count = hand_count(pos->hand[c], hand_order[i]);
            if (count > 1) end = write_number(end, count);
            if (count > 0) *end++ = letter_of(c, hand_order[i]);
        }
    *end++ = ' ';
    end = write_number(end, pos->game_ply);
    *end = 0;
    return (size_t)(end - out);
}
