/* recordjson.h - a game as one line of JSON, for programs that go on from here.
 *
 *   {"file":"a.kif","index":0,"format":"kif","encoding":"utf-8","bom":false,"initial_sfen":"...","usi":["7g7f"],
 *    "final_sfen":"...","terminal":"投了","winner":"b","illegal_at":null,"illegal_move":null,"reject":false,
 *    "headers":{"black":"A"},"time_ms":[1000],"end_time_ms":null,"score":[12],"variations":[{"at":1,"parent":0,
 *    "usi":["2g2f"],"terminal":null}],"problems":["line 3: found X, expected Y"]}
 *
 * usi holds legal moves only; illegal_at is the ply of an illegal last move. winner: "b", "w", "draw" or null. score:
 * from Black's point of view, an integer of centipawns, "mate 7" / "mate -7" (plies; "mate" / "-mate" when unknown) or
 * null. time_ms, score and variations are left out where the record has none. encoding: "utf-8", "cp932" or "euc-jp".
 */
#ifndef MURAKUMO_SHOGI_RECORDJSON_H
#define MURAKUMO_SHOGI_RECORDJSON_H

#include "common/shogi/record.h"

/* Appends the line with its line feed; a failure is in out->status. `file` may be any bytes. */
void recordjson_write(const struct record *record, struct text file, uint32_t index, struct text_buffer *out);

#endif
