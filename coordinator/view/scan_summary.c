/* scan_summary.c - see scan_summary.h. */
#include "coordinator/view/scan_summary.h"

#include "common/shogi/sfen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 96, OPENINGS_SHOWN = 500 };
enum { WON, DRAWN, LOST, OPEN, RESULTS };

/* Upper ends of the histogram, permille of win probability lost by one move; the last bucket is open. */
static const int32_t bucket_ends[LOSS_BUCKETS - 1] = {1, 10, 25, 50, 100, 150, 300};

struct summary_player {
    char name[NAME_BYTES];
    uint64_t games, results[RESULTS], moves, classes[JUDGE_MISSED_MATE + 1], losses[LOSS_BUCKETS];
    int64_t loss_permille, loss_cp;
};

struct summary_opening {
    uint64_t key; /* 0 = free */
    uint32_t ply, games, black, white, draws;
    char sfen[SFEN_BYTES_MAX];
};

void scan_summary_init(struct scan_summary *s) { memset(s, 0, sizeof *s); }

void scan_summary_free(struct scan_summary *s)
{
    free(s->players);
    free(s->openings);
    memset(s, 0, sizeof *s);
}

/* ---- players ---------------------------------------------------------------------------------------------------- */

static struct summary_player *player_of(struct scan_summary *s, struct text name)
{
    name = text_clip(text_trim(name), NAME_BYTES - 1);
    if (text_empty(name)) return NULL;
    for (size_t i = 0; i < s->player_count; i++)
        if (text_is(name, s->players[i].name)) return &s->players[i];
    if (s->player_count == s->player_capacity) {
        size_t capacity = s->player_capacity ? 2 * s->player_capacity : 64;
        struct summary_player *players = realloc(s->players, capacity * sizeof *players);
        if (!players) {
            s->broken = true;
            return NULL;
        }
        s->players = players;
        s->player_capacity = capacity;
    }
    struct summary_player *p = &s->players[s->player_count++];
    memset(p, 0, sizeof *p);
    memcpy(p->name, name.at, text_length(name));
    return p;
}

static void player_add(struct scan_summary *s, const struct record *record, const struct game_position *positions,
                       bool black)
{
    struct summary_player *p = player_of(s, record_header_value(record, black ? RECORD_KEY_BLACK : RECORD_KEY_WHITE));
    if (!p) return;
    enum record_winner winner = (enum record_winner)record_main(record)->winner;
    bool won = winner == (black ? RECORD_WINNER_BLACK : RECORD_WINNER_WHITE);
    p->games++;
    p->results[winner == RECORD_WINNER_NONE ? OPEN : winner == RECORD_WINNER_DRAW ? DRAWN : won ? WON : LOST]++;
    for (uint32_t ply = 1; ply <= record_plies(record); ply++) {
        struct game_judged judged = game_judge_ply(record, positions, ply);
        if (judged.black != black || judged.verdict.class == JUDGE_UNKNOWN) continue;
        int bucket = 0;
        while (bucket < LOSS_BUCKETS - 1 && judged.verdict.loss_permille >= bucket_ends[bucket]) bucket++;
        p->moves++;
        p->classes[judged.verdict.class]++;
        p->losses[bucket]++;
        p->loss_permille += judged.verdict.loss_permille;
        p->loss_cp += judged.verdict.loss_cp;
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct summary_player *)a)->name, ((const struct summary_player *)b)->name);
}

static void write_player(const struct summary_player *p, struct text_buffer *out)
{
    text_buffer_put_string(out, "{\"type\":\"player\",\"name\":");
    text_buffer_put_json(out, text_from(p->name));
    text_buffer_format(out,
                       ",\"games\":%" PRIu64 ",\"won\":%" PRIu64 ",\"drawn\":%" PRIu64 ",\"lost\":%" PRIu64
                       ",\"open\":%" PRIu64 ",\"moves\":%" PRIu64 ",\"classes\":{",
                       p->games, p->results[WON], p->results[DRAWN], p->results[LOST], p->results[OPEN], p->moves);
    for (int c = JUDGE_BEST; c <= JUDGE_MISSED_MATE; c++)
        text_buffer_format(out, "%s\"%s\":%" PRIu64, c > JUDGE_BEST ? "," : "", judge_class_name((enum judge_class)c),
                           p->classes[c]);
    text_buffer_put_string(out, "},\"loss_win_permille_below\":{");
    for (int b = 0; b < LOSS_BUCKETS; b++) {
        if (b < LOSS_BUCKETS - 1)
            text_buffer_format(out, "%s\"%" PRId32 "\":%" PRIu64, b ? "," : "", bucket_ends[b], p->losses[b]);
        else
            text_buffer_format(out, ",\"1001\":%" PRIu64, p->losses[b]);
    }
    text_buffer_format(out, "},\"loss_win_permille_sum\":%" PRId64 ",\"loss_cp_sum\":%" PRId64 "}\n", p->loss_permille,
                       p->loss_cp);
}

/* ---- openings --------------------------------------------------------------------------------------------------- */

static struct summary_opening *opening_at(struct summary_opening *table, size_t capacity, uint64_t key)
{
    size_t at = (size_t)key;
    while (table[at % capacity].key && table[at % capacity].key != key) at++;
    return &table[at % capacity];
}

static bool openings_grow(struct scan_summary *s)
{
    size_t capacity = s->opening_capacity ? 2 * s->opening_capacity : 4096;
    struct summary_opening *table = calloc(capacity, sizeof *table);
    if (!table) {
        s->broken = true;
        return false;
    }
    for (size_t i = 0; i < s->opening_capacity; i++)
        if (s->openings[i].key) *opening_at(table, capacity, s->openings[i].key) = s->openings[i];
    free(s->openings);
    s->openings = table;
    s->opening_capacity = capacity;
    return true;
}

static void opening_add(struct scan_summary *s, const struct record *record)
{
    struct position pos = record->initial;
    uint64_t seen[OPENING_PLIES];
    uint32_t plies = record_plies(record) < OPENING_PLIES ? record_plies(record) : OPENING_PLIES;
    for (uint32_t ply = 1; ply <= plies; ply++) {
        struct undo undo;
        position_do(&pos, record->moves[record->lines[0].first + ply - 1].move, &undo);
        uint64_t key = position_key(&pos) | 1;
        bool repeated = false;
        seen[ply - 1] = key;
        for (uint32_t i = 0; i + 1 < ply; i++) repeated = repeated || seen[i] == key;
        if (repeated || s->opening_count >= OPENING_POSITIONS_MAX) continue;
        if (2 * s->opening_count >= s->opening_capacity && !openings_grow(s)) return;
        struct summary_opening *o = opening_at(s->openings, s->opening_capacity, key);
        if (!o->key) {
            o->key = key;
            o->ply = ply;
            sfen_write(&pos, o->sfen);
            s->opening_count++;
        }
        o->games++;
        o->black += record_main(record)->winner == RECORD_WINNER_BLACK;
        o->white += record_main(record)->winner == RECORD_WINNER_WHITE;
        o->draws += record_main(record)->winner == RECORD_WINNER_DRAW;
    }
}

static int by_games(const void *a, const void *b)
{
    const struct summary_opening *x = a, *y = b;
    if (x->games != y->games) return x->games > y->games ? -1 : 1;
    if (x->ply != y->ply) return x->ply < y->ply ? -1 : 1;
    return strcmp(x->sfen, y->sfen);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

void scan_summary_add(struct scan_summary *s, const struct record *record, const struct game_position *positions)
{
    player_add(s, record, positions, true);
    player_add(s, record, positions, false);
    opening_add(s, record);
}

/* Sorted copies, in the order in which they are shown; NULL: no memory. The caller frees them. */
static struct summary_player *players_sorted(const struct scan_summary *s)
{
    struct summary_player *players = s->broken ? NULL : malloc((s->player_count + 1) * sizeof *players);
    if (players && s->player_count) memcpy(players, s->players, s->player_count * sizeof *players);
    if (players) qsort(players, s->player_count, sizeof *players, by_name);
    return players;
}

static struct summary_opening *openings_shown(const struct scan_summary *s, size_t *count)
{
    struct summary_opening *openings = s->broken ? NULL : malloc((s->opening_count + 1) * sizeof *openings);
    size_t shared = 0;
    for (size_t i = 0; openings && i < s->opening_capacity; i++)
        if (s->openings[i].key && s->openings[i].games > 1) openings[shared++] = s->openings[i];
    if (openings) qsort(openings, shared, sizeof *openings, by_games);
    *count = shared < OPENINGS_SHOWN ? shared : OPENINGS_SHOWN;
    return openings;
}

void scan_summary_write(const struct scan_summary *s, struct text_buffer *out)
{
    size_t shown;
    struct summary_player *players = players_sorted(s);
    struct summary_opening *openings = openings_shown(s, &shown);
    if (!players || !openings) out->status = ST_NO_MEMORY;
    for (size_t i = 0; players && i < s->player_count; i++) write_player(&players[i], out);
    for (size_t i = 0; openings && i < shown; i++)
        text_buffer_format(out,
                           "{\"type\":\"opening\",\"sfen\":\"%s\",\"ply\":%" PRIu32 ",\"games\":%" PRIu32
                           ",\"black_won\":%" PRIu32 ",\"white_won\":%" PRIu32 ",\"drawn\":%" PRIu32 "}\n",
                           openings[i].sfen, openings[i].ply, openings[i].games, openings[i].black, openings[i].white,
                           openings[i].draws);
    free(players);
    free(openings);
}

static void put_cell(struct text_buffer *out, const char *text)
{
    text_buffer_put_char(out, '"');
    for (; *text; text++) {
        if (*text == '"') text_buffer_put_char(out, '"');
        text_buffer_put_char(out, *text);
    }
    text_buffer_put_char(out, '"');
}

void scan_summary_write_players_csv(const struct scan_summary *s, struct text_buffer *out)
{
    struct summary_player *players = players_sorted(s);
    text_buffer_put_string(out, "name,games,won,drawn,lost,open,moves");
    for (int c = JUDGE_BEST; c <= JUDGE_MISSED_MATE; c++)
        text_buffer_format(out, ",%s", judge_class_name((enum judge_class)c));
    for (int b = 0; b < LOSS_BUCKETS; b++)
        text_buffer_format(out, ",loss_below_%" PRId32, b < LOSS_BUCKETS - 1 ? bucket_ends[b] : (int32_t)1001);
    text_buffer_put_string(out, ",loss_win_permille_sum,loss_cp_sum\n");
    if (!players) out->status = ST_NO_MEMORY;
    for (size_t i = 0; players && i < s->player_count; i++) {
        const struct summary_player *p = &players[i];
        put_cell(out, p->name);
        text_buffer_format(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, p->games,
                           p->results[WON], p->results[DRAWN], p->results[LOST], p->results[OPEN], p->moves);
        for (int c = JUDGE_BEST; c <= JUDGE_MISSED_MATE; c++) text_buffer_format(out, ",%" PRIu64, p->classes[c]);
        for (int b = 0; b < LOSS_BUCKETS; b++) text_buffer_format(out, ",%" PRIu64, p->losses[b]);
        text_buffer_format(out, ",%" PRId64 ",%" PRId64 "\n", p->loss_permille, p->loss_cp);
    }
    free(players);
}

void scan_summary_write_openings_csv(const struct scan_summary *s, struct text_buffer *out)
{
    size_t shown;
    struct summary_opening *openings = openings_shown(s, &shown);
    text_buffer_put_string(out, "sfen,ply,games,black_won,white_won,drawn\n");
    if (!openings) out->status = ST_NO_MEMORY;
    for (size_t i = 0; openings && i < shown; i++)
        text_buffer_format(out, "%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", openings[i].sfen,
                           openings[i].ply, openings[i].games, openings[i].black, openings[i].white, openings[i].draws);
    free(openings);
}
