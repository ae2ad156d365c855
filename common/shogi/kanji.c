#include "common/shogi/kanji.h"

static const char *const move_names[TYPE_COUNT] = {"",   "歩", "香",   "桂",   "銀",   "角", "飛", "金",
                                                   "玉", "と", "成香", "成桂", "成銀", "馬", "龍"};
static const char *const board_names[TYPE_COUNT] = {"",   "歩", "香", "桂", "銀", "角", "飛", "金",
                                                    "玉", "と", "杏", "圭", "全", "馬", "龍"};
static const char *const numbers[] = {"",   "一",   "二",   "三",   "四",   "五",   "六",   "七",   "八",  "九",
                                      "十", "十一", "十二", "十三", "十四", "十五", "十六", "十七", "十八"};
static const char *const wide_digits[] = {"", "１", "２", "３", "４", "５", "６", "７", "８", "９"};

const char *kanji_type_name(PieceType type) { return move_names[type]; }
const char *kanji_board_name(PieceType type) { return board_names[type]; }
const char *kanji_number(unsigned n) { return numbers[n]; }

PieceType kanji_type(uint32_t character)
{
    switch (character) {
    case 0x6B69:
        return PAWN; /* 歩 */
    case 0x9999:
        return LANCE; /* 香 */
    case 0x6842:
        return KNIGHT; /* 桂 */
    case 0x9280:
        return SILVER; /* 銀 */
    case 0x91D1:
        return GOLD; /* 金 */
    case 0x89D2:
        return BISHOP; /* 角 */
    case 0x98DB:
        return ROOK; /* 飛 */
    case 0x7389:     /* 玉 */
    case 0x738B:
        return KING; /* 王 */
    case 0x3068:
        return PRO_PAWN; /* と */
    case 0x674F:
        return PRO_LANCE; /* 杏 */
    case 0x572D:
        return PRO_KNIGHT; /* 圭 */
    case 0x5168:
        return PRO_SILVER; /* 全 */
    case 0x99AC:
        return HORSE; /* 馬 */
    case 0x9F8D:      /* 龍 */
    case 0x7ADC:
        return DRAGON; /* 竜 */
    default:
        return NO_TYPE;
    }
}

int kanji_digit(uint32_t c)
{
    static const uint32_t kanji[] = {0x4E00, 0x4E8C, 0x4E09, 0x56DB, 0x4E94,
                                     0x516D, 0x4E03, 0x516B, 0x4E5D}; /* 一..九 */
    if (c >= '1' && c <= '9') return (int)(c - '0');
    if (c >= 0xFF11 && c <= 0xFF19) return (int)(c - 0xFF10); /* １..９ */
    for (int i = 0; i < 9; i++)
        if (c == kanji[i]) return i + 1;
    return 0;
}

bool kanji_take_count(struct text *rest, unsigned *count)
{
    struct text t = *rest;
    unsigned value = 0, digits = 0;
    bool ten = false;
    for (; digits < 3; digits++) {
        struct text before = t;
        uint32_t c = text_take_code_point(&t);
        int digit = kanji_digit(c);
        if (c == 0x5341 && !ten && value < 10) { /* 十 */
            ten = true;
            value = (value ? value : 1) * 10;
        } else if (digit || ((c == '0' || c == 0xFF10) && digits > 0)) {
            value = ten ? value + (unsigned)digit : value * 10 + (unsigned)digit;
        } else {
            t = before;
            break;
        }
    }
    if (digits == 0 || value > 99) return false;
    *count = value;
    *rest = t;
    return true;
}

static bool take_mark(struct text *t, Color *mark)
{
    static const struct {
        const char *mark;
        Color color;
    } marks[] = {{"▲", BLACK}, {"△", WHITE}, {"▼", BLACK}, {"▽", WHITE}, {"☗", BLACK}, {"☖", WHITE}};
    *mark = COLOR_COUNT;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (!text_take(t, marks[i].mark)) continue;
        *mark = marks[i].color;
        return true;
    }
    return false;
}

static bool take_type(struct text *t, PieceType *type)
{
    struct text rest = *t;
    bool promoted = text_take(&rest, "成");
    *type = kanji_type(text_take_code_point(&rest));
    if (promoted) {
        if (*type != SILVER && *type != KNIGHT && *type != LANCE) return false;
        *type = (PieceType)(*type | PROMOTED);
    }
    if (*type == NO_TYPE) return false;
    *t = rest;
    return true;
}

static void take_modifiers(struct text *t, struct kanji_move *move)
{
    static const struct {
        const char *word;
        unsigned which;
    } words[] = {{"右", KANJI_RIGHT},    {"左", KANJI_LEFT}, {"直", KANJI_STRAIGHT},
                 {"上", KANJI_UP},       {"行", KANJI_UP},   {"入", KANJI_UP},
                 {"寄", KANJI_SIDEWAYS}, {"引", KANJI_BACK}, {"下", KANJI_BACK}};
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            if (!text_take(t, words[i].word)) continue;
            move->which |= words[i].which;
            more = true;
        }
        if (text_take(t, "打")) more = move->drop = true;
        if (text_take(t, "不成") || text_take(t, "生")) {
            move->promotion = KANJI_STAYS;
            more = true;
        } else if (text_take(t, "成")) {
            move->promotion = KANJI_PROMOTES;
            more = true;
        }
    }
}

/* "(77)", "（７７）"; "(00)" stands for the hand. Other parentheses (a time, for instance) are left alone. */
static void take_source(struct text *t, struct kanji_move *move)
{
    struct text rest = *t;
    text_skip_blanks(&rest);
    if (!text_take(&rest, "(") && !text_take(&rest, "（")) return;
    bool hand = text_take(&rest, "00");
    Square from = SQUARE_NONE;
    if (!hand) {
        int file = kanji_digit(text_take_code_point(&rest)), rank = kanji_digit(text_take_code_point(&rest));
        if (!file || !rank) return;
        from = square_make(file, rank);
    }
    if (!text_take(&rest, ")") && !text_take(&rest, "）")) return;
    if (hand) move->drop = true;
    move->from = from;
    *t = rest;
}

bool kanji_take_move(struct text *rest, struct kanji_move *move)
{
    struct text t = *rest;
    *move = (struct kanji_move){.to = SQUARE_NONE, .from = SQUARE_NONE};
    take_mark(&t, &move->mark);
    text_skip_blanks(&t);
    if (text_take(&t, "同") || text_take(&t, "仝")) {
        move->same = true;
    } else {
        int file = kanji_digit(text_take_code_point(&t));
        int rank = file ? kanji_digit(text_take_code_point(&t)) : 0;
        if (!rank) return false;
        move->to = square_make(file, rank);
        struct text same = t;
        if (text_take(&same, "同")) t = same; /* "２四同歩" */
    }
    text_skip_blanks(&t);
    if (!take_type(&t, &move->type)) return false;
    take_modifiers(&t, move);
    take_source(&t, move);
    *rest = t;
    return true;
}

bool kanji_looks_like_move(struct text t)
{
    Color mark;
    take_mark(&t, &mark);
    text_skip_blanks(&t);
    return text_starts(t, "同") || text_starts(t, "仝") || kanji_digit(text_peek_code_point(t)) != 0;
}

/* ---- which piece is meant ---- */

/* The square as its owner sees it: "forward" is towards rank 1, "right" towards file 1. */
static Square seen_by(Color side, Square sq) { return side == BLACK ? sq : square_flip(sq); }

static unsigned vertical_word(Color side, Square from, Square to)
{
    int from_rank = square_rank(seen_by(side, from)), to_rank = square_rank(seen_by(side, to));
    return to_rank < from_rank ? KANJI_UP : to_rank > from_rank ? KANJI_BACK : KANJI_SIDEWAYS;
}

static int file_seen(Color side, Square sq) { return square_file(seen_by(side, sq)); }

static bool is_straight(Color side, Square from, Square to)
{
    return square_file(from) == square_file(to) && vertical_word(side, from, to) == KANJI_UP;
}

struct candidates {
    Square from[SQUARE_COUNT];
    size_t count;
};

static void keep_vertical(struct candidates *c, Color side, Square to, unsigned which)
{
    unsigned wanted = which & (KANJI_UP | KANJI_SIDEWAYS | KANJI_BACK);
    size_t kept = 0;
    for (size_t i = 0; i < c->count; i++) {
        bool fits = (wanted == 0 || (vertical_word(side, c->from[i], to) & wanted)) &&
                    (!(which & KANJI_STRAIGHT) || is_straight(side, c->from[i], to));
        if (fits) c->from[kept++] = c->from[i];
    }
    c->count = kept;
}

/* Right and left are said of the target square; of horses and dragons (and where that fits none) of the pieces
 * themselves. */
static void keep_side(struct candidates *c, Color side, Square to, PieceType type, unsigned which)
{
    if (!(which & (KANJI_RIGHT | KANJI_LEFT)) || c->count < 2) return;
    bool right = which & KANJI_RIGHT;
    int extreme = file_seen(side, c->from[0]);
    struct candidates beside = {.count = 0};
    for (size_t i = 0; i < c->count; i++) {
        int file = file_seen(side, c->from[i]), target = file_seen(side, to);
        if (right ? file < target : file > target) beside.from[beside.count++] = c->from[i];
        if (right ? file < extreme : file > extreme) extreme = file;
    }
    if (beside.count && type != HORSE && type != DRAGON) {
        *c = beside;
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < c->count; i++)
        if (file_seen(side, c->from[i]) == extreme) c->from[kept++] = c->from[i];
    c->count = kept;
}

/* Squares from which a piece of that type goes to `to`; with `legal` only where the rules allow it in full. */
static struct candidates find_candidates(const struct position *pos, Square to, PieceType type, bool promotes,
                                         bool legal)
{
    struct candidates c = {.count = 0};
    Piece piece = piece_make(pos->side, type);
    for (Square from = 0; from < SQUARE_COUNT; from++) {
        if (pos->board[from] != piece || from == to) continue;
        Move move = promotes ? move_make_promote(from, to) : move_make(from, to);
        if (position_pseudo_legal(pos, move) && (!legal || position_legal(pos, move))) c.from[c.count++] = from;
    }
    return c;
}

static enum kanji_answer answer_for(const struct position *pos, Move move)
{
    return position_pseudo_legal(pos, move) && position_legal(pos, move) ? KANJI_FOUND : KANJI_ILLEGAL;
}

static enum kanji_answer resolve_drop(const struct position *pos, Square to, const struct kanji_move *text, Move *move)
{
    if (text->type > HAND_TYPES || text->promotion == KANJI_PROMOTES) return KANJI_ILLEGAL;
    *move = move_make_drop(text->type, to);
    return answer_for(pos, *move);
}

enum kanji_answer kanji_resolve(const struct position *pos, Square last_to, const struct kanji_move *text, Move *move)
{
    *move = MOVE_NONE;
    Square to = text->same ? last_to : text->to;
    if (to == SQUARE_NONE) return KANJI_NO_SAME;
    if (text->drop) return resolve_drop(pos, to, text, move);
    bool promotes = text->promotion == KANJI_PROMOTES;
    if (text->from != SQUARE_NONE) {
        if (text->from == to || piece_type(pos->board[text->from]) != text->type) return KANJI_ILLEGAL;
        if (promotes && !type_can_promote(text->type)) return KANJI_ILLEGAL;
        *move = promotes ? move_make_promote(text->from, to) : move_make(text->from, to);
        return answer_for(pos, *move);
    }
    struct candidates c = find_candidates(pos, to, text->type, promotes, true);
    if (c.count == 0) {
        if (!text->which && text->promotion == KANJI_PROMOTION_UNSAID) return resolve_drop(pos, to, text, move);
        return KANJI_ILLEGAL;
    }
    if (c.count > 1) keep_vertical(&c, pos->side, to, text->which);
    keep_side(&c, pos->side, to, text->type, text->which);
    if (c.count != 1) return c.count ? KANJI_AMBIGUOUS : KANJI_ILLEGAL;
    *move = promotes ? move_make_promote(c.from[0], to) : move_make(c.from[0], to);
    return KANJI_FOUND;
}

/* ---- writing ---- */

static PieceType moving_type(const struct position *pos, Move move)
{
    return move_is_drop(move) ? move_drop_type(move) : piece_type(pos->board[move_from(move)]);
}

static void put_target(struct text_buffer *out, Square last_to, Square to, bool pad)
{
    if (to == last_to) {
        text_buffer_put_string(out, pad ? "同　" : "同");
        return;
    }
    text_buffer_put_string(out, wide_digits[square_file(to)]);
    text_buffer_put_string(out, numbers[square_rank(to)]);
}

void kanji_put_absolute(struct text_buffer *out, const struct position *pos, Square last_to, Move move)
{
    put_target(out, last_to, move_to(move), true);
    text_buffer_put_string(out, move_names[moving_type(pos, move)]);
    if (move_is_drop(move)) {
        text_buffer_put_string(out, "打");
        return;
    }
    if (move_promotes(move)) text_buffer_put_string(out, "成");
    text_buffer_format(out, "(%d%d)", square_file(move_from(move)), square_rank(move_from(move)));
}

static bool names_one(const struct candidates *all, Color side, Square to, PieceType type, unsigned which, Square from)
{
    struct candidates c = *all;
    keep_vertical(&c, side, to, which);
    keep_side(&c, side, to, type, which);
    return c.count == 1 && c.from[0] == from;
}

/* The shortest words that single out `from`; the order is the one in print: 上 寄 引 alone, 直, then 右 左, then
 * both. */
static unsigned choose_words(const struct candidates *all, Color side, Square to, PieceType type, Square from)
{
    unsigned vertical = vertical_word(side, from, to);
    if (names_one(all, side, to, type, vertical, from)) return vertical;
    bool great = type == HORSE || type == DRAGON;
    if (!great && is_straight(side, from, to) && names_one(all, side, to, type, KANJI_STRAIGHT, from))
        return KANJI_STRAIGHT;
    static const unsigned sides[] = {KANJI_RIGHT, KANJI_LEFT};
    for (size_t i = 0; i < 2; i++)
        if (names_one(all, side, to, type, sides[i], from)) return sides[i];
    for (size_t i = 0; i < 2; i++)
        if (names_one(all, side, to, type, sides[i] | vertical, from)) return sides[i] | vertical;
    return 0;
}

static void put_words(struct text_buffer *out, unsigned which)
{
    if (which & KANJI_RIGHT) text_buffer_put_string(out, "右");
    if (which & KANJI_LEFT) text_buffer_put_string(out, "左");
    if (which & KANJI_STRAIGHT) text_buffer_put_string(out, "直");
    if (which & KANJI_UP) text_buffer_put_string(out, "上");
    if (which & KANJI_SIDEWAYS) text_buffer_put_string(out, "寄");
    if (which & KANJI_BACK) text_buffer_put_string(out, "引");
    if (which & KANJI_DROP) text_buffer_put_string(out, "打");
}

static bool may_promote(const struct position *pos, Move move)
{
    Square from = move_from(move), to = move_to(move);
    int near = square_rank(seen_by(pos->side, from)), far = square_rank(seen_by(pos->side, to));
    return type_can_promote(piece_type(pos->board[from])) && (near <= 3 || far <= 3);
}

unsigned kanji_words(const struct position *pos, Move move)
{
    PieceType type = moving_type(pos, move);
    Square to = move_to(move);
    struct candidates all = find_candidates(pos, to, type, false, false);
    if (move_is_drop(move)) return all.count ? KANJI_DROP : 0;
    struct candidates promoting = find_candidates(pos, to, type, true, false);
    if (promoting.count > all.count) all = promoting; /* a pawn on the last rank can only promote */
    return all.count > 1 ? choose_words(&all, pos->side, to, type, move_from(move)) : 0;
}

void kanji_put_relative(struct text_buffer *out, const struct position *pos, Square last_to, Move move, bool pad)
{
    put_target(out, last_to, move_to(move), pad);
    text_buffer_put_string(out, move_names[moving_type(pos, move)]);
    put_words(out, kanji_words(pos, move));
    if (move_is_drop(move)) return;
    if (move_promotes(move))
        text_buffer_put_string(out, "成");
    else if (may_promote(pos, move))
        text_buffer_put_string(out, "不成");
}
