/* check_certificate.c - proofs of mates as text: what the solver proves passes, everything else does not. */
#include "common/base/prng.h"
#include "common/shogi/certificate.h"
#include "common/shogi/movetext.h"
#include "common/shogi/sfen.h"
#include "tests/unit/check_main.h"
#include "worker/engine/mate/mate.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 4096 };

static struct mate_solver *solver;
static struct mate_result found;
static struct certificate *certificate;
static char text[TEXT_MAX];
static size_t text_bytes;

static void set_up(void)
{
    solver = mate_new(1 << 20, 1);
    certificate = certificate_new(TEXT_MAX);
    ck_assert(solver && certificate);
}

static void tear_down(void)
{
    mate_free(solver);
    certificate_free(certificate);
}

static struct position read_position(const char *sfen)
{
    struct position pos;
    ck_assert_int_eq(sfen_read(&pos, sfen, strlen(sfen), NULL, NULL), ST_OK);
    return pos;
}

/* Solves and writes the proof into `text`. */
static void prove(const struct position *root)
{
    mate_solve(solver, root, NULL, &found);
    ck_assert_int_eq(found.verdict, MATE_PROVED);
    text_bytes = 0;
    enum certificate_state state = certificate_begin(certificate, root);
    while (state == CERTIFICATE_ASKS) {
        int plies;
        Move check = mate_proof_move(solver, certificate_position(certificate), &plies);
        text_bytes += certificate_write(certificate, check, text + text_bytes);
        ck_assert_uint_lt(text_bytes, TEXT_MAX - CERTIFICATE_SYMBOL_BYTES);
        state = certificate_play(certificate, check);
    }
    ck_assert_int_eq(state, CERTIFICATE_PROVED);
}

static enum certificate_state check_text(const struct position *root, const char *bytes, size_t length,
                                         struct text *rest)
{
    *rest = text_make(bytes, length);
    enum certificate_state state = certificate_begin(certificate, root);
    while (state == CERTIFICATE_ASKS) state = certificate_play(certificate, certificate_read(certificate, rest));
    return state;
}

static bool next_problem(FILE *file, struct position *pos, long *plies)
{
    char line[512];
    while (fgets(line, sizeof line, file)) {
        char *tab = strchr(line, '\t');
        if (line[0] == '#' || !tab) continue;
        *tab = 0;
        *pos = read_position(line);
        *plies = strtol(tab + 1, NULL, 10);
        return true;
    }
    return false;
}

START_TEST(the_proof_of_every_mate_passes_and_gives_its_length)
{
    static const char *const files[] = {"tests/data/mate/short-generated.sfen",
                                        "tests/data/mate/underpromotion-needed.sfen"};
    unsigned count = 0;
    for (size_t f = 0; f < 2; f++) {
        FILE *file = fopen(files[f], "r");
        ck_assert_ptr_nonnull(file);
        struct position pos;
        long plies;
        for (unsigned i = 0; next_problem(file, &pos, &plies); i++) {
            if (f == 0 && i % 5 != 0) continue;
            struct text rest;
            prove(&pos);
            ck_assert_int_eq(check_text(&pos, text, text_bytes, &rest), CERTIFICATE_PROVED);
            ck_assert(text_empty(rest));
            ck_assert_uint_eq(certificate_plies(certificate), (unsigned)plies);
            ck_assert_uint_eq(certificate_positions(certificate), found.proof_nodes);
            ck_assert_uint_eq(text_bytes, found.proof_nodes); /* one symbol of one byte each, as far as these go */
            count++;
        }
        fclose(file);
    }
    ck_assert_uint_ge(count, 100);
}
END_TEST

START_TEST(a_proof_that_is_cut_or_belongs_to_another_position_is_refused)
{
    struct position pos = read_position("5B1n1/8k/6Rpp/9/9/9/1+p7/9/K8 b rb4g4s3n4l15p 1");
    struct position other = read_position("7nk/9/7Gp/6+RP1/9/9/1+p7/9/K8 b Pr2b3g4s3n4l14p 1");
    struct text rest;
    prove(&pos);
    for (size_t length = 0; length < text_bytes; length++)
        ck_assert_int_eq(check_text(&pos, text, length, &rest), CERTIFICATE_WRONG);
    ck_assert_int_eq(check_text(&other, text, text_bytes, &rest), CERTIFICATE_WRONG);
}
END_TEST

/* No text whatever proves a mate where there is none, and none proves a shorter one than there is. */
START_TEST(no_text_proves_what_is_not_true)
{
    static const char *const none[] = {"6pk1/9/4p2+P1/7B+p/5L3/9/9/9/9 b 2P2rb4g4s4n3l12p 1",
                                       "8k/9/7+R1/9/9/9/9/9/9 b Pr2b4g4s4n4l17p 1",
                                       "7k1/7n1/6R2/9/4R4/9/9/9/9 b P2b4g4s3n4l17p 1"};
    struct position mate = read_position("5B1n1/8k/6Rpp/9/9/9/1+p7/9/K8 b rb4g4s3n4l15p 1");
    struct prng prng = prng_make(7);
    unsigned proved = 0;
    for (unsigned i = 0; i < 60000; i++) {
        char random[64];
        struct text rest;
        for (size_t k = 0; k < sizeof random; k++)
            random[k] = (char)('0' + prng_below(&prng, prng_chance(&prng, 900) ? 6 : 79));
        struct position pos = read_position(none[i % 3]);
        ck_assert_int_ne(check_text(&pos, random, sizeof random, &rest), CERTIFICATE_PROVED);
        if (check_text(&mate, random, sizeof random, &rest) != CERTIFICATE_PROVED) continue;
        ck_assert_uint_ge(certificate_plies(certificate), 5);
        proved++;
    }
    ck_assert_uint_gt(proved, 0); /* the texts are no mere noise: some hit upon the mate */
}
END_TEST

START_TEST(a_text_that_runs_in_circles_ends)
{
    /* The rook checks from two squares, the king goes to and fro. */
    struct position pos = read_position("k8/9/9/9/9/9/9/9/1R6K b r2b4g4s4n4l18p 1");
    static char circle[1 << 16];
    struct text rest;
    memset(circle, '0', sizeof circle);
    ck_assert_int_ne(check_text(&pos, circle, sizeof circle, &rest), CERTIFICATE_PROVED);
}
END_TEST

START_TEST(more_positions_than_there_is_room_for_are_refused)
{
    struct position pos = read_position("5B1n1/8k/6Rpp/9/9/9/1+p7/9/K8 b rb4g4s3n4l15p 1");
    struct text rest;
    prove(&pos);
    ck_assert_uint_gt(found.proof_nodes, 3);
    certificate_free(certificate);
    certificate = certificate_new(3);
    ck_assert_ptr_nonnull(certificate);
    ck_assert_int_eq(check_text(&pos, text, text_bytes, &rest), CERTIFICATE_FULL);
}
END_TEST

START_TEST(symbols_name_every_check)
{
    /* A bare king in the middle and everything in hand. */
    struct position pos = read_position("9/9/9/9/4k4/9/9/9/9 b 2R2B4G4S4N4L18P 1");
    size_t checks = 0;
    ck_assert_int_eq(certificate_begin(certificate, &pos), CERTIFICATE_ASKS);
    for (unsigned m = 0; m < 1 << 15; m++) {
        if (!move_is_real((Move)m) || !position_pseudo_legal(&pos, (Move)m) || !position_legal(&pos, (Move)m)) continue;
        char symbol[CERTIFICATE_SYMBOL_BYTES];
        size_t bytes = certificate_write(certificate, (Move)m, symbol);
        ck_assert(position_gives_check(&pos, (Move)m) == (bytes > 0));
        if (!bytes) continue;
        struct text rest = text_make(symbol, bytes);
        ck_assert_uint_eq(certificate_read(certificate, &rest), m);
        ck_assert(text_empty(rest));
        checks++;
    }
    ck_assert_uint_eq(checks, 16 + 16 + 6 + 5 + 2 + 4 + 1); /* rook, bishop, gold, silver, knight, lance, pawn */
    struct text beyond = text_make("~0", 2);
    ck_assert_uint_eq(certificate_read(certificate, &beyond), MOVE_NONE);
}
END_TEST

static void add_cases(Suite *suite)
{
    TCase *tc = tcase_create("certificate");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, the_proof_of_every_mate_passes_and_gives_its_length);
    tcase_add_test(tc, a_proof_that_is_cut_or_belongs_to_another_position_is_refused);
    tcase_add_test(tc, no_text_proves_what_is_not_true);
    tcase_add_test(tc, a_text_that_runs_in_circles_ends);
    tcase_add_test(tc, more_positions_than_there_is_room_for_are_refused);
    tcase_add_test(tc, symbols_name_every_check);
    suite_add_tcase(suite, tc);
}
CHECK_MAIN("certificate", add_cases)
