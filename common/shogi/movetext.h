/* movetext.h - moves as USI text ("7g7f", "8h2b+", "P*5e", "win", "resign"). */
#ifndef MURAKUMO_SHOGI_MOVETEXT_H
#define MURAKUMO_SHOGI_MOVETEXT_H

#include "common/base/status.h"
#include "common/shogi/position.h"

enum { MOVETEXT_BYTES_MAX = 8 };

/* MOVE_NONE if the text is no move or not legal here (full legal set). "win" and "resign" are not accepted. */
Move movetext_from_usi(const struct position *pos, const char *text, size_t bytes);
/* Syntax only: which 16-bit move does the text name? Legality is not looked at. MOVE_NONE if it is no move text. */
Move movetext_parse(const char *text, size_t bytes);
/* Writes the text with its final 0; returns its length. Special values give "win", "resign", "0000" (pass), "none". */
size_t movetext_to_usi(Move move, char out[MOVETEXT_BYTES_MAX]);

#endif
