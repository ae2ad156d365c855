#include "common/shogi/encoding.h"

#include "common/base/utf8.h"
#include "common/shogi/jis_rows_x.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 120,
    CELLS = 94,
    ROW_USER_FIRST = 95,
    ROW_USER_LAST = 114, /* user-defined: no common meaning */
    REPLACEMENT = 0xFFFD,
    GETA = 0x3013,
    HALF_KANA_FIRST = 0xFF61
};

struct jis_row {
    const char *text;
    size_t length;
};

static const struct jis_row jis_rows[ROWS] = {
#define JIS_ROW(number, text) [number] = {text, sizeof(text) - 1},
    JIS_ROWS(JIS_ROW)
#undef JIS_ROW
};

/* Row 1..119 and cell 1..94 to a character; U+FFFD if nothing is assigned. */
static uint32_t jis_character(unsigned row, unsigned cell)
{
    if (row >= ROWS || cell < 1 || cell > CELLS || !jis_rows[row].text) return REPLACEMENT;
    struct text t = text_make(jis_rows[row].text, jis_rows[row].length);
    if (row >= 16) { /* kanji: three bytes each, except for a sign or two among the extensions */
        size_t offset = (size_t)(cell - 1) * 3;
        bool even = row <= 84;
        if (even && offset >= text_length(t)) return REPLACEMENT;
        if (even) {
            t.at += offset;
            return text_take_code_point(&t);
        }
    }
    while (cell-- > 1) text_take_code_point(&t);
    uint32_t c = text_take_code_point(&t);
    return c ? c : REPLACEMENT;
}

/* What one character of a legacy encoding is; `likely` = the kind that fills Japanese text. */
struct glyph {
    uint32_t character;
    unsigned bytes;
    bool bad, likely;
};

static struct glyph glyph_of(unsigned row, unsigned cell, unsigned bytes)
{
    struct glyph g = {.character = jis_character(row, cell), .bytes = bytes};
    g.bad = g.character == REPLACEMENT;
    g.likely = !g.bad && (row <= 5 || (row >= 16 && row <= 47));
    return g;
}

static struct glyph shift_jis_glyph(const unsigned char *at, size_t left)
{
    unsigned lead = at[0], trail = left > 1 ? at[1] : 0;
    if (lead < 0x80) return (struct glyph){lead, 1, false, true};
    if (lead >= 0xA1 && lead <= 0xDF) return (struct glyph){HALF_KANA_FIRST + lead - 0xA1, 1, false, false};
    if (lead == 0x80 || lead == 0xA0 || lead > 0xFC || trail < 0x40 || trail == 0x7F || trail > 0xFC)
        return (struct glyph){REPLACEMENT, 1, true, false};
    unsigned row = (lead - (lead < 0xA0 ? 0x81 : 0xC1)) * 2 + 1;
    if (trail >= 0x9F) return glyph_of(row + 1, trail - 0x9E, 2);
    return glyph_of(row, trail - (trail > 0x7F ? 0x40 : 0x3F), 2);
}

static struct glyph euc_jp_glyph(const unsigned char *at, size_t left)
{
    unsigned lead = at[0], trail = left > 1 ? at[1] : 0, third = left > 2 ? at[2] : 0;
    if (lead < 0x80) return (struct glyph){lead, 1, false, true};
    if (lead == 0x8E && trail >= 0xA1 && trail <= 0xDF)
        return (struct glyph){HALF_KANA_FIRST + trail - 0xA1, 2, false, false};
    if (lead == 0x8F && trail >= 0xA1 && trail <= 0xFE && third >= 0xA1 && third <= 0xFE)
        return (struct glyph){REPLACEMENT, 3, false, false}; /* JIS X 0212: well-formed, not in our table */
    if (lead < 0xA1 || lead > 0xFE || trail < 0xA1 || trail > 0xFE) return (struct glyph){REPLACEMENT, 1, true, false};
    return glyph_of(lead - 0xA0, trail - 0xA0, 2);
}

static struct glyph legacy_glyph(enum encoding encoding, struct text t)
{
    const unsigned char *at = (const unsigned char *)t.at;
    return encoding == ENCODING_EUC_JP ? euc_jp_glyph(at, text_length(t)) : shift_jis_glyph(at, text_length(t));
}

const char *encoding_name(enum encoding encoding)
{
    static const char *const names[ENCODING_COUNT] = {"ascii", "utf-8", "shift_jis", "euc-jp", "utf-16"};
    return names[encoding];
}

struct evidence {
    size_t bad, unlikely;
};

static struct evidence weigh_legacy(enum encoding encoding, struct text t)
{
    struct evidence e = {0, 0};
    while (!text_empty(t)) {
        struct glyph g = legacy_glyph(encoding, t);
        e.bad += g.bad;
        e.unlikely += !g.likely;
        t.at += g.bytes;
    }
    return e;
}

static size_t count_bad_utf8(struct text t)
{
    size_t bad = 0;
    while (!text_empty(t)) {
        size_t bytes = utf8_character_bytes(t.at, text_length(t), NULL);
        bad += bytes == 0;
        t.at += bytes ? bytes : 1;
    }
    return bad;
}

enum encoding encoding_detect(struct text bytes, size_t *mark_bytes)
{
    *mark_bytes = 0;
    if (text_starts(bytes, "\xEF\xBB\xBF")) {
        *mark_bytes = 3;
        return ENCODING_UTF8;
    }
    if (text_starts(bytes, "\xFF\xFE") || text_starts(bytes, "\xFE\xFF")) {
        *mark_bytes = 2;
        return ENCODING_UTF16;
    }
    struct text t = bytes;
    while (!text_empty(t) && (unsigned char)*t.at < 0x80)
        t.at++; /* nothing before the first such byte tells them apart */
    if (text_empty(t)) return ENCODING_ASCII;
    if (text_length(t) > ENCODING_LOOK_BYTES) t.end = t.at + ENCODING_LOOK_BYTES;
    size_t utf8_bad = count_bad_utf8(t);
    if (utf8_bad == 0) return ENCODING_UTF8;
    struct evidence sjis = weigh_legacy(ENCODING_SHIFT_JIS, t), euc = weigh_legacy(ENCODING_EUC_JP, t);
    bool prefer_euc = euc.bad < sjis.bad || (euc.bad == sjis.bad && euc.unlikely < sjis.unlikely);
    size_t best_bad = prefer_euc ? euc.bad : sjis.bad;
    if (utf8_bad <= best_bad) return ENCODING_UTF8; /* one torn character does not make UTF-8 something else */
    return prefer_euc ? ENCODING_EUC_JP : ENCODING_SHIFT_JIS;
}

size_t encoding_to_utf8(enum encoding encoding, struct text bytes, struct text_buffer *out)
{
    size_t replaced = 0;
    bool legacy = encoding == ENCODING_SHIFT_JIS || encoding == ENCODING_EUC_JP;
    while (!text_empty(bytes) && out->status == ST_OK) {
        const char *start = bytes.at;
        while (bytes.at < bytes.end && (unsigned char)*bytes.at < 0x80) bytes.at++;
        if (bytes.at > start) text_buffer_put(out, (struct text){start, bytes.at});
        if (text_empty(bytes)) break;
        uint32_t character;
        if (legacy) {
            struct glyph g = legacy_glyph(encoding, bytes);
            bytes.at += g.bytes;
            character = g.character;
        } else {
            character = text_take_code_point(&bytes);
        }
        replaced += character == REPLACEMENT;
        text_buffer_put_code_point(out, character);
    }
    return replaced;
}

static uint16_t shift_jis_code(unsigned row, unsigned cell)
{
    unsigned pair = (row - 1) / 2, lead = pair + (pair < 31 ? 0x81 : 0xC1);
    unsigned trail = row % 2 == 0 ? cell + 0x9E : cell + (cell >= 64 ? 0x40 : 0x3F);
    return (uint16_t)(lead << 8 | trail);
}

/* Fills codes[0..65535]; where a character stands in several rows, JIS X 0208 comes first, then NEC row 13, IBM, NEC.
 */
static void fill_reverse_table(uint16_t *codes)
{
    static const struct {
        uint16_t character, code;
    } aliases[] = {/* what other mappings of Shift_JIS use for the same cell */
                   {0x301C, 0x8160}, {0x2016, 0x8161}, {0x2212, 0x817C}, {0x00A2, 0x8191}, {0x00A3, 0x8192},
                   {0x00AC, 0x81CA}, {0x2014, 0x815C}, {0x00A5, 0x005C}, {0x203E, 0x007E}, {0x30FB, 0x8145}};
    for (unsigned row = 1; row < ROWS; row++) {
        if (!jis_rows[row].text) continue;
        struct text t = text_make(jis_rows[row].text, jis_rows[row].length);
        for (unsigned cell = 1; !text_empty(t); cell++) {
            uint32_t character = text_take_code_point(&t);
            bool taken = codes[character] != 0;
            bool replaces_nec = row >= 115 && taken && codes[character] >= 0xED00 && codes[character] < 0xEF00;
            if (character == REPLACEMENT || (taken && !replaces_nec)) continue;
            codes[character] = shift_jis_code(row, cell);
        }
    }
    for (unsigned i = 0; i < 63; i++) codes[HALF_KANA_FIRST + i] = (uint16_t)(0xA1 + i);
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (!codes[aliases[i].character]) codes[aliases[i].character] = aliases[i].code;
}

size_t encoding_to_shift_jis(struct text t, struct text_buffer *out)
{
    if (text_is_ascii(t)) {
        text_buffer_put(out, t);
        return 0;
    }
    uint16_t *codes = calloc(1 << 16, sizeof *codes);
    if (!codes) {
        out->status = ST_NO_MEMORY;
        return 0;
    }
    fill_reverse_table(codes);
    size_t replaced = 0;
    while (!text_empty(t) && out->status == ST_OK) {
        uint32_t character = text_take_code_point(&t);
        if (character < 0x80) {
            text_buffer_put_char(out, (char)character);
            continue;
        }
        uint16_t code = character < 1 << 16 ? codes[character] : 0;
        if (!code) {
            code = codes[GETA];
            replaced++;
        }
        if (code > 0xFF) text_buffer_put_char(out, (char)(code >> 8));
        text_buffer_put_char(out, (char)(code & 0xFF));
    }
    free(codes);
    return replaced;
}
