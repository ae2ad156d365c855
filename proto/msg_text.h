/* msg_text.h - a message as one line of JSON, for traces, tests and PROTOCOL.md.
 *
 *   {"type":"stop","major":1,"minor":0,"boot":7,"sequence":3,"session":9,"epoch":4,"job":1}
 *
 * Shapes:  the header, then the fields in the order of their keys; absent OPTIONAL ones are left out, as on the wire.
 *          Numbers up to 2^64-1 are written in full; a reader that keeps numbers as doubles rounds them above 2^53.
 */
#ifndef MURAKUMO_PROTO_MSG_TEXT_H
#define MURAKUMO_PROTO_MSG_TEXT_H

#include "proto/msg.h"

enum { MSG_TEXT_BYTES_MAX = 2 * WIRE_FRAME_BYTES_MAX }; /* always suffices: at worst every character is escaped */

/* Always 0-terminated; *length without the 0. ST_UNKNOWN type, ST_FULL if it does not fit (then the text is cut). */
MUST_USE enum status msg_to_json(const struct msg *msg, char *out, size_t capacity, size_t *length);

#endif
