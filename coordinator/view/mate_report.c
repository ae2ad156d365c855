/* mate_report.c - see mate_report.h. */
#include "coordinator/view/mate_report.h"

#include "common/shogi/movetext.h"
#include "common/shogi/record_io.h"
#include "common/shogi/sfen.h"

#include <inttypes.h>

static const char *verdict_name(uint32_t verdict)
{
    return verdict == VERDICT_MATE      ? "mate"
           : verdict == VERDICT_NOMATE  ? "nomate"
           : verdict == VERDICT_REFUSED ? "refused"
                                        : "unknown";
}

static struct text text_of(struct wire_str s) { return text_make(s.length ? s.bytes : "", s.length); }

bool mate_report_is_unique(const struct mate_report *report)
{
    for (size_t i = 0; i < report->alternative_count; i++)
        if (report->alternatives[i].ply < report->outcome.plies) return false;
    return true;
}

/* ---- text ------------------------------------------------------------------------------------------------------- */

static void put_alternatives(const struct mate_report *report, struct text_buffer *out)
{
    for (size_t i = 0; i < report->alternative_count; i++) {
        const struct mate_alternative *a = &report->alternatives[i];
        text_buffer_format(out, "    also at move %" PRIu32 ": mate in %" PRIu32 ": %s\n", a->ply, a->plies, a->line);
    }
    if (!report->looked_for_others) return;
    const char *verdict = !mate_report_is_unique(report) ? "not the only solution"
                          : report->all_looked_at        ? "the only solution"
                                                         : "other solutions: unknown";
    text_buffer_format(out, "    %s\n", verdict);
}

void mate_report_text(const struct mate_report *report, struct text_buffer *out)
{
    const struct tsume_outcome *outcome = &report->outcome;
    if (outcome->verdict == VERDICT_MATE) {
        text_buffer_format(out, "mate in %" PRIu32 "%s: ", outcome->plies, outcome->shortest ? "" : " (or less)");
        text_buffer_put(out, text_of(outcome->line));
    } else if (outcome->verdict == VERDICT_NOMATE) {
        text_buffer_put_string(out, "no mate");
    } else if (outcome->verdict == VERDICT_REFUSED) {
        text_buffer_put_string(out, "not solved: ");
        text_buffer_put_clean(out, text_of(outcome->text));
    } else {
        text_buffer_put_string(out, "unknown");
    }
    text_buffer_format(out, "  (%" PRIu64 " nodes, %.3f s)\n", outcome->nodes, (double)outcome->elapsed_ms / 1000.0);
    put_alternatives(report, out);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void put_line(struct text rest, struct text_buffer *out)
{
    struct text word;
    text_buffer_put_char(out, '[');
    for (bool first = true; text_take_word(&rest, &word); first = false) {
        if (!first) text_buffer_put_char(out, ',');
        text_buffer_put_json(out, word);
    }
    text_buffer_put_char(out, ']');
}

static void put_json_alternatives(const struct mate_report *report, struct text_buffer *out)
{
    bool unique = mate_report_is_unique(report);
    text_buffer_format(out, ",\"unique\":%s,\"alternatives\":[",
                       !unique                 ? "false"
                       : report->all_looked_at ? "true"
                                               : "null");
    for (size_t i = 0; i < report->alternative_count; i++) {
        const struct mate_alternative *a = &report->alternatives[i];
        text_buffer_format(out, "%s{\"ply\":%" PRIu32 ",\"plies\":%" PRIu32 ",\"line\":", i ? "," : "", a->ply,
                           a->plies);
        put_line(text_from(a->line), out);
        text_buffer_put_char(out, '}');
    }
    text_buffer_put_char(out, ']');
}

void mate_report_json(const struct mate_report *report, struct text_buffer *out)
{
    const struct tsume_outcome *outcome = &report->outcome;
    char sfen[SFEN_BYTES_MAX];
    sfen_write(report->root, sfen);
    text_buffer_format(out, "{\"sfen\":\"%s\",\"verdict\":\"%s\"", sfen, verdict_name(outcome->verdict));
    if (outcome->verdict == VERDICT_MATE) {
        text_buffer_format(out, ",\"plies\":%" PRIu32 ",\"shortest\":%s,\"line\":", outcome->plies,
                           outcome->shortest ? "true" : "false");
        put_line(text_of(outcome->line), out);
    }
    text_buffer_format(out, ",\"nodes\":%" PRIu64 ",\"time_ms\":%" PRId64, outcome->nodes, outcome->elapsed_ms);
    if (outcome->verdict == VERDICT_MATE) text_buffer_format(out, ",\"proof_nodes\":%" PRIu64, outcome->proof_nodes);
    if (report->looked_for_others) put_json_alternatives(report, out);
    if (outcome->text.length) {
        text_buffer_put_string(out, ",\"reason\":");
        text_buffer_put_json(out, text_of(outcome->text));
    }
    text_buffer_put_string(out, "}\n");
}

/* ---- KIF -------------------------------------------------------------------------------------------------------- */

static enum status play(struct record *record, struct text rest)
{
    struct text word;
    enum status st = ST_OK;
    while (st == ST_OK && text_take_word(&rest, &word))
        st = record_play(record, movetext_from_usi(&record->now, word.at, text_length(word)));
    if (st == ST_OK) st = record_set_end(record, RECORD_END_MATE, text_make("", 0));
    return st;
}

void mate_report_kif(const struct mate_report *report, const char *title, uint32_t game_index, struct text_buffer *out)
{
    const struct tsume_outcome *outcome = &report->outcome;
    struct record record;
    record_init(&record);
    enum status st = record_begin(&record, RECORD_FORMAT_KIF);
    if (st == ST_OK) st = record_set_initial(&record, report->root);
    if (st == ST_OK) st = record_add_header(&record, RECORD_KEY_TITLE, text_make("", 0), text_from(title));
    if (st == ST_OK && outcome->verdict == VERDICT_MATE) st = play(&record, text_of(outcome->line));
    if (st == ST_OK && outcome->verdict == VERDICT_NOMATE)
        st = record_set_end(&record, RECORD_END_NO_MATE, text_make("", 0));
    for (size_t i = report->alternative_count; st == ST_OK && i-- > 0;) { /* KIF has the last branch first */
        st = record_branch_from(&record, 0, report->alternatives[i].ply);
        if (st == ST_OK) st = play(&record, text_from(report->alternatives[i].line));
    }
    if (st == ST_OK) st = record_finish(&record);
    if (st == ST_OK)
        record_write(&record, RECORD_OUT_KIF, game_index, out);
    else if (out->status == ST_OK)
        out->status = st;
    record_free(&record);
}
