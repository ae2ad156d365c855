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

void mate_report_text(const struct position *root, const struct tsume_outcome *outcome, struct text_buffer *out)
{
    (void)root;
    if (outcome->verdict == VERDICT_MATE) {
        text_buffer_format(out, "mate in %" PRIu32 "%s: ", outcome->plies, outcome->shortest ? "" : " (or less)");
        text_buffer_put(out, text_make(outcome->line.bytes, outcome->line.length));
    } else if (outcome->verdict == VERDICT_NOMATE) {
        text_buffer_put_string(out, "no mate");
    } else if (outcome->verdict == VERDICT_REFUSED) {
        text_buffer_put_string(out, "not solved: ");
        text_buffer_put_clean(out, text_make(outcome->text.bytes, outcome->text.length));
    } else {
        text_buffer_put_string(out, "unknown");
    }
    text_buffer_format(out, "  (%" PRIu64 " nodes, %.3f s)\n", outcome->nodes, (double)outcome->elapsed_ms / 1000.0);
}

static void put_line(struct wire_str line, struct text_buffer *out)
{
    struct text rest = text_make(line.bytes, line.length), word;
    text_buffer_put_char(out, '[');
    for (bool first = true; text_take_word(&rest, &word); first = false) {
        if (!first) text_buffer_put_char(out, ',');
        text_buffer_put_json(out, word);
    }
    text_buffer_put_char(out, ']');
}

void mate_report_json(const struct position *root, const struct tsume_outcome *outcome, struct text_buffer *out)
{
    char sfen[SFEN_BYTES_MAX];
    sfen_write(root, sfen);
    text_buffer_format(out, "{\"sfen\":\"%s\",\"verdict\":\"%s\"", sfen, verdict_name(outcome->verdict));
    if (outcome->verdict == VERDICT_MATE) {
        text_buffer_format(out, ",\"plies\":%" PRIu32 ",\"shortest\":%s,\"line\":", outcome->plies,
                           outcome->shortest ? "true" : "false");
        put_line(outcome->line, out);
    }
    text_buffer_format(out, ",\"nodes\":%" PRIu64 ",\"time_ms\":%" PRId64, outcome->nodes, outcome->elapsed_ms);
    if (outcome->verdict == VERDICT_MATE) text_buffer_format(out, ",\"proof_nodes\":%" PRIu64, outcome->proof_nodes);
    if (outcome->text.length) {
        text_buffer_put_string(out, ",\"reason\":");
        text_buffer_put_json(out, text_make(outcome->text.bytes, outcome->text.length));
    }
    text_buffer_put_string(out, "}\n");
}

void mate_report_kif(const struct position *root, const struct tsume_outcome *outcome, const char *title,
                     uint32_t game_index, struct text_buffer *out)
{
    struct record record;
    record_init(&record);
    enum status st = record_begin(&record, RECORD_FORMAT_KIF);
    if (st == ST_OK) st = record_set_initial(&record, root);
    if (st == ST_OK) st = record_add_header(&record, RECORD_KEY_TITLE, text_make("", 0), text_from(title));
    struct text rest = text_make(outcome->line.bytes, outcome->line.length), word;
    while (st == ST_OK && outcome->verdict == VERDICT_MATE && text_take_word(&rest, &word))
        st = record_play(&record, movetext_from_usi(&record.now, word.at, text_length(word)));
    if (st == ST_OK && outcome->verdict != VERDICT_UNKNOWN && outcome->verdict != VERDICT_REFUSED)
        st = record_set_end(&record, outcome->verdict == VERDICT_MATE ? RECORD_END_MATE : RECORD_END_NO_MATE,
                            text_make("", 0));
    if (st == ST_OK) st = record_finish(&record);
    if (st == ST_OK)
        record_write(&record, RECORD_OUT_KIF, game_index, out);
    else if (out->status == ST_OK)
        out->status = st;
    record_free(&record);
}
