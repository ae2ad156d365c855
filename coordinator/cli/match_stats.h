/* match_stats.h - what a match says about two engines: Elo with error bars, likelihood of superiority, SPRT.
 *
 * The unit is the pair of games from one opening with exchanged colours, not the game: the two games of a pair are not
 * independent, and pairs are (pentanomial model). All figures are from the first engine's view, Elo is logistic.
 *
 * Sources: pentanomial Elo and the generalised SPRT: M. Van den Bergh, "A practical introduction to the GSPRT", as used
 * by fishtest. LLR is the exact one (maximum likelihood under each hypothesis), not its normal approximation.
 * Interval: Wilson's score interval with the variance of the pairs in the place of the binomial's; one
 * imagined pair of even games without draws is added to it, so that ten wins out of ten are not "no error".
 *
 * Pure; here and not in the core because logarithms differ between machines in the last digit. No state but the
 * structs.
 */
#ifndef MURAKUMO_CLI_MATCH_STATS_H
#define MURAKUMO_CLI_MATCH_STATS_H

#include <stdbool.h>
#include <stdint.h>

struct match_score { /* first engine */
    uint32_t wins, draws, losses;
    uint32_t pairs[5]; /* by the points of both games of a pair: 0, 1/2, 1, 3/2, 2 */
};

/* Results are half points of the first engine: 0, 1 or 2. */
void match_score_add_game(struct match_score *score, unsigned half_points);
void match_score_add_pair(struct match_score *score, unsigned half_points_a, unsigned half_points_b);
uint32_t match_score_games(const struct match_score *score);
uint32_t match_score_pairs(const struct match_score *score);

struct match_estimate {
    double score;             /* 0..1 over all games; 0.5 without games */
    double elo;               /* +-INFINITY when every point went one way */
    double elo_low, elo_high; /* 95 % */
    double elo_error;         /* half of the interval; INFINITY if one end is */
    double superiority;       /* likelihood that the first engine is stronger, 0..1 */
    double draw_ratio;        /* of all games */
    bool paired;              /* from pairs; false: no pair is complete yet, games were taken as independent */
};
struct match_estimate match_stats_estimate(const struct match_score *score);

/* Expected score 0..1 of a logistic Elo difference, and back (+-INFINITY at 0 and 1). */
double match_stats_score_from_elo(double elo);
double match_stats_elo_from_score(double score);

struct sprt { /* H0: the difference is elo0; H1: it is elo1 */
    double elo0, elo1, alpha, beta;
};
enum sprt_verdict { SPRT_CONTINUE, SPRT_ACCEPT_H0, SPRT_ACCEPT_H1 };
struct sprt_state {
    double llr, lower, upper; /* accept H0 at lower, H1 at upper */
    enum sprt_verdict verdict;
};
struct sprt_state match_stats_sprt(const struct match_score *score, const struct sprt *sprt);

/* How late the answers of one engine came: the part of each move's time beyond what it was given. */
enum { LATENESS_BUCKETS = 4096 }; /* 1 ms each; the last one holds all that is later */
struct lateness {
    uint32_t moves;    /* answers with a time limit, late or not */
    uint32_t late;     /* > 0 */
    uint32_t overruns; /* beyond the allowed network delay */
    int64_t max_us;
    uint32_t buckets_ms[LATENESS_BUCKETS]; /* of late ones, rounded up */
};
void lateness_add(struct lateness *lateness, int64_t late_us, int64_t network_delay_us);
/* Smallest number of ms that is not exceeded by this share of all limited moves. 0 without any. */
uint32_t lateness_quantile_ms(const struct lateness *lateness, double share);

#endif
