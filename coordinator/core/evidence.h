/* evidence.h - what a worker says about a mate, and how much of it may be believed.
 *
 *   mate      its line is replayed: legal, all checks, mate at the end. Its proof (certificate.h), if it came, is
 * walked through against every defence: then it is certain whoever sent it. A proof that does not hold is a lie.
 *   no mate   nothing that could be checked here. A child process of this coordinator is believed; of a stranger's word
 *             the caller wants a second opinion.
 */
#ifndef MURAKUMO_COORDINATOR_EVIDENCE_H
#define MURAKUMO_COORDINATOR_EVIDENCE_H

#include "common/shogi/certificate.h"
#include "common/shogi/position.h"
#include "proto/msg.h"

enum {
    EVIDENCE_PLIES_MAX = 4095,
    EVIDENCE_POSITIONS_MAX = WIRE_CERTIFICATE_BYTES_MAX /* room for the proof of a message */
};

enum evidence_kind { EVIDENCE_MATE, EVIDENCE_NOMATE, EVIDENCE_OPEN, EVIDENCE_WRONG };

struct evidence {
    enum evidence_kind kind;
    bool certain;       /* MATE, NOMATE: no second opinion is needed */
    bool proved;        /* MATE: by its proof */
    uint32_t plies;     /* MATE: of the line */
    const char *reason; /* WRONG: what is wrong */
    Move line[EVIDENCE_PLIES_MAX];
};

struct evidence_job { /* what was asked */
    const struct position *pos;
    uint32_t plies_max; /* no mate within so many is NOMATE; 0 = any length */
    const Move *first_moves;
    size_t first_move_count; /* 0 = all */
};

/* Does the text (certificate.h) prove a mate at `pos` that begins with `first`? */
bool evidence_proof_holds(struct certificate *certificate, const struct position *pos, Move first,
                          struct wire_str text);

/* `trusted`: it comes from a child process. */
void evidence_judge(struct certificate *certificate, const struct evidence_job *job, const struct msg_result *result,
                    bool trusted, struct evidence *out);

#endif
