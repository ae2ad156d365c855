/* schema.h - every message and every field of the wire, once. Codec, traces, golden bytes and the tables of
 * PROTOCOL.md are made from this table.
 *
 * A frame is one MessagePack array:  [major, minor, type, boot, sequence, { key: value, ... }]
 *   major, minor  protocol version of the sender (version.h)
 *   type          number of the message, below
 *   boot          random 64-bit number of the sending process: tells a restarted peer from the old one
 *   sequence      1, 2, 3, ... per sender and connection; gaps and repeats are counted
 *   fields        map with strictly rising integer keys; unknown keys are skipped, missing OPTIONAL ones read as 0 / ""
 *
 * Field: F(M, key, type, name, since_minor, presence, max, unit, meaning)
 *   type   U32 U64 I32 BOOL STR (clean UTF-8: utf8.h) BIN (any bytes)
 *   max    largest value; of I32 the largest magnitude; of STR and BIN the bytes
 * Message: X(type, name, fields, direction, purpose)   W2C worker to coordinator, C2W the other way, BOTH
 *
 * Changing the wire: 1. a new field = a new key, OPTIONAL, since = next minor; 2. never reuse or retype a key;
 * 3. add the new bytes to tests/golden/wire/, keep the old ones; 4. a removed or required field = new major.
 */
#ifndef MURAKUMO_PROTO_SCHEMA_H
#define MURAKUMO_PROTO_SCHEMA_H

enum { PROTO_MAJOR = 1, PROTO_MINOR = 1 };

/* Limits. X(name, value, meaning); a longer or larger thing is refused by the codec, on both sides. */
#define WIRE_LIMITS(X)                                                                                                 \
    X(WIRE_FRAME_BYTES_MAX, 65536, "longest frame")                                                                    \
    X(WIRE_OBJECTS_MAX, 256, "MessagePack objects in a frame; keys and values of maps count")                          \
    X(WIRE_NESTING_MAX, 6, "containers inside one another; our own frames have 2")                                     \
    X(WIRE_NAME_BYTES_MAX, 64, "names")                                                                                \
    X(WIRE_TEXT_BYTES_MAX, 256, "reasons, build names")                                                                \
    X(WIRE_SFEN_BYTES_MAX, 192, "a position")                                                                          \
    X(WIRE_MOVE_BYTES_MAX, 8, "one move")                                                                              \
    X(WIRE_PV_BYTES_MAX, 1024, "a principal variation")                                                                \
    X(WIRE_SEARCHMOVES_BYTES_MAX, 4096, "a list of root moves; 593 moves of 5 letters and blanks fit")                 \
    X(WIRE_MOVES_BYTES_MAX, 32768, "moves of a game: over 5,000 plies")                                                \
    X(WIRE_CERTIFICATE_BYTES_MAX, 26624, "the proof of a mate; fits into a frame beside a line of moves")              \
    X(WIRE_INFO_CERTIFICATE_BYTES_MAX, 4096, "the proof of a mate that was found on the way")                          \
    X(WIRE_MATE_PLIES_MAX, 4095, "longest mate")                                                                       \
    X(WIRE_MULTIPV_MAX, 600, "lines of one search; no position has more than 593 legal moves")                         \
    X(WIRE_HINTS_BYTES_MAX, 8192, "entries of one message of hints: 512 of 16 bytes")                                  \
    X(WIRE_DEPTH_MAX, 127, "search depth, plies")

#define WIRE_LIMIT_ENUM(name, value, meaning) name = value,
enum { WIRE_LIMITS(WIRE_LIMIT_ENUM) };

/* Enumerations. E(name, value, meaning); the fields that carry one name it in their meaning as `enum NAME`. */
#define JOB_KINDS(E)                                                                                                   \
    E(JOB_SEARCH, 0, "find the best move")                                                                             \
    E(JOB_MATE, 1, "prove or refute a mate: an unbroken row of checks by the side to move")
#define WIRE_SCORE_KINDS(E)                                                                                            \
    E(WIRE_SCORE_NONE, 0, "there is no score")                                                                         \
    E(WIRE_SCORE_CP, 1, "centipawns, + = side to move is better")                                                      \
    E(WIRE_SCORE_MATE, 2, "signed plies to mate, + = side to move mates")
#define WIRE_BOUNDS(E)                                                                                                 \
    E(WIRE_EXACT, 0, "the score itself")                                                                               \
    E(WIRE_LOWER, 1, "at least this")                                                                                  \
    E(WIRE_UPPER, 2, "at most this")
#define JOB_VERDICTS(E)                                                                                                \
    E(VERDICT_MOVE, 0, "`best` holds the move")                                                                        \
    E(VERDICT_RESIGN, 1, "no legal move")                                                                              \
    E(VERDICT_WIN, 2, "entering-king declaration")                                                                     \
    E(VERDICT_MATE, 3, "mate job: `line` is a replayed mating line")                                                   \
    E(VERDICT_NOMATE, 4, "mate job: proved that there is none")                                                        \
    E(VERDICT_UNKNOWN, 5, "mate job: limit reached")                                                                   \
    E(VERDICT_REFUSED, 6, "the job could not be started; `text` says why")
#define REFUSE_REASONS(E)                                                                                              \
    E(REFUSE_VERSION, 1, "protocol majors differ")                                                                     \
    E(REFUSE_BUILD, 2, "programs too different to work together")                                                      \
    E(REFUSE_EVAL, 3, "another evaluation than the rest of the cluster")                                               \
    E(REFUSE_ZOBRIST, 4, "another position-key table")                                                                 \
    E(REFUSE_FULL, 5, "the coordinator has as many workers as it may have")                                            \
    E(REFUSE_NAME, 6, "the name is taken or not allowed")
#define WIRE_RULES(E)                                                                                                  \
    E(WIRE_RULE_NONE, 0, "no declaration")                                                                             \
    E(WIRE_RULE_CSA24, 1, "24-point rule of the CSA: 31 points win")                                                   \
    E(WIRE_RULE_CSA24H, 2, "the same, adapted to handicap games")                                                      \
    E(WIRE_RULE_CSA27, 3, "27-point rule of the CSA: 28 points win for Black, 27 for White")                           \
    E(WIRE_RULE_CSA27H, 4, "the same, adapted to handicap games")                                                      \
    E(WIRE_RULE_TRY, 5, "the king reaches the other king's home square")

#define WIRE_ENUMS(X)                                                                                                  \
    X(job_kind, JOB_KINDS)                                                                                             \
    X(wire_score_kind, WIRE_SCORE_KINDS)                                                                               \
    X(wire_bound, WIRE_BOUNDS)                                                                                         \
    X(job_verdict, JOB_VERDICTS)                                                                                       \
    X(refuse_reason, REFUSE_REASONS)                                                                                   \
    X(wire_rule, WIRE_RULES)

#define WIRE_ENUM_VALUE(name, value, meaning) name = value,
#define WIRE_ENUM(name, VALUES)               enum name { VALUES(WIRE_ENUM_VALUE) };
WIRE_ENUMS(WIRE_ENUM)

/* The fields of each message. What a message is for stands in MESSAGES, at the end. */
#define HELLO_FIELDS(F, M)                                                                                             \
    F(M, 1, STR, name, 0, REQUIRED, WIRE_NAME_BYTES_MAX, "", "name shown to people; not an identity")                  \
    F(M, 2, STR, build, 0, REQUIRED, WIRE_TEXT_BYTES_MAX, "", "program version and CPU features")                      \
    F(M, 3, U64, eval_hash, 0, REQUIRED, UINT64_MAX, "", "hash of the evaluation in use; must be equal in a cluster")  \
    F(M, 4, U64, zobrist_check, 0, REQUIRED, UINT64_MAX, "", "hash of the position-key table; must be equal")          \
    F(M, 5, U32, threads, 0, REQUIRED, 4096, "threads", "search threads")                                              \
    F(M, 6, U32, hash_mb, 0, REQUIRED, 33554432, "MiB", "transposition table")                                         \
    F(M, 7, U64, nodes_per_s, 0, OPTIONAL, UINT64_MAX, "nodes/s", "measured speed; 0 = not measured")                  \
    F(M, 8, STR, eval_name, 0, OPTIONAL, WIRE_NAME_BYTES_MAX, "", "evaluation in words")
#define WELCOME_FIELDS(F, M)                                                                                           \
    F(M, 1, U64, session, 0, REQUIRED, UINT64_MAX, "", "echo it in every later message")                               \
    F(M, 2, U32, heartbeat_ms, 0, REQUIRED, 60000, "ms", "send a heartbeat this often")                                \
    F(M, 3, U32, dead_ms, 0, REQUIRED, 600000, "ms", "after this silence the other side counts as gone")               \
    F(M, 10, STR, hints_endpoint, 1, OPTIONAL, WIRE_TEXT_BYTES_MAX, "",                                                \
      "where hints are relayed; `*` as host of a tcp address = the host of this connection; empty = nowhere")
#define REFUSE_FIELDS(F, M)                                                                                            \
    F(M, 1, U32, reason, 0, REQUIRED, 1000, "", "enum refuse_reason")                                                  \
    F(M, 2, STR, text, 0, REQUIRED, WIRE_TEXT_BYTES_MAX, "", "for people: what was found, what is expected, what to do")
#define RESET_FIELDS(F, M) F(M, 1, STR, text, 0, REQUIRED, WIRE_TEXT_BYTES_MAX, "", "why")
#define HEARTBEAT_FIELDS(F, M)                                                                                         \
    F(M, 1, U64, session, 0, REQUIRED, UINT64_MAX, "", "from welcome")                                                 \
    F(M, 2, U64, sent_us, 0, REQUIRED, UINT64_MAX, "µs", "sender's monotonic clock")                                   \
    F(M, 3, U64, echo_us, 0, OPTIONAL, UINT64_MAX, "µs",                                                               \
      "sent_us of the heartbeat that this one answers; 0 = it answers none")                                           \
    F(M, 4, BOOL, busy, 0, OPTIONAL, 1, "", "a search is running")                                                     \
    F(M, 5, U64, nodes, 0, OPTIONAL, UINT64_MAX, "nodes", "searched since the program started")
#define BYE_FIELDS(F, M)                                                                                               \
    F(M, 1, U64, session, 0, REQUIRED, UINT64_MAX, "", "from welcome")                                                 \
    F(M, 2, STR, text, 0, REQUIRED, WIRE_TEXT_BYTES_MAX, "", "why")
#define CONFIGURE_FIELDS(F, M)                                                                                         \
    F(M, 1, U64, session, 0, REQUIRED, UINT64_MAX, "", "from welcome")                                                 \
    F(M, 2, U32, config, 0, REQUIRED, UINT32_MAX, "", "number of this configuration; echoed in configured")            \
    F(M, 3, U32, hash_mb, 0, OPTIONAL, 33554432, "MiB", "0 = what the worker was started with")                        \
    F(M, 4, U32, threads, 0, OPTIONAL, 4096, "threads", "0 = what the worker was started with")                        \
    F(M, 5, U32, entering_king_rule, 0, REQUIRED, 5, "", "enum wire_rule")                                             \
    F(M, 6, U32, max_moves_to_draw, 0, OPTIONAL, 100000, "plies", "the game is a draw after so many; 0 = off")         \
    F(M, 7, I32, draw_value_black_cp, 0, OPTIONAL, 30000, "cp", "what a draw is worth to Black")                       \
    F(M, 8, I32, draw_value_white_cp, 0, OPTIONAL, 30000, "cp", "what a draw is worth to White")                       \
    F(M, 9, BOOL, generate_all_moves, 0, OPTIONAL, 1, "", "search the pointless non-promotions too")                   \
    F(M, 10, BOOL, use_tsumero, 1, OPTIONAL, 1, "", "look for threats of mate in the search")
#define CONFIGURED_FIELDS(F, M)                                                                                        \
    F(M, 1, U64, session, 0, REQUIRED, UINT64_MAX, "", "from welcome")                                                 \
    F(M, 2, U32, config, 0, REQUIRED, UINT32_MAX, "", "from configure")                                                \
    F(M, 3, BOOL, ok, 0, REQUIRED, 1, "", "false: the old configuration stays")                                        \
    F(M, 4, STR, text, 0, OPTIONAL, WIRE_TEXT_BYTES_MAX, "", "what went wrong, for people")
#define NEW_GAME_FIELDS(F, M) F(M, 1, U64, session, 0, REQUIRED, UINT64_MAX, "", "from welcome")
#define JOB_FIELDS(F, M)                                                                                               \
    F(M, 1, U64, session, 0, REQUIRED, UINT64_MAX, "", "from welcome")                                                 \
    F(M, 2, U64, epoch, 0, REQUIRED, UINT64_MAX, "", "rises with every search of the coordinator; echoed")             \
    F(M, 3, U32, job, 0, REQUIRED, UINT32_MAX, "", "number within the epoch; echoed")                                  \
    F(M, 4, U32, attempt, 0, REQUIRED, 1000, "",                                                                       \
      "1 = first try, one more for each time the job is given out again; echoed")                                      \
    F(M, 5, U32, kind, 0, REQUIRED, 1, "", "enum job_kind")                                                            \
    F(M, 6, STR, root, 0, REQUIRED, WIRE_SFEN_BYTES_MAX, "", "start of the game, SFEN without `sfen `")                \
    F(M, 7, STR, moves, 0, OPTIONAL, WIRE_MOVES_BYTES_MAX, "", "USI moves from root to the position to search")        \
    F(M, 8, STR, searchmoves, 0, OPTIONAL, WIRE_SEARCHMOVES_BYTES_MAX, "",                                             \
      "USI moves allowed at the root; empty = all")                                                                    \
    F(M, 9, U32, multipv, 0, OPTIONAL, WIRE_MULTIPV_MAX, "lines", "lines wanted; 0 = 1")                               \
    F(M, 10, U32, depth_max, 0, OPTIONAL, WIRE_DEPTH_MAX, "plies", "depth limit; 0 = none")                            \
    F(M, 11, U64, nodes, 0, OPTIONAL, UINT64_MAX, "nodes", "limit; 0 = none")                                          \
    F(M, 12, U32, time_limit_ms, 0, OPTIONAL, UINT32_MAX, "ms", "dead-man limit from receipt; 0 = none")               \
    F(M, 13, BOOL, fresh, 0, OPTIONAL, 1, "", "clear table and histories first: the result depends on the job alone")  \
    F(M, 14, U32, variation, 1, OPTIONAL, 4096, "",                                                                    \
      "which of several searches of one position this is: each goes its own way; 0 = the engine's own")                \
    F(M, 15, BOOL, part, 1, OPTIONAL, 1, "", "part of a larger search: alpha, beta, depth_min and moves_before count") \
    F(M, 16, I32, alpha, 1, OPTIONAL, 32000, "score", "a score up to this need not be told apart; -32000 = all count") \
    F(M, 17, I32, beta, 1, OPTIONAL, 32000, "score", "a score from this on need not be told apart; 32000 = all count") \
    F(M, 18, U32, depth_min, 1, OPTIONAL, WIRE_DEPTH_MAX, "plies", "first iteration; 0 = 1")                           \
    F(M, 19, U32, moves_before, 1, OPTIONAL, WIRE_MULTIPV_MAX, "moves",                                                \
      "moves of this position that others search, all expected to be better: those here count as late moves")          \
    F(M, 20, U32, plies_max, 1, OPTIONAL, WIRE_MATE_PLIES_MAX, "plies",                                                \
      "mate job: look only for mates within so many; 0 = any length")                                                  \
    F(M, 21, BOOL, any_length, 1, OPTIONAL, 1, "", "mate job: the first mate found will do; else the shortest one")    \
    F(M, 22, U64, seed, 1, OPTIONAL, UINT64_MAX, "", "mate job: disturbs the solver's first guesses; 0 = it does not") \
    F(M, 23, BOOL, certificate, 1, OPTIONAL, 1, "", "mate job: a mate is to come with its proof")                      \
    F(M, 27, BOOL, tell_only, 1, OPTIONAL, 1, "", "mate job: hints are sent, but nothing that others say is believed") \
    F(M, 30, BOOL, patient, 1, OPTIONAL, 1, "",                                                                        \
      "partials may wait for the next heartbeat or the result: the newest of each line will do")                       \
    F(M, 40, U64, hint_scope, 1, OPTIONAL, UINT64_MAX, "", "searches of the same scope share hints; 0 = alone")        \
    F(M, 41, U32, hint_plies, 1, OPTIONAL, WIRE_DEPTH_MAX, "plies", "shallowest entry worth sending; 0 = 4")           \
    F(M, 42, U32, claim_plies, 1, OPTIONAL, WIRE_DEPTH_MAX, "plies",                                                   \
      "shallowest subtree that is claimed before it is searched, so that others do it last; 0 = none")                 \
    F(M, 43, U32, hint_bytes_per_s, 1, OPTIONAL, UINT32_MAX, "bytes/s",                                                \
      "send at most so many hints; the relay multiplies them; 0 = 4 MiB")                                              \
    F(M, 44, U32, hint_workers, 1, OPTIONAL, 4096, "",                                                                 \
      "how many searches of this scope there are: each begins with other moves; 0 = unknown")
#define HINTS_FIELDS(F, M)                                                                                             \
    F(M, 1, U64, scope, 1, REQUIRED, UINT64_MAX, "", "hint_scope of the job that they are about")                      \
    F(M, 2, BIN, entries, 1, REQUIRED, WIRE_HINTS_BYTES_MAX, "", "16 bytes each, see above")
#define HINTS_JOIN_FIELDS(F, M)                                                                                        \
    F(M, 1, U64, session, 1, REQUIRED, UINT64_MAX, "", "from welcome")                                                 \
    F(M, 2, U64, scope, 1, REQUIRED, UINT64_MAX, "", "hint_scope of the present job; 0 = send me nothing")
#define STOP_FIELDS(F, M)                                                                                              \
    F(M, 1, U64, session, 0, REQUIRED, UINT64_MAX, "", "from welcome")                                                 \
    F(M, 2, U64, epoch, 0, REQUIRED, UINT64_MAX, "", "from job")                                                       \
    F(M, 3, U32, job, 0, REQUIRED, UINT32_MAX, "", "from job")
#define PARTIAL_FIELDS(F, M)                                                                                           \
    F(M, 1, U64, session, 0, REQUIRED, UINT64_MAX, "", "from welcome")                                                 \
    F(M, 2, U64, epoch, 0, REQUIRED, UINT64_MAX, "", "from job")                                                       \
    F(M, 3, U32, job, 0, REQUIRED, UINT32_MAX, "", "from job")                                                         \
    F(M, 4, U32, attempt, 0, REQUIRED, 1000, "", "from job")                                                           \
    F(M, 5, U32, depth, 0, REQUIRED, WIRE_DEPTH_MAX, "plies", "iteration")                                             \
    F(M, 6, U32, seldepth, 0, OPTIONAL, 4096, "plies", "deepest line looked at; 0 = not known")                        \
    F(M, 7, U32, multipv, 0, OPTIONAL, WIRE_MULTIPV_MAX, "lines", "number of this line, 1 = best; 0 = 1")              \
    F(M, 8, U32, score_kind, 0, REQUIRED, 2, "", "enum wire_score_kind")                                               \
    F(M, 9, I32, score, 0, REQUIRED, 32000, "cp or plies", "from the side to move; see wire_score_kind")               \
    F(M, 10, U32, bound, 0, OPTIONAL, 2, "", "enum wire_bound")                                                        \
    F(M, 11, U64, nodes, 0, REQUIRED, UINT64_MAX, "nodes", "searched for this job so far")                             \
    F(M, 12, U32, elapsed_ms, 0, REQUIRED, UINT32_MAX, "ms", "since the job began")                                    \
    F(M, 13, U32, hashfull, 0, OPTIONAL, 1000, "permille", "used part of the transposition table")                     \
    F(M, 14, STR, pv, 0, REQUIRED, WIRE_PV_BYTES_MAX, "", "USI moves from the position of the job on; may be cut")     \
    F(M, 20, U32, effort, 1, OPTIONAL, 1000, "permille",                                                               \
      "share of the nodes so far that went into the first move of the line; 0 = not known")                            \
    F(M, 21, STR, certificate, 1, OPTIONAL, WIRE_INFO_CERTIFICATE_BYTES_MAX, "",                                       \
      "a mate by the side to move, line 1: the whole proof, as common/shogi/certificate.h writes it; empty: unproved")
#define RESULT_FIELDS(F, M)                                                                                            \
    F(M, 1, U64, session, 0, REQUIRED, UINT64_MAX, "", "from welcome")                                                 \
    F(M, 2, U64, epoch, 0, REQUIRED, UINT64_MAX, "", "from job")                                                       \
    F(M, 3, U32, job, 0, REQUIRED, UINT32_MAX, "", "from job")                                                         \
    F(M, 4, U32, attempt, 0, REQUIRED, 1000, "", "from job")                                                           \
    F(M, 5, U32, verdict, 0, REQUIRED, 6, "", "enum job_verdict")                                                      \
    F(M, 6, STR, best, 0, OPTIONAL, WIRE_MOVE_BYTES_MAX, "", "USI move")                                               \
    F(M, 7, STR, ponder, 0, OPTIONAL, WIRE_MOVE_BYTES_MAX, "", "expected reply")                                       \
    F(M, 8, U32, score_kind, 0, OPTIONAL, 2, "", "enum wire_score_kind")                                               \
    F(M, 9, I32, score, 0, OPTIONAL, 32000, "cp or plies", "as in partial")                                            \
    F(M, 10, U32, depth, 0, OPTIONAL, WIRE_DEPTH_MAX, "plies", "last finished iteration")                              \
    F(M, 11, U64, nodes, 0, REQUIRED, UINT64_MAX, "nodes", "searched for this job")                                    \
    F(M, 12, U32, elapsed_ms, 0, REQUIRED, UINT32_MAX, "ms", "since the job began")                                    \
    F(M, 13, BOOL, stopped, 0, OPTIONAL, 1, "", "ended by `stop`, by a newer job or by the dead-man limit")            \
    F(M, 14, STR, line, 0, OPTIONAL, WIRE_MOVES_BYTES_MAX, "", "mate job: the mating line")                            \
    F(M, 15, STR, text, 0, OPTIONAL, WIRE_TEXT_BYTES_MAX, "", "verdict 6: why the job was refused")                    \
    F(M, 16, U32, bound, 1, OPTIONAL, 2, "", "enum wire_bound")                                                        \
    F(M, 20, U64, proof_nodes, 1, OPTIONAL, UINT64_MAX, "positions", "mate job: replayed when the mate was checked")   \
    F(M, 21, BOOL, shortest, 1, OPTIONAL, 1, "", "mate job: there is no shorter mate than `line`")                     \
    F(M, 22, U32, refuted_plies, 1, OPTIONAL, WIRE_MATE_PLIES_MAX, "plies", "mate job: no mate within so many")        \
    F(M, 25, STR, certificate, 1, OPTIONAL, WIRE_CERTIFICATE_BYTES_MAX, "",                                            \
      "verdict 3: the whole proof, as common/shogi/certificate.h writes it; empty if it does not fit")

#define MESSAGES(X)                                                                                                    \
    X(0x01, hello, HELLO_FIELDS, W2C, "first message of a connection, and again after `reset` or a silence")           \
    X(0x02, welcome, WELCOME_FIELDS, C2W, "answer to `hello`: a session is open")                                      \
    X(0x03, refuse, REFUSE_FIELDS, C2W, "answer to `hello`: you cannot join")                                          \
    X(0x04, reset, RESET_FIELDS, C2W, "your session is not known: stop searching, say `hello` again")                  \
    X(0x05, heartbeat, HEARTBEAT_FIELDS, BOTH, "I am here; also measures the round trip")                              \
    X(0x06, bye, BYE_FIELDS, BOTH, "orderly end of the session")                                                       \
    X(0x10, configure, CONFIGURE_FIELDS, C2W, "options that change the search; only while the worker has no job")      \
    X(0x11, configured, CONFIGURED_FIELDS, W2C,                                                                        \
      "the configuration is in force (table allocated and cleared), or cannot be")                                     \
    X(0x12, new_game, NEW_GAME_FIELDS, C2W, "forget the previous game: clear table and histories before the next job") \
    X(0x20, job, JOB_FIELDS, C2W, "search this position")                                                              \
    X(0x21, stop, STOP_FIELDS, C2W, "end this job now and send its result")                                            \
    X(0x22, partial, PARTIAL_FIELDS, W2C, "an iteration, or a bound, of the running job")                              \
    X(0x23, result, RESULT_FIELDS, W2C, "the job has ended: exactly one for each job and attempt")                     \
    X(0x30, hints, HINTS_FIELDS, BOTH, "hint plane: what searches of one scope have found, or are busy with")          \
    X(0x31, hints_join, HINTS_JOIN_FIELDS, W2C, "hint plane: I want the hints of this scope and of no other")

#endif
