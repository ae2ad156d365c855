/* status.h - the one error vocabulary of the project.
 *
 * A function that can be refused by its input or by the world returns `enum status` and has changed nothing when
 * the answer is not ST_OK. Our own mistakes are `assert`, which stays on in release builds.
 */
#ifndef MURAKUMO_BASE_STATUS_H
#define MURAKUMO_BASE_STATUS_H

#define STATUSES(X)                                                                                                    \
    X(ST_OK, "ok")                                                                                                     \
    X(ST_SYNTAX, "text does not have the expected form")                                                               \
    X(ST_RANGE, "value is out of range")                                                                               \
    X(ST_ILLEGAL, "the rules of shogi do not allow it")                                                                \
    X(ST_TRUNCATED, "input ends too early")                                                                            \
    X(ST_TRAILING, "input goes on after its end")                                                                      \
    X(ST_TOO_BIG, "input is larger than the limit")                                                                    \
    X(ST_TOO_DEEP, "input is nested deeper than the limit")                                                            \
    X(ST_VERSION, "protocol version does not match")                                                                   \
    X(ST_UNKNOWN, "unknown name or number")                                                                            \
    X(ST_MISSING, "a required part is missing")                                                                        \
    X(ST_STALE, "belongs to an earlier session, search or attempt")                                                    \
    X(ST_DUPLICATE, "has been received before")                                                                        \
    X(ST_FULL, "no room left")                                                                                         \
    X(ST_STATE, "not possible in the present state")                                                                   \
    X(ST_MISMATCH, "the two sides do not hold the same data")                                                          \
    X(ST_NO_MEMORY, "out of memory")                                                                                   \
    X(ST_IO, "the operating system reported an error")

enum status {
#define STATUS_ENUM(name, text) name,
    STATUSES(STATUS_ENUM)
#undef STATUS_ENUM
        STATUS_COUNT
};

#define MUST_USE __attribute__((warn_unused_result))

/* One short English phrase; never NULL. */
static inline const char *status_text(enum status st)
{
    static const char *const texts[] = {
#define STATUS_TEXT(name, text) text,
        STATUSES(STATUS_TEXT)
#undef STATUS_TEXT
    };
    return (unsigned)st < STATUS_COUNT ? texts[st] : "unknown status";
}

#endif
