/* tune.c - see train.h. Logistic regression: the score of a quiet position should foretell the result of the game and
 * what a search says about it.
 *
 * Every term is linear, so a position is a list of (weight, count) pairs; the gradient of the squared error of the
 * winning probability is summed over batches and followed with Adam (Kingma and Ba 2015). A pull towards the weights of
 * the start keeps rare terms where they were.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "worker/engine/eval_classic.h"
#include "worker/engine/movepick.h"
#include "worker/train/train.h"

enum { TERMS_MAX = 2048, EPOCHS = 14, BATCH = 16384, USED_CP_MAX = 2500, LINE_BYTES_MAX = 1 << 16 };

static const double win_scale_cp = 600, result_share = 0.4, rate_first = 12, rate_last = 0.6, pull = 2e-7;

struct pair {
    int16_t index, count; /* count times CLASSIC_PHASE_MAX */
};

struct sample {
    size_t first; /* in pairs */
    uint32_t count;
    float target; /* 0..1 for the side to move */
};

struct data {
    struct pair *pairs;
    size_t pair_count, pair_room;
    struct sample *samples;
    size_t sample_count, sample_room;
};

static void *grow(void *list, size_t *room, size_t needed, size_t item_bytes)
{
    if (needed <= *room) return list;
    *room = needed * 2;
    void *larger = realloc(list, *room * item_bytes);
    if (!larger) {
        fputs("tune: out of memory\n", stderr);
        exit(1);
    }
    return larger;
}

struct collector {
    int16_t counts[CLASSIC_WEIGHT_COUNT];
    int touched[TERMS_MAX];
    int touched_count;
};

static void collect(void *context, int index, int count)
{
    struct collector *c = context;
    if (count == 0) return;
    if (c->counts[index] == 0 && c->touched_count < TERMS_MAX) c->touched[c->touched_count++] = index;
    c->counts[index] = (int16_t)(c->counts[index] + count);
}

static void add_sample(struct data *data, struct collector *c, const struct position *pos, double target)
{
    c->touched_count = 0;
    classic_trace(pos, collect, c);
    size_t needed = data->pair_count + (size_t)c->touched_count;
    data->pairs = grow(data->pairs, &data->pair_room, needed, sizeof *data->pairs);
    data->samples = grow(data->samples, &data->sample_room, data->sample_count + 1, sizeof *data->samples);
    struct sample *s = &data->samples[data->sample_count++];
    *s = (struct sample){.first = data->pair_count, .target = (float)target};
    for (int i = 0; i < c->touched_count; i++) {
        int index = c->touched[i];
        /* A weight may be touched, cancelled out and touched again: it is listed twice then, the second time as 0. */
        if (c->counts[index] != 0)
            data->pairs[data->pair_count++] = (struct pair){.index = (int16_t)index, .count = c->counts[index]};
        c->counts[index] = 0;
    }
    s->count = (uint32_t)(data->pair_count - s->first);
}

static double win_probability(double cp) { return 1 / (1 + exp(-cp / win_scale_cp)); }

/* One line: RESULT SFEN | MOVE SCORE MOVE SCORE ... */
static bool read_game(struct data *data, struct collector *c, char *line)
{
    struct position pos;
    struct undo undo;
    char *bar = strchr(line, '|');
    if (!bar || strlen(line) < 8 || (line[0] != 'b' && line[0] != 'w' && line[0] != 'd')) return false;
    if (sfen_read(&pos, line + 2, (size_t)(bar - line) - 2, NULL, NULL) != ST_OK) return false;
    char *save = NULL, *usi = strtok_r(bar + 1, " \n", &save);
    while (usi) {
        char *score_text = strtok_r(NULL, " \n", &save);
        Move move = movetext_from_usi(&pos, usi, strlen(usi));
        if (!score_text || move == MOVE_NONE) return false;
        if (score_text[0] != '-' || score_text[1] != '\0') {
            int score_cp = atoi(score_text);
            if (score_cp <= USED_CP_MAX && score_cp >= -USED_CP_MAX && !position_in_check(&pos) &&
                !move_is_tactical(&pos, move)) {
                double result = line[0] == 'd' ? 0.5 : (line[0] == 'b') == (pos.side == BLACK) ? 1 : 0;
                add_sample(data, c, &pos, result_share * result + (1 - result_share) * win_probability(score_cp));
            }
        }
        position_do(&pos, move, &undo);
        usi = strtok_r(NULL, " \n", &save);
    }
    return true;
}

/* Mean squared error of samples [first, end); adds gradients when asked. */
static double pass(const struct data *data, const uint32_t *order, size_t first, size_t end, const double *weights,
                   double *gradient)
{
    double loss = 0;
    for (size_t i = first; i < end; i++) {
        const struct sample *s = &data->samples[order[i]];
        const struct pair *p = data->pairs + s->first;
        double sum = 0;
        for (uint32_t k = 0; k < s->count; k++) sum += weights[p[k].index] * p[k].count;
        double chance = win_probability(sum / (CLASSIC_UNIT * CLASSIC_PHASE_MAX)), error = chance - (double)s->target;
        loss += error * error;
        if (!gradient) continue;
        double slope = error * chance * (1 - chance) / CLASSIC_PHASE_MAX;
        for (uint32_t k = 0; k < s->count; k++) gradient[p[k].index] += slope * p[k].count;
    }
    return loss / (double)(end - first);
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static void shuffle(uint32_t *order, size_t count, uint64_t *state)
{
    for (size_t i = count; i > 1; i--) {
        size_t k = (size_t)(next_random(state) % i);
        uint32_t swap = order[i - 1];
        order[i - 1] = order[k];
        order[k] = swap;
    }
}

static void fit(const struct data *data, double *weights)
{
    enum { N = CLASSIC_WEIGHT_COUNT };
    static double start[N], gradient[N], mean[N], square[N];
    uint64_t state = 1;
    uint32_t *order = malloc(data->sample_count * sizeof *order);
    if (!order) exit(1);
    for (size_t i = 0; i < data->sample_count; i++) order[i] = (uint32_t)i;
    shuffle(order, data->sample_count, &state);
    size_t held_back = data->sample_count / 20, used = data->sample_count - held_back;
    memcpy(start, weights, sizeof start);
    double power1 = 1, power2 = 1;
    fprintf(stderr, "samples %zu held back %zu loss %.6f\n", used, held_back,
            pass(data, order, used, data->sample_count, weights, NULL));
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        double rate = rate_first * pow(rate_last / rate_first, (double)epoch / (EPOCHS - 1)), loss = 0;
        size_t batches = 0;
        shuffle(order, used, &state);
        for (size_t first = 0; first < used; first += BATCH, batches++) {
            size_t end = first + BATCH < used ? first + BATCH : used;
            memset(gradient, 0, sizeof gradient);
            loss += pass(data, order, first, end, weights, gradient);
            power1 *= 0.9;
            power2 *= 0.999;
            for (int i = 0; i < N; i++) {
                double g = gradient[i] / (double)(end - first) + pull * (weights[i] - start[i]);
                mean[i] = 0.9 * mean[i] + 0.1 * g;
                square[i] = 0.999 * square[i] + 0.001 * g * g;
                weights[i] -= rate * (mean[i] / (1 - power1)) / (sqrt(square[i] / (1 - power2)) + 1e-9);
            }
        }
        if (epoch % 5 == 4 || epoch == EPOCHS - 1)
            fprintf(stderr, "epoch %d loss %.6f held back %.6f\n", epoch + 1, loss / (double)batches,
                    pass(data, order, used, data->sample_count, weights, NULL));
    }
    free(order);
}

/* ---- writing -------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t rows, columns, phases;
} tables[] = {
#define LIST(field)                                                                                                    \
    {                                                                                                                  \
#field, 1, sizeof classic_weights.field / sizeof(int16_t), 1                                                   \
    }
#define TABLE(field)                                                                                                   \
    {                                                                                                                  \
#field, sizeof classic_weights.field /                                                                         \
                    sizeof classic_weights.field[0], sizeof classic_weights.field[0] / sizeof(int16_t), 1              \
    }
#define PHASED_LIST(field)                                                                                             \
    {                                                                                                                  \
#field, 1, sizeof classic_weights.field / sizeof(Phased), 2                                                    \
    }
#define PHASED_TABLE(field)                                                                                            \
    {                                                                                                                  \
#field, sizeof classic_weights.field /                                                                         \
                    sizeof classic_weights.field[0], sizeof classic_weights.field[0] / sizeof(Phased), 2               \
    }
    LIST(material),
    TABLE(square),
    TABLE(own_king),
    TABLE(enemy_king),
    PHASED_LIST(king_square),
    PHASED_TABLE(hand),
    PHASED_TABLE(ring),
    PHASED_LIST(ring_wall),
    PHASED_TABLE(ring_weak),
    PHASED_TABLE(ring_flee),
    PHASED_TABLE(near_attacked),
    PHASED_TABLE(near_guarded),
    PHASED_TABLE(attacked),
    {"hanging", TYPE_COUNT + 1, 6, 2},
    PHASED_LIST(guarded),
    PHASED_LIST(held),
    PHASED_TABLE(mobility),
    {"tempo", 1, 1, 2}};

static int rounded(double weight)
{
    double w = weight < -32000 ? -32000 : weight > 32000 ? 32000 : weight;
    return (int)(w < 0 ? w - 0.5 : w + 0.5);
}

static bool write_weights(const char *path, const double *weights)
{
    FILE *file = fopen(path, "w");
    if (!file) return false;
    fputs("/* eval_classic_weights.c - written by worker/train; do not edit. Unit: 1/8 centipawn. */\n"
          "#include \"worker/engine/eval_classic.h\"\n\n/* clang-format off */\n\nconst struct classic_weights "
          "classic_weights = {\n",
          file);
    const double *w = weights;
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        bool flat = tables[t].rows == 1;
        fprintf(file, "    .%s = %s", tables[t].name, flat ? "" : "{\n");
        for (size_t r = 0; r < tables[t].rows; r++) {
            bool list = tables[t].columns > 1, split = strcmp(tables[t].name, "hanging") == 0;
            fputs(flat ? "" : "        ", file);
            if (list) fputs(split ? "{{" : "{", file);
            for (size_t k = 0; k < tables[t].columns; k++, w += tables[t].phases) {
                fputs(k == 0 ? "" : split && k == tables[t].columns / 2 ? "}, {" : ", ", file);
                if (tables[t].phases == 1)
                    fprintf(file, "%d", rounded(w[0]));
                else
                    fprintf(file, "{%d, %d}", rounded(w[0]), rounded(w[1]));
            }
            if (list) fputs(split ? "}}" : "}", file);
            fputs(flat ? "" : ",\n", file);
        }
        fputs(flat ? ",\n" : "    },\n", file);
    }
    fputs("};\n", file);
    return fclose(file) == 0;
}

int train_tune(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: tune OUT.c FILE...\n", stderr);
        return 2;
    }
    struct data data = {0};
    struct collector *collector = calloc(1, sizeof *collector);
    char *line = malloc(LINE_BYTES_MAX);
    static double weights[CLASSIC_WEIGHT_COUNT];
    if (!collector || !line) return 1;
    unsigned long games = 0;
    for (int i = 2; i < argc; i++) {
        FILE *file = fopen(argv[i], "r");
        if (!file) {
            fprintf(stderr, "tune: cannot read %s\n", argv[i]);
            return 1;
        }
        while (fgets(line, LINE_BYTES_MAX, file)) games += read_game(&data, collector, line);
        fclose(file);
    }
    fprintf(stderr, "games %lu positions %zu terms %zu\n", games, data.sample_count, data.pair_count);
    if (data.sample_count < 100) return 1;
    for (size_t i = 0; i < CLASSIC_WEIGHT_COUNT; i++) weights[i] = ((const int16_t *)&classic_weights)[i];
    fit(&data, weights);
    bool written = write_weights(argv[1], weights);
    free(data.pairs);
    free(data.samples);
    free(collector);
    free(line);
    return written ? 0 : 1;
}
