#include "common/base/utf8.h"

size_t utf8_character_bytes(const char *text, size_t length, unsigned long *code_point)
{
    static const unsigned long smallest[5] = {0, 0, 0x80, 0x800, 0x10000}; /* below it a form is overlong */
    if (length == 0) return 0;
    unsigned char lead = (unsigned char)text[0];
    size_t bytes = lead < 0x80             ? 1
                   : (lead & 0xe0) == 0xc0 ? 2
                   : (lead & 0xf0) == 0xe0 ? 3
                   : (lead & 0xf8) == 0xf0 ? 4
                                           : 0;
    if (bytes == 0 || bytes > length) return 0;
    unsigned long value = bytes == 1 ? lead : lead & (0xffU >> (bytes + 1));
    for (size_t i = 1; i < bytes; i++) {
        unsigned char next = (unsigned char)text[i];
        if ((next & 0xc0) != 0x80) return 0;
        value = value << 6 | (next & 0x3fU);
    }
    if (value < smallest[bytes] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return 0;
    if (code_point) *code_point = value;
    return bytes;
}

bool utf8_is_clean(const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        if (text[at] >= 0x20 && text[at] < 0x7f) { /* most texts are ASCII throughout */
            at++;
            continue;
        }
        unsigned long value = 0;
        size_t bytes = utf8_character_bytes(text + at, length - at, &value);
        if (bytes == 0 || value < 0x20 || (value >= 0x7f && value <= 0x9f) || value == 0x2028 || value == 0x2029)
            return false;
        at += bytes;
    }
    return true;
}
