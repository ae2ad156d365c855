/* version.h - which protocol two programs speak with each other.
 *
 * The major number must be equal; of the minor numbers the smaller one is in force: a newer side must not rely on
 * fields and messages that are newer than that. Both sides tell their user what was found and what helps.
 * The frame header and the message `refuse` keep their form in every major, so that this text always arrives.
 */
#ifndef MURAKUMO_PROTO_VERSION_H
#define MURAKUMO_PROTO_VERSION_H

#include "common/base/status.h"

#include <stddef.h>
#include <stdint.h>

struct version {
    uint32_t major, minor;
};

struct version version_own(void); /* PROTO_MAJOR.PROTO_MINOR */
/* *agreed = what both speak; ST_VERSION (and *agreed unchanged) if the majors differ. */
MUST_USE enum status version_negotiate(struct version own, struct version peer, struct version *agreed);
/* One sentence for people: who speaks what and which side needs a newer program (the same one on both sides for equal
 * majors). Roles are "worker", "coordinator". Always 0-terminated, at most `capacity` bytes with the 0; returns the
 * length written. Fits in WIRE_TEXT_BYTES_MAX. */
size_t version_explain(char *text, size_t capacity, const char *own_role, struct version own, const char *peer_role,
                       struct version peer);

#endif
