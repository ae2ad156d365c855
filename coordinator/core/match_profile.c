#include "coordinator/core/match_profile.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct match_profile profiles[] = {
    {
        .name = "fairy-stockfish",
        .id_prefix = "Fairy-Stockfish",
        .note = "byoyomi without main time is sent as movetime, Move Overhead 0; pawn-drop mates count as legal there",
        .hash_option = "Hash",
        .threads_option = "Threads",
        .options = {{"Move Overhead", "0"}, {"UCI_Variant", "shogi"}},
        .takes_nodes = true,
        .takes_depth = true,
        .takes_movetime = true,
        .takes_increment = true,
        .time_includes_increment = true,
        .byoyomi_as_movetime = true,
    },
    {
        .name = "gpsusi",
        .id_prefix = "gpsshogi",
        .note = "knows main time and byoyomi only (movetime and increment are sent as byoyomi); book off; late below "
                "600 ms and now and then by 300-400 ms above",
        .hash_option = NULL,
        .threads_option = "Thread",
        .options = {{"BookDepth", "0"}},
        .move_ms_min = 600,
    },
    {
        .name = "usi",
        .id_prefix = "",
        .note = "all of USI",
        .hash_option = "USI_Hash",
        .threads_option = "Threads",
        .options = {{"USI_Ponder", "false"}},
        .takes_nodes = true,
        .takes_depth = true,
        .takes_movetime = true,
        .takes_increment = true,
    },
};

const struct match_profile *match_profile_find(const char *id_name)
{
    size_t i = 0;
    while (strncmp(id_name, profiles[i].id_prefix, strlen(profiles[i].id_prefix)) != 0) i++; /* the last one fits */
    return &profiles[i];
}

enum status match_profile_check(const struct match_profile *profile, const struct match_limits *limits, char *why,
                                size_t why_bytes)
{
    const char *word = NULL;
    if (limits->nodes && !profile->takes_nodes) word = "nodes";
    if (limits->depth_plies && !profile->takes_depth) word = "depth";
    if (!word) return ST_OK;
    snprintf(why, why_bytes, "%s does not understand `go %s`; give it --byoyomi, --movetime or --time", profile->name,
             word);
    return ST_RANGE;
}

struct go_text {
    char *at;
    size_t left;
};

__attribute__((format(printf, 2, 3))) static void go_add(struct go_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int written = vsnprintf(text->at, text->left, format, args);
    va_end(args);
    assert(written >= 0 && (size_t)written < text->left);
    text->at += written;
    text->left -= (size_t)written;
}

static int64_t shown_time_ms(const struct match_profile *profile, const struct match_clock *clock)
{
    return clock->left_us / 1000 + (profile->time_includes_increment ? clock->limits.inc_ms : 0);
}

void match_profile_go(const struct match_profile *profile, const struct match_clock clocks[COLOR_COUNT], Color side,
                      char out[MATCH_GO_BYTES_MAX])
{
    const struct match_limits *own = &clocks[side].limits;
    struct go_text text = {out, MATCH_GO_BYTES_MAX};
    go_add(&text, "go");

    int64_t movetime_ms = own->movetime_ms;
    bool clock_is_byoyomi = own->byoyomi_ms > 0 && own->inc_ms == 0 && clocks[side].left_us < 1000;
    bool clock_said = match_limits_have_clock(own);
    if (clock_said && clock_is_byoyomi && profile->byoyomi_as_movetime) {
        if (movetime_ms == 0 || own->byoyomi_ms < movetime_ms) movetime_ms = own->byoyomi_ms;
        clock_said = false;
    }
    if (clock_said) {
        go_add(&text, " btime %" PRId64 " wtime %" PRId64, shown_time_ms(profile, &clocks[BLACK]),
               shown_time_ms(profile, &clocks[WHITE]));
        /* USI knows one byoyomi for both sides: the mover's own counts. For this one move an increment is the same
         * thing, time that may be used when the main time is gone, so engines without binc are told the sum. */
        int64_t byoyomi_ms = own->byoyomi_ms + (profile->takes_increment ? 0 : own->inc_ms);
        if (own->inc_ms > 0 && profile->takes_increment)
            go_add(&text, " binc %" PRId64 " winc %" PRId64, clocks[BLACK].limits.inc_ms, clocks[WHITE].limits.inc_ms);
        if (byoyomi_ms > 0 || own->inc_ms == 0) go_add(&text, " byoyomi %" PRId64, byoyomi_ms);
    }
    if (movetime_ms > 0) {
        if (profile->takes_movetime)
            go_add(&text, " movetime %" PRId64, movetime_ms);
        else if (!clock_said)
            go_add(&text, " btime 0 wtime 0 byoyomi %" PRId64, movetime_ms);
    }
    if (own->nodes) go_add(&text, " nodes %" PRIu64, own->nodes);
    if (own->depth_plies) go_add(&text, " depth %d", own->depth_plies);
}
