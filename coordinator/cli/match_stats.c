#include "coordinator/cli/match_stats.h"

#include <math.h>

static const double Z95 = 1.959963984540054;

void match_score_add_game(struct match_score *score, unsigned half_points)
{
    if (half_points >= 2)
        score->wins++;
    else if (half_points == 1)
        score->draws++;
    else
        score->losses++;
}

void match_score_add_pair(struct match_score *score, unsigned half_points_a, unsigned half_points_b)
{
    unsigned sum = half_points_a + half_points_b;
    score->pairs[sum < 5 ? sum : 4]++;
}

uint32_t match_score_games(const struct match_score *score) { return score->wins + score->draws + score->losses; }

uint32_t match_score_pairs(const struct match_score *score)
{
    uint32_t pairs = 0;
    for (unsigned i = 0; i < 5; i++) pairs += score->pairs[i];
    return pairs;
}

double match_stats_score_from_elo(double elo) { return 1.0 / (1.0 + pow(10.0, -elo / 400.0)); }

double match_stats_elo_from_score(double score)
{
    if (score <= 0.0) return -INFINITY;
    if (score >= 1.0) return INFINITY;
    return 400.0 * log10(score / (1.0 - score));
}

/* A sample of outcomes: values 0..1 with their counts. */
struct sample {
    unsigned size;
    double values[5], counts[5];
    double even_variance; /* of one outcome when engines are even and nothing is drawn */
};

static struct sample make_sample(const struct match_score *score)
{
    if (match_score_pairs(score) > 0) {
        struct sample sample = {.size = 5, .even_variance = 0.125};
        for (unsigned i = 0; i < 5; i++) {
            sample.values[i] = i / 4.0;
            sample.counts[i] = score->pairs[i];
        }
        return sample;
    }
    return (struct sample){
        .size = 3,
        .values = {0.0, 0.5, 1.0},
        .counts = {score->losses, score->draws, score->wins},
        .even_variance = 0.25,
    };
}

static double sample_count(const struct sample *sample)
{
    double count = 0;
    for (unsigned i = 0; i < sample->size; i++) count += sample->counts[i];
    return count;
}

static double sample_mean(const struct sample *sample)
{
    double sum = 0;
    for (unsigned i = 0; i < sample->size; i++) sum += sample->counts[i] * sample->values[i];
    return sum / sample_count(sample);
}

struct match_estimate match_stats_estimate(const struct match_score *score)
{
    struct match_estimate estimate = {
        .score = 0.5, .elo_low = -INFINITY, .elo_high = INFINITY, .elo_error = INFINITY, .superiority = 0.5};
    uint32_t games = match_score_games(score);
    if (games == 0) return estimate;
    estimate.score = (score->wins + score->draws / 2.0) / games;
    estimate.draw_ratio = (double)score->draws / games;
    estimate.paired = match_score_pairs(score) > 0;

    struct sample sample = make_sample(score);
    double n = sample_count(&sample), mean = sample_mean(&sample), squares = 0;
    for (unsigned i = 0; i < sample.size; i++)
        squares += sample.counts[i] * (sample.values[i] - mean) * (sample.values[i] - mean);
    /* Wilson: (m - mean)^2 = z^2 r m (1 - m) / n, with r the ratio of the variance to the binomial's; one outcome of
     * prior knowledge (even engines without draws) goes into both. */
    double variance = (squares + sample.even_variance) / n, binomial = mean * (1 - mean);
    double ratio = (squares + sample.even_variance) / (n * binomial + 0.25);
    double spread = Z95 * Z95 * ratio / n;
    double centre = (mean + spread / 2) / (1 + spread);
    double half = sqrt(spread * (binomial + spread / 4)) / (1 + spread);
    estimate.elo = match_stats_elo_from_score(mean);
    estimate.elo_low = match_stats_elo_from_score(centre - half);
    estimate.elo_high = match_stats_elo_from_score(centre + half);
    if (mean <= 0.0) estimate.elo_low = -INFINITY; /* rounding may leave a finite end */
    if (mean >= 1.0) estimate.elo_high = INFINITY;
    estimate.elo_error = (estimate.elo_high - estimate.elo_low) / 2;
    estimate.superiority = 0.5 * erfc(-(mean - 0.5) / sqrt(2 * variance / n));
    return estimate;
}

/* Maximum likelihood probabilities with the given mean are counts / (n (1 + x (value - mean))): finds x. The left side
 * of the equation falls strictly between the two poles, so halving always ends. */
static double tilt_for_mean(const struct sample *sample, double n, double mean)
{
    double low = -1.0 / (sample->values[sample->size - 1] - mean), high = 1.0 / (mean - sample->values[0]);
    for (unsigned step = 0; step < 200; step++) {
        double x = (low + high) / 2, sum = 0;
        for (unsigned i = 0; i < sample->size; i++) {
            double distance = sample->values[i] - mean;
            sum += sample->counts[i] / n * distance / (1 + x * distance);
        }
        if (sum > 0)
            low = x;
        else
            high = x;
    }
    return (low + high) / 2;
}

struct sprt_state match_stats_sprt(const struct match_score *score, const struct sprt *sprt)
{
    struct sprt_state state = {
        .lower = log(sprt->beta / (1 - sprt->alpha)),
        .upper = log((1 - sprt->beta) / sprt->alpha),
    };
    if (match_score_games(score) == 0) return state;
    struct sample sample = make_sample(score);
    for (unsigned i = 0; i < sample.size; i++)
        if (sample.counts[i] <= 0)
            sample.counts[i] = 1e-3; /* nothing is impossible; also keeps the equation solvable */
    double n = sample_count(&sample);
    double mean0 = match_stats_score_from_elo(sprt->elo0), mean1 = match_stats_score_from_elo(sprt->elo1);
    double x0 = tilt_for_mean(&sample, n, mean0), x1 = tilt_for_mean(&sample, n, mean1);
    for (unsigned i = 0; i < sample.size; i++)
        state.llr +=
            sample.counts[i] * log((1 + x0 * (sample.values[i] - mean0)) / (1 + x1 * (sample.values[i] - mean1)));
    if (state.llr >= state.upper)
        state.verdict = SPRT_ACCEPT_H1;
    else if (state.llr <= state.lower)
        state.verdict = SPRT_ACCEPT_H0;
    return state;
}

void lateness_add(struct lateness *lateness, int64_t late_us, int64_t network_delay_us)
{
    lateness->moves++;
    if (late_us <= 0) return;
    lateness->late++;
    if (late_us > network_delay_us) lateness->overruns++;
    if (late_us > lateness->max_us) lateness->max_us = late_us;
    int64_t bucket = (late_us + 999) / 1000;
    lateness->buckets_ms[bucket < LATENESS_BUCKETS ? bucket : LATENESS_BUCKETS - 1]++;
}

uint32_t lateness_quantile_ms(const struct lateness *lateness, double share)
{
    double wanted = share * lateness->moves;
    double below = lateness->moves - lateness->late;
    for (uint32_t ms = 0; ms < LATENESS_BUCKETS; ms++) {
        below += lateness->buckets_ms[ms];
        if (below >= wanted) return ms;
    }
    return LATENESS_BUCKETS - 1;
}
