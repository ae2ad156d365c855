/* puzzle_out.c - see puzzle_out.h. */
#include "coordinator/view/puzzle_out.h"

#include "common/shogi/movetext.h"
#include "common/shogi/record_io.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool puzzle_format_from_name(struct text name, enum puzzle_format *format)
{
    static const char *const names[] = {"jsonl", "csv", "kif", "sfen", "html"};
    for (int i = 0; i < PUZZLE_FORMAT_COUNT; i++)
        if (text_is(name, names[i])) {
            *format = (enum puzzle_format)i;
            return true;
        }
    return false;
}

static void put_string(struct text_buffer *out, const char *key, const char *value)
{
    text_buffer_format(out, ",\"%s\":", key);
    text_buffer_put_json(out, text_from(value));
}

static void put_sfen(struct text_buffer *out, const struct position *pos)
{
    char sfen[SFEN_BYTES_MAX];
    text_buffer_put(out, text_make(sfen, sfen_write(pos, sfen)));
}

static void put_moves(struct text_buffer *out, const struct puzzle *p, bool with_mistake)
{
    char text[MOVETEXT_BYTES_MAX];
    if (with_mistake) text_buffer_put(out, text_make(text, movetext_to_usi(p->mistake, text)));
    for (unsigned i = 0; i < p->count; i++) {
        if (i || with_mistake) text_buffer_put_char(out, ' ');
        text_buffer_put(out, text_make(text, movetext_to_usi(p->line[i], text)));
    }
}

/* ---- JSONL ------------------------------------------------------------------------------------------------------ */

static void put_settings(struct text_buffer *out, const char *settings)
{
    struct text rest = text_from(settings), line;
    bool first = true;
    text_buffer_put_string(out, ",\"settings\":{");
    while (text_take_line(&rest, &line)) {
        const char *equals = memchr(line.at, '=', text_length(line));
        if (!equals) continue;
        if (!first) text_buffer_put_char(out, ',');
        first = false;
        text_buffer_put_json(out, (struct text){line.at, equals});
        text_buffer_put_char(out, ':');
        text_buffer_put(out, (struct text){equals + 1, line.end});
    }
    text_buffer_put_char(out, '}');
}

static void meta_jsonl(const struct puzzle_set *set, const struct puzzle_meta *meta, struct text_buffer *out)
{
    text_buffer_format(out,
                       "{\"type\":\"meta\",\"games\":%" PRId64 ",\"candidates\":%zu,\"published\":%" PRIu64
                       ",\"held_back\":%" PRIu64 ",\"rejected\":%" PRIu64 ",\"ledger\":{",
                       meta->games, set->count, set->published, set->held, set->rejected);
    bool first = true;
    for (int reason = 1; reason < MINE_REASON_COUNT; reason++) {
        if (!set->ledger[reason]) continue;
        text_buffer_format(out, "%s\"%s\":%" PRIu64, first ? "" : ",", mine_reason_word((enum mine_reason)reason),
                           set->ledger[reason]);
        first = false;
    }
    text_buffer_format(out, "},\"nodes_verify\":%" PRIu64 ",\"nodes_audit\":%" PRIu64, set->nodes_verify,
                       set->nodes_audit);
    put_string(out, "manifest_sha256", meta->manifest);
    put_string(out, "engine", meta->engine);
    put_settings(out, meta->settings);
    text_buffer_put_string(out, "}\n");
}

/* A member of the stored row as it stands. */
static void put_member(struct text_buffer *out, const struct puzzle *p, const char *name)
{
    struct json value = json_member(p->json, name);
    if (value.type == JSON_MISSING) return;
    text_buffer_format(out, ",\"%s\":", name);
    text_buffer_put(out, value.raw);
}

static void put_source(struct text_buffer *out, const struct puzzle *p, const struct puzzle_source *s)
{
    text_buffer_put_string(out, ",\"game\":{\"file\":");
    text_buffer_put_json(out, text_from(s->file));
    text_buffer_format(out, ",\"index\":%" PRId64 ",\"ply\":%" PRIu32, s->index, p->ply);
    put_string(out, "source", s->source);
    put_string(out, "licence", s->licence);
    put_string(out, "black", s->black);
    put_string(out, "white", s->white);
    put_string(out, "date", s->date);
    put_string(out, "event", s->event);
    text_buffer_put_char(out, '}');
}

static void one_json(const struct puzzle *p, const struct puzzle_source *s, struct text_buffer *out)
{
    static const char *const members[] = {"sfen",         "before",         "mistake",      "chance",      "solution",
                                          "rating",       "themes",         "mate_plies",   "cp",          "mate",
                                          "runner_up_cp", "runner_up_mate", "before_cp",    "before_mate", "scan_cp",
                                          "scan_mate",    "depths",         "nodes_verify", "nodes_audit"};
    bool published = p->verdict == MINE_ACCEPTED;
    text_buffer_format(out, "{\"type\":\"%s\"", published ? "puzzle" : p->verdict == MINE_HELD ? "held" : "rejected");
    if (published)
        put_string(out, "id", p->id);
    else
        put_string(out, "reason", mine_reason_word(p->reason));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) put_member(out, p, members[i]);
    put_source(out, p, s);
    text_buffer_put_char(out, '}');
}

/* ---- CSV -------------------------------------------------------------------------------------------------------- */

static void put_cell(struct text_buffer *out, struct text text)
{
    text_buffer_put_char(out, '"');
    for (; !text_empty(text); text.at++) {
        if (*text.at == '"') text_buffer_put_char(out, '"');
        text_buffer_put_char(out, *text.at);
    }
    text_buffer_put_char(out, '"');
}

static void one_csv(const struct puzzle *p, const struct puzzle_source *s, struct text_buffer *out)
{
    text_buffer_format(out, "%s,", p->id);
    put_sfen(out, &p->before);
    text_buffer_put_char(out, ',');
    put_moves(out, p, true);
    text_buffer_format(out, ",%" PRId64 ",500,0,0,", p->rating);
    for (unsigned i = 0; i < p->theme_count; i++) {
        if (i) text_buffer_put_char(out, ' ');
        text_buffer_put(out, p->themes[i]);
    }
    text_buffer_put_char(out, ',');
    char url[1024];
    int n = snprintf(url, sizeof url, "%.900s#%" PRIu32, s->source, p->ply);
    put_cell(out, text_make(url, n > 0 ? (size_t)n : 0));
    text_buffer_put_string(out, ",,");
    put_cell(out, text_from(s->licence));
    text_buffer_put_string(out, "\n");
}

/* ---- KIF -------------------------------------------------------------------------------------------------------- */

static bool build_record(const struct puzzle *p, const struct puzzle_source *s, struct record *record)
{
    char title[160];
    snprintf(title, sizeof title, "%s (%" PRId64 ")", p->id, p->rating);
    struct text empty = text_from("");
    if (record_begin(record, RECORD_FORMAT_KIF) != ST_OK || record_set_initial(record, &p->start) != ST_OK ||
        record_add_header(record, RECORD_KEY_TITLE, empty, text_from(title)) != ST_OK ||
        record_add_header(record, RECORD_KEY_BLACK, empty, text_from(s->black)) != ST_OK ||
        record_add_header(record, RECORD_KEY_WHITE, empty, text_from(s->white)) != ST_OK ||
        record_add_header(record, RECORD_KEY_EVENT, empty, text_from(s->event)) != ST_OK)
        return false;
    struct text_buffer note;
    text_buffer_init(&note, 4096);
    text_buffer_put_string(&note, "Themes:");
    for (unsigned i = 0; i < p->theme_count; i++) {
        text_buffer_put_char(&note, ' ');
        text_buffer_put(&note, p->themes[i]);
    }
    bool good = record_add_comment(record, RECORD_COMMENT_USER, text_buffer_view(&note)) == ST_OK;
    text_buffer_clear(&note);
    text_buffer_format(&note, "Source: %s", s->source);
    good = good && record_add_comment(record, RECORD_COMMENT_USER, text_buffer_view(&note)) == ST_OK;
    text_buffer_clear(&note);
    text_buffer_format(&note, "Licence: %s", s->licence);
    good = good && record_add_comment(record, RECORD_COMMENT_USER, text_buffer_view(&note)) == ST_OK;
    text_buffer_free(&note);
    for (unsigned i = 0; good && i < p->count; i++) good = record_play(record, p->line[i]) == ST_OK;
    return good && record_finish(record) == ST_OK;
}

static void one_kif(const struct puzzle *p, const struct puzzle_source *s, uint32_t number, struct text_buffer *out)
{
    struct record record;
    record_init(&record);
    if (build_record(p, s, &record))
        record_write(&record, RECORD_OUT_KIF, number - 1, out);
    else
        out->status = ST_NO_MEMORY;
    record_free(&record);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

void puzzle_out_begin(enum puzzle_format format, const struct puzzle_set *set, const struct puzzle_meta *meta,
                      struct text_buffer *out)
{
    switch (format) {
    case PUZZLE_JSONL:
        meta_jsonl(set, meta, out);
        break;
    case PUZZLE_CSV:
        text_buffer_put_string(out, "PuzzleId,SFEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,"
                                    "OpeningTags,Licence\n");
        break;
    case PUZZLE_HTML:
        text_buffer_put_string(out, puzzle_page_head);
        break;
    case PUZZLE_KIF:
    case PUZZLE_SFEN:
    case PUZZLE_FORMAT_COUNT:
        break;
    }
}

void puzzle_out_one(enum puzzle_format format, const struct puzzle *p, const struct puzzle_source *s, uint32_t number,
                    struct text_buffer *out)
{
    switch (format) {
    case PUZZLE_JSONL:
        one_json(p, s, out);
        text_buffer_put_char(out, '\n');
        break;
    case PUZZLE_CSV:
        one_csv(p, s, out);
        break;
    case PUZZLE_KIF:
        one_kif(p, s, number, out);
        break;
    case PUZZLE_SFEN:
        put_sfen(out, &p->start);
        text_buffer_put_char(out, '\n');
        break;
    case PUZZLE_HTML: {
        struct text_buffer json;
        text_buffer_init(&json, 1 << 20);
        one_json(p, s, &json);
        if (number > 1) text_buffer_put_string(out, ",\n");
        /* Inside a script element a < may end it, or hide its end. In JSON it stands in strings only. */
        for (size_t i = 0; i < json.length; i++)
            if (json.data[i] == '<')
                text_buffer_put_string(out, "\\u003c");
            else
                text_buffer_put_char(out, json.data[i]);
        if (json.status != ST_OK) out->status = json.status;
        text_buffer_free(&json);
        break;
    }
    case PUZZLE_FORMAT_COUNT:
        break;
    }
}

void puzzle_out_end(enum puzzle_format format, struct text_buffer *out)
{
    if (format != PUZZLE_HTML) return;
    text_buffer_put_string(out, puzzle_page_board);
    text_buffer_put_string(out, puzzle_page_tail);
}
