#include "coordinator/core/found_mate.h"

#include <string.h>

#include "coordinator/core/pv.h"

void found_mate_clear(struct found_mate *found) { found->moves = found->bytes = 0; }

bool found_mate_take(struct found_mate *found, const struct position *pos, struct wire_str line)
{
    unsigned moves;
    if (line.length == 0 || line.length > sizeof found->line || !mate_line_is_right(pos, line, &moves)) return false;
    if (found->moves != 0 && moves >= found->moves) return false;
    memcpy(found->line, line.bytes, line.length);
    found->bytes = (uint32_t)line.length;
    found->moves = moves;
    return true;
}

struct wire_str found_mate_line(const struct found_mate *found) { return wire_str_make(found->line, found->bytes); }
