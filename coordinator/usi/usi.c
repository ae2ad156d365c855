/* usi.c - the text side of USI. */
#include "coordinator/usi/usi.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f'; }

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static void skip_blanks(struct wire_str *rest)
{
    while (rest->length && blank(*rest->bytes)) {
        rest->bytes++;
        rest->length--;
    }
}

static struct wire_str trimmed(struct wire_str s)
{
    skip_blanks(&s);
    while (s.length && blank(s.bytes[s.length - 1])) s.length--;
    return s;
}

bool usi_next_word(struct wire_str *rest, struct wire_str *word)
{
    skip_blanks(rest);
    uint32_t length = 0;
    while (length < rest->length && !blank(rest->bytes[length])) length++;
    *word = (struct wire_str){rest->bytes, length};
    if (length) {
        rest->bytes += length;
        rest->length -= length;
    }
    return length > 0;
}

bool usi_word_is(struct wire_str word, const char *text)
{
    uint32_t i = 0;
    for (; i < word.length && text[i]; i++)
        if (lower(word.bytes[i]) != lower(text[i])) return false;
    return i == word.length && !text[i];
}

bool usi_word_number(struct wire_str word, int64_t *value)
{
    bool negative = word.length && word.bytes[0] == '-';
    uint32_t i = word.length && (word.bytes[0] == '-' || word.bytes[0] == '+') ? 1 : 0;
    if (i == word.length) return false;
    int64_t number = 0;
    for (; i < word.length; i++) {
        if (word.bytes[i] < '0' || word.bytes[i] > '9') return false;
        int64_t digit = word.bytes[i] - '0';
        number = number > (INT64_MAX - digit) / 10 ? INT64_MAX : number * 10 + digit;
    }
    *value = negative ? -number : number;
    return true;
}

/* The number behind a `go` word. Some GUIs write times that have gone below zero; they mean "nothing left". */
static bool take_number(struct wire_str *rest, int64_t *value)
{
    struct wire_str before = *rest, word;
    if (usi_next_word(rest, &word) && usi_word_number(word, value)) {
        if (*value < 0) *value = 0;
        return true;
    }
    *rest = before;
    return false;
}

static struct usi_clock clock_none(void)
{
    return (struct usi_clock){.btime_ms = -1, .wtime_ms = -1, .byoyomi_ms = -1, .binc_ms = -1, .winc_ms = -1};
}

static int64_t *clock_field(struct usi_clock *clock, struct wire_str word)
{
    if (usi_word_is(word, "btime")) return &clock->btime_ms;
    if (usi_word_is(word, "wtime")) return &clock->wtime_ms;
    if (usi_word_is(word, "byoyomi")) return &clock->byoyomi_ms;
    if (usi_word_is(word, "binc")) return &clock->binc_ms;
    if (usi_word_is(word, "winc")) return &clock->winc_ms;
    return NULL;
}

static void parse_go(struct usi_go *go, struct wire_str rest)
{
    *go = (struct usi_go){.clock = clock_none(), .mate_ms = -1, .movetime_ms = -1, .depth = -1};
    struct wire_str word;
    while (usi_next_word(&rest, &word)) {
        int64_t *field = clock_field(&go->clock, word), number = 0;
        bool read = true;
        if (field)
            read = take_number(&rest, field);
        else if (usi_word_is(word, "ponder"))
            go->ponder = true;
        else if (usi_word_is(word, "infinite"))
            go->infinite = true;
        else if (usi_word_is(word, "movetime"))
            read = take_number(&rest, &go->movetime_ms);
        else if (usi_word_is(word, "depth"))
            read = take_number(&rest, &go->depth);
        else if (usi_word_is(word, "nodes")) {
            read = take_number(&rest, &number);
            go->nodes = (uint64_t)number;
        } else if (usi_word_is(word, "mate")) {
            go->mate = true;
            struct wire_str before = rest, argument;
            if (usi_next_word(&rest, &argument) && usi_word_is(argument, "infinite"))
                go->mate_infinite = true;
            else {
                rest = before;
                if (!take_number(&rest, &go->mate_ms)) go->mate_ms = -1;
            }
        } else if (usi_word_is(word, "searchmoves")) {
            go->searchmoves = trimmed(rest);
            return;
        } else
            read = false;
        if (!read && !go->unread.length) go->unread = word;
    }
}

/* `name` may hold blanks: it ends at the word `value`, which starts the rest of the line. */
static void parse_option(struct usi_command *command, struct wire_str rest)
{
    struct wire_str word, before = rest;
    if (!usi_next_word(&rest, &word) || !usi_word_is(word, "name")) rest = before;
    skip_blanks(&rest);
    struct wire_str name = {rest.bytes, 0};
    while (usi_next_word(&rest, &word)) {
        if (usi_word_is(word, "value")) {
            command->option.has_value = true;
            command->option.value = trimmed(rest);
            if (usi_word_is(command->option.value, "<empty>")) command->option.value.length = 0;
            break;
        }
        name.length = (uint32_t)(word.bytes + word.length - name.bytes);
    }
    command->option.name = name;
}

static void parse_position(struct usi_command *command, struct wire_str rest)
{
    struct wire_str word, before = rest;
    if (usi_next_word(&rest, &word) && usi_word_is(word, "startpos"))
        command->position.startpos = true;
    else if (!usi_word_is(word, "sfen")) /* some senders leave the word out */
        rest = before;
    skip_blanks(&rest);
    struct wire_str sfen = {rest.bytes, 0};
    while (usi_next_word(&rest, &word)) {
        if (usi_word_is(word, "moves")) {
            command->position.moves = trimmed(rest);
            break;
        }
        sfen.length = (uint32_t)(word.bytes + word.length - sfen.bytes);
    }
    command->position.sfen = sfen;
}

static void parse_ponderhit(struct usi_clock *clock, struct wire_str rest)
{
    *clock = clock_none();
    struct wire_str word;
    while (usi_next_word(&rest, &word)) {
        int64_t *field = clock_field(clock, word);
        if (field && !take_number(&rest, field)) *field = -1;
    }
}

void usi_parse(struct usi_command *command, const char *line, size_t length)
{
    static const struct {
        const char *word;
        enum usi_command_type type;
    } words[] = {
        {"usi", USI_USI},
        {"isready", USI_ISREADY},
        {"setoption", USI_SETOPTION},
        {"getoption", USI_GETOPTION},
        {"usinewgame", USI_USINEWGAME},
        {"position", USI_POSITION},
        {"go", USI_GO},
        {"stop", USI_STOP},
        {"ponderhit", USI_PONDERHIT},
        {"gameover", USI_GAMEOVER},
        {"quit", USI_QUIT},
        {"d", USI_DISPLAY},
        {"register", USI_NOTHING},
        {"debug", USI_NOTHING},
        {"copyprotection", USI_NOTHING},
        {"user", USI_NOTHING},
    };
    memset(command, 0, sizeof *command);
    struct wire_str rest = {line, length > UINT32_MAX ? UINT32_MAX : (uint32_t)length};
    if (!usi_next_word(&rest, &command->word)) return;
    command->type = USI_UNKNOWN;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (usi_word_is(command->word, words[i].word)) command->type = words[i].type;
    if (command->type == USI_SETOPTION || command->type == USI_GETOPTION) parse_option(command, rest);
    if (command->type == USI_POSITION) parse_position(command, rest);
    if (command->type == USI_GO) parse_go(&command->go, rest);
    if (command->type == USI_PONDERHIT) parse_ponderhit(&command->ponderhit, rest);
}

size_t usi_write_info(const struct usi_info *info, char out[USI_INFO_BYTES_MAX])
{
    static const char *const bounds[] = {[WIRE_EXACT] = "", [WIRE_LOWER] = " lowerbound", [WIRE_UPPER] = " upperbound"};
    char score[48] = "", multipv[24] = "";
    const char *bound = info->bound <= WIRE_UPPER ? bounds[info->bound] : "";
    if (info->score_kind == WIRE_SCORE_CP)
        snprintf(score, sizeof score, " score cp %" PRId32 "%s", info->score, bound);
    else if (info->score_kind == WIRE_SCORE_MATE)
        snprintf(score, sizeof score, " score mate %" PRId32 "%s", info->score, bound);
    if (info->multipv) snprintf(multipv, sizeof multipv, " multipv %" PRIu32, info->multipv);
    uint64_t time_ms = info->time_ms > 0 ? (uint64_t)info->time_ms : 1;
    /* nodes * 1000 would overflow only beyond 1.8e16 nodes; then the division may come first. */
    uint64_t nps = info->nodes > UINT64_MAX / 1000 ? info->nodes / time_ms * 1000 : info->nodes * 1000 / time_ms;
    uint32_t hashfull = info->hashfull > 1000 ? 1000 : info->hashfull;
    uint32_t pv_bytes = info->pv.length > WIRE_PV_BYTES_MAX ? WIRE_PV_BYTES_MAX : info->pv.length;
    int written = snprintf(out, USI_INFO_BYTES_MAX,
                           "info depth %" PRIu32 " seldepth %" PRIu32 "%s%s nodes %" PRIu64 " nps %" PRIu64
                           " hashfull %" PRIu32 " time %" PRIu64 "%s%.*s",
                           info->depth, info->seldepth, multipv, score, info->nodes, nps, hashfull, time_ms,
                           pv_bytes ? " pv " : "", (int)pv_bytes, pv_bytes ? info->pv.bytes : "");
    return (size_t)written;
}
