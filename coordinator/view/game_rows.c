/* game_rows.c - see game_rows.h. */
#include "coordinator/view/game_rows.h"

#include <inttypes.h>

static void put_score(struct text_buffer *out, const char *prefix, struct judge_score score)
{
    if (score.kind == WIRE_SCORE_NONE) return;
    text_buffer_format(out, ",\"%s%s\":%" PRId32, prefix, score.kind == WIRE_SCORE_MATE ? "mate" : "cp", score.score);
}

static void put_string(struct text_buffer *out, const char *key, const char *value)
{
    text_buffer_format(out, ",\"%s\":", key);
    text_buffer_put_json(out, text_from(value));
}

static void write_scan(const struct survey *s, struct text_buffer *out)
{
    text_buffer_format(out, "{\"first_ply\":%" PRIu32 ",\"nodes\":%" PRIu64 ",\"complete\":%s,\"positions\":[",
                       s->first_ply, s->nodes_scan, s->incomplete ? "false" : "true");
    for (uint32_t ply = s->first_ply; ply <= s->plies; ply++) {
        const struct game_position *p = survey_position(s, ply);
        text_buffer_format(out, "%s{\"ply\":%" PRIu32, ply > s->first_ply ? "," : "", ply);
        if (p->done) {
            put_score(out, "", p->score);
            text_buffer_format(out, ",\"depth\":%" PRIu32 ",\"nodes\":%" PRIu64, p->depth, p->nodes);
            put_string(out, "best", p->best);
            put_string(out, "pv", p->pv);
        }
        text_buffer_put_char(out, '}');
    }
    text_buffer_put_string(out, "]}");
}

static void put_sfen(struct text_buffer *out, const char *key, const struct position *pos)
{
    char sfen[SFEN_BYTES_MAX];
    sfen_write(pos, sfen);
    put_string(out, key, sfen);
}

static void put_moves(struct text_buffer *out, const Move *moves, unsigned count)
{
    char text[MOVETEXT_BYTES_MAX];
    text_buffer_put_string(out, ",\"solution\":[");
    for (unsigned i = 0; i < count; i++) {
        movetext_to_usi(moves[i], text);
        text_buffer_format(out, "%s\"%s\"", i ? "," : "", text);
    }
    text_buffer_put_char(out, ']');
}

static void put_judgement(struct text_buffer *out, const struct survey_case *c)
{
    struct motif_report report;
    survey_judge_case(c, &report);
    text_buffer_format(out, ",\"rating\":%d,\"themes\":[", report.rating);
    bool first = true;
    for (int m = 0; m < MOTIF_COUNT; m++) {
        if (!(report.themes >> m & 1)) continue;
        text_buffer_format(out, "%s\"%s\"", first ? "" : ",", motif_word((enum motif)m));
        first = false;
    }
    if (c->mine.mate) text_buffer_format(out, "%s\"mateIn%u\"", first ? "" : ",", c->mine.solver_count);
    text_buffer_put_char(out, ']');
}

static void write_case(const struct survey *s, const struct survey_case *c, struct text_buffer *out)
{
    static const char *const verdicts[] = {"open", "accepted", "rejected", "held"};
    const struct mine_case *m = &c->mine;
    struct position before;
    char mistake[MOVETEXT_BYTES_MAX];
    survey_replay(s, c->ply - 1, &before);
    movetext_to_usi(s->moves[c->ply - 1], mistake);
    text_buffer_format(out, "{\"ply\":%" PRIu32 ",\"verdict\":\"%s\",\"reason\":\"%s\",\"stage\":\"%s\"", c->ply,
                       verdicts[m->verdict], mine_reason_word(m->reason), m->lane == TASK_AUDIT ? "audit" : "verify");
    put_sfen(out, "sfen", &m->start);
    put_sfen(out, "before", &before);
    put_string(out, "mistake", mistake);
    put_string(out, "chance", mine_chance_word(c->chance));
    put_score(out, "before_", m->before);
    put_score(out, "scan_", survey_position(s, c->ply)->score);
    if (m->count) {
        put_moves(out, m->line, m->count);
        put_score(out, "", m->moves[0].score);
        put_score(out, "runner_up_", m->moves[0].runner);
        text_buffer_format(out, ",\"mate_plies\":%u,\"depths\":[", m->mate ? m->mate_plies : 0);
        for (unsigned i = 0; i < m->solver_count; i++)
            text_buffer_format(out, "%s%" PRIu32, i ? "," : "", m->moves[i].depth);
        text_buffer_put_char(out, ']');
    }
    if (m->verdict == MINE_ACCEPTED) put_judgement(out, c);
    text_buffer_format(out, ",\"nodes_verify\":%" PRIu64 ",\"nodes_audit\":%" PRIu64 "}", m->nodes_verify,
                       m->nodes_audit);
}

size_t game_rows_write(const struct survey *s, struct text_buffer *out, struct game_row rows[GAME_ROWS_MAX])
{
    size_t count = 0;
    rows[count++] = (struct game_row){.kind = "scan", .at = out->length};
    write_scan(s, out);
    rows[0].bytes = out->length - rows[0].at;
    for (uint32_t i = 0; i < s->case_count; i++) {
        struct game_row *row = &rows[count++];
        *row = (struct game_row){.ply = s->cases[i].ply, .kind = "case", .at = out->length};
        write_case(s, &s->cases[i], out);
        row->bytes = out->length - row->at;
    }
    return count;
}
