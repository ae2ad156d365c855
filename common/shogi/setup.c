#include "common/shogi/setup.h"

#include <string.h>

/* How many of each unpromoted type one set holds. */
static const uint8_t set_counts[KING + 1] = {0, 18, 4, 4, 4, 2, 2, 4, 2};

#define BLACK_CAMP "/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL "
#define GIVES(top) top "/ppppppppp" BLACK_CAMP "w - 1"

static const struct handicap handicaps[] = {
    {"平手", "HIRATE", SFEN_STARTPOS},
    {"香落ち", "KY", GIVES("lnsgkgsn1/1r5b1")},
    {"右香落ち", "KY_R", GIVES("1nsgkgsnl/1r5b1")},
    {"角落ち", "KA", GIVES("lnsgkgsnl/1r7")},
    {"飛車落ち", "HI", GIVES("lnsgkgsnl/7b1")},
    {"飛香落ち", "HIKY", GIVES("lnsgkgsn1/7b1")},
    {"二枚落ち", "2", GIVES("lnsgkgsnl/9")},
    {"三枚落ち", "3", GIVES("lnsgkgsn1/9")},
    {"四枚落ち", "4", GIVES("1nsgkgsn1/9")},
    {"五枚落ち", "5", GIVES("2sgkgsn1/9")},
    {"左五枚落ち", "5_L", GIVES("1nsgkgs2/9")},
    {"六枚落ち", "6", GIVES("2sgkgs2/9")},
    {"左七枚落ち", "7_L", GIVES("2sgkg3/9")},
    {"右七枚落ち", "7_R", GIVES("3gkgs2/9")},
    {"八枚落ち", "8", GIVES("3gkg3/9")},
    {"十枚落ち", "10", GIVES("4k4/9")},
};
enum { HANDICAP_COUNT = sizeof handicaps / sizeof handicaps[0] };

void setup_clear(struct setup *setup) { memset(setup, 0, sizeof *setup); }

void setup_from_position(struct setup *setup, const struct position *pos)
{
    setup_clear(setup);
    memcpy(setup->board, pos->board, sizeof setup->board);
    for (Color c = BLACK; c <= WHITE; c++)
        for (PieceType t = PAWN; t <= HAND_TYPES; t++) setup->hand[c][t] = (uint8_t)hand_count(pos->hand[c], t);
    setup->side = pos->side;
}

void setup_even_game(struct setup *setup)
{
    struct position pos;
    enum status st = sfen_read(&pos, SFEN_STARTPOS, sizeof SFEN_STARTPOS - 1, NULL, NULL);
    if (st == ST_OK) setup_from_position(setup, &pos);
}

static void count_types(const struct setup *setup, unsigned counts[KING + 1])
{
    memset(counts, 0, (KING + 1) * sizeof *counts);
    for (Square sq = 0; sq < SQUARE_COUNT; sq++) {
        if (setup->board[sq] == NO_PIECE) continue;
        counts[type_unpromoted(piece_type(setup->board[sq]))]++;
    }
    for (Color c = BLACK; c <= WHITE; c++)
        for (PieceType t = PAWN; t <= HAND_TYPES; t++) counts[t] += setup->hand[c][t];
}

bool setup_add_hand(struct setup *setup, Color color, PieceType type, unsigned count)
{
    if (type < PAWN || type > HAND_TYPES || count > set_counts[type]) return false;
    if (setup->hand[color][type] + count > set_counts[type]) return false;
    setup->hand[color][type] = (uint8_t)(setup->hand[color][type] + count);
    return true;
}

void setup_add_rest(struct setup *setup, Color color)
{
    unsigned counts[KING + 1];
    count_types(setup, counts);
    for (PieceType t = PAWN; t <= HAND_TYPES; t++)
        if (counts[t] < set_counts[t])
            setup->hand[color][t] = (uint8_t)(setup->hand[color][t] + set_counts[t] - counts[t]);
}

static char piece_letter(PieceType type, Color color)
{
    char upper = ".PLNSBRGK"[type_unpromoted(type)];
    return color == WHITE ? (char)(upper - 'A' + 'a') : upper;
}

static void put_board(const struct setup *setup, struct text_buffer *out)
{
    for (int rank = 1; rank <= 9; rank++) {
        char empty = 0;
        if (rank > 1) text_buffer_put_char(out, '/');
        for (int file = 9; file >= 1; file--) {
            Piece p = setup->board[square_make(file, rank)];
            if (p == NO_PIECE) {
                empty++;
                continue;
            }
            if (empty) text_buffer_put_char(out, (char)('0' + empty));
            empty = 0;
            if (piece_type(p) & PROMOTED && piece_type(p) != KING) text_buffer_put_char(out, '+');
            text_buffer_put_char(out, piece_letter(piece_type(p), piece_color(p)));
        }
        if (empty) text_buffer_put_char(out, (char)('0' + empty));
    }
}

/* What must hold for the rules to work on it, and no more. */
static bool is_playable(const struct setup *setup)
{
    unsigned counts[KING + 1], kings[COLOR_COUNT] = {0, 0};
    count_types(setup, counts);
    for (PieceType t = PAWN; t <= KING; t++)
        if (counts[t] > set_counts[t]) return false;
    for (Square sq = 0; sq < SQUARE_COUNT; sq++)
        if (piece_type(setup->board[sq]) == KING) kings[piece_color(setup->board[sq])]++;
    return kings[BLACK] <= 1 && kings[WHITE] <= 1;
}

static bool build(const struct setup *setup, struct position *pos)
{
    struct position built;
    if (!is_playable(setup)) return false;
    position_clear(&built);
    for (Square sq = 0; sq < SQUARE_COUNT; sq++)
        if (setup->board[sq] != NO_PIECE) position_put(&built, sq, setup->board[sq]);
    for (Color c = BLACK; c <= WHITE; c++)
        for (PieceType t = PAWN; t <= HAND_TYPES; t++) built.hand[c] += hand_one(t) * setup->hand[c][t];
    built.side = setup->side;
    built.game_ply = 1;
    position_refresh(&built);
    Square other_king = built.king[color_other(built.side)];
    if (other_king != SQUARE_NONE &&
        !bb_empty(position_attackers(&built, built.side, other_king, built.by_type[NO_TYPE])))
        return false;
    *pos = built;
    return true;
}

enum status setup_finish(const struct setup *setup, struct position *pos, struct sfen_error *error)
{
    struct text_buffer sfen;
    text_buffer_init(&sfen, 1024);
    put_board(setup, &sfen);
    text_buffer_put_string(&sfen, setup->side == BLACK ? " b " : " w ");
    size_t before_hands = sfen.length;
    for (Color c = BLACK; c <= WHITE; c++)
        for (PieceType t = PAWN; t <= HAND_TYPES; t++)
            if (setup->hand[c][t]) text_buffer_format(&sfen, "%u%c", (unsigned)setup->hand[c][t], piece_letter(t, c));
    text_buffer_put_string(&sfen, sfen.length == before_hands ? "- 1" : " 1");
    enum status st = sfen.status == ST_OK ? sfen_read(pos, sfen.data, sfen.length, NULL, error) : sfen.status;
    text_buffer_free(&sfen);
    if (st == ST_OK) error->status = ST_OK;
    if (st == ST_ILLEGAL && build(setup, pos)) st = ST_OK;
    return st;
}

static PieceType type_of_letter(char c, Color *color)
{
    static const char letters[] = ".PLNSBRGK";
    *color = c >= 'a' && c <= 'z' ? WHITE : BLACK;
    char upper = *color == WHITE ? (char)(c - 'a' + 'A') : c;
    for (PieceType t = PAWN; t <= KING; t++)
        if (letters[t] == upper) return t;
    return NO_TYPE;
}

static bool take_sfen_board(struct setup *setup, struct text *t)
{
    Color color;
    for (int rank = 1; rank <= 9; rank++) {
        if (rank > 1 && !text_take_char(t, '/')) return false;
        for (int file = 9; file >= 1;) {
            if (text_empty(*t)) return false;
            if (*t->at >= '1' && *t->at <= '9') {
                file -= *t->at++ - '0';
                if (file < 0) return false;
                continue;
            }
            bool promoted = text_take_char(t, '+');
            PieceType type = text_empty(*t) ? NO_TYPE : type_of_letter(*t->at, &color);
            if (type == NO_TYPE || (promoted && !type_can_promote(type))) return false;
            t->at++;
            setup->board[square_make(file--, rank)] = piece_make(color, promoted ? (PieceType)(type | PROMOTED) : type);
        }
    }
    return true;
}

static bool take_sfen_hands(struct setup *setup, struct text word)
{
    if (text_is(word, "-")) return true;
    Color color;
    while (!text_empty(word)) {
        uint64_t count = 1;
        text_take_number(&word, 18, &count);
        PieceType type = text_empty(word) ? NO_TYPE : type_of_letter(*word.at, &color);
        if (type == NO_TYPE || !setup_add_hand(setup, color, type, (unsigned)count)) return false;
        word.at++;
    }
    return true;
}

bool setup_from_sfen(struct setup *setup, struct text sfen, size_t *used)
{
    struct text t = sfen, word;
    uint64_t number;
    setup_clear(setup);
    text_skip_blanks(&t);
    if (!take_sfen_board(setup, &t)) return false;
    if (!text_take_word(&t, &word) || !(text_is(word, "b") || text_is(word, "w"))) return false;
    setup->side = text_is(word, "b") ? BLACK : WHITE;
    if (!text_take_word(&t, &word) || !take_sfen_hands(setup, word)) return false;
    struct text after_hands = t;
    text_skip_blanks(&t);
    if (!text_take_number(&t, UINT16_MAX, &number)) t = after_hands;
    *used = (size_t)(t.at - sfen.at);
    return true;
}

const struct handicap *handicap_from_kif(struct text word)
{
    for (size_t i = 0; i < HANDICAP_COUNT; i++)
        if (text_is(word, handicaps[i].kif)) return &handicaps[i];
    return NULL;
}

const struct handicap *handicap_from_jkf(struct text word)
{
    for (size_t i = 0; i < HANDICAP_COUNT; i++)
        if (text_is(word, handicaps[i].jkf)) return &handicaps[i];
    return NULL;
}

const struct handicap *handicap_of(const struct position *pos)
{
    for (size_t i = 0; i < HANDICAP_COUNT; i++) {
        struct position other;
        if (sfen_read(&other, handicaps[i].sfen, strlen(handicaps[i].sfen), NULL, NULL) != ST_OK) continue;
        if (other.board_key == pos->board_key && other.hand[BLACK] == pos->hand[BLACK] &&
            other.hand[WHITE] == pos->hand[WHITE])
            return &handicaps[i];
    }
    return NULL;
}
