/* params.h - every number that steers the search, in one table.
 *
 * X(name, value): the value is used by every engine; the match tool and the tuner change copies of the table. Units end
 * the names: _cp is centipawns (a pawn is 90), _plies is depth, _q10 is 1/1024 of a ply, _pc is a share in percent.
 */
#ifndef MURAKUMO_ENGINE_PARAMS_H
#define MURAKUMO_ENGINE_PARAMS_H

#define SEARCH_PARAMS(X)                                                                                               \
    X(aspiration_cp, 24) /* first half-width of the window around the previous score */                                \
    X(razor_plies, 4)    /* deepest node that may drop into quiescence */                                              \
    X(razor_base_cp, 150)                                                                                              \
    X(razor_ply_cp, 250)                                                                                               \
    X(rfp_plies, 9) /* reverse futility: static evaluation far above beta */                                           \
    X(rfp_ply_cp, 85)                                                                                                  \
    X(rfp_improving_cp, 60)                                                                                            \
    X(null_plies, 3)   /* shallowest null move */                                                                      \
    X(null_base_cp, 0) /* static evaluation must reach beta + this - null_ply_cp * depth */                            \
    X(null_ply_cp, 15)                                                                                                 \
    X(null_reduction_plies, 4)                                                                                         \
    X(null_depth_divisor, 3)                                                                                           \
    X(null_eval_divisor_cp, 220)                                                                                       \
    X(null_verify_plies, 14) /* from here on a null cut is checked by a reduced search */                              \
    X(check_order, 8000)     /* added to the history score of a quiet move that gives a safe check */                  \
    X(iir_plies, 5)                                                                                                    \
    X(lmp_base, 4) /* quiet moves tried at depth d: (base + d * d) / (2 - improving) */                                \
    X(futility_plies, 9)                                                                                               \
    X(futility_base_cp, 110)                                                                                           \
    X(futility_ply_cp, 105)                                                                                            \
    X(capture_futility_plies, 7)                                                                                       \
    X(capture_futility_base_cp, 230)                                                                                   \
    X(capture_futility_ply_cp, 220)                                                                                    \
    X(see_quiet_cp, 25)    /* times lmr depth squared */                                                               \
    X(see_capture_cp, 140) /* times depth */                                                                           \
    X(singular_plies, 6)                                                                                               \
    X(singular_ply_cp_pc, 130) /* margin below the table score, per ply, in percent of a cp */                         \
    X(singular_double_cp, 25)                                                                                          \
    X(lmr_plies, 2) /* shallowest node that reduces */                                                                 \
    X(lmr_base_q10, 700)                                                                                               \
    X(lmr_product_pc, 47) /* ln(depth) * ln(move number) in percent */                                                 \
    X(lmr_cut_node_q10, 1800)                                                                                          \
    X(lmr_pv_q10, 1024)                                                                                                \
    X(lmr_tt_pv_q10, 900)                                                                                              \
    X(lmr_not_improving_q10, 700)                                                                                      \
    X(lmr_check_q10, 900)                                                                                              \
    X(lmr_tt_capture_q10, 700)                                                                                         \
    X(lmr_cutoffs_q10, 800)                                                                                            \
    X(lmr_history_divisor, 10) /* history points per 1/1024 ply */                                                     \
    X(lmr_capture_history_divisor, 8)                                                                                  \
    X(check_extension, 0) /* 0: never, 1: checks that lose no material, 2: all */                                      \
    X(deeper_cp, 60)                                                                                                   \
    X(shallower_cp, 10)                                                                                                \
    X(qsearch_futility_cp, 260)                                                                                        \
    X(qsearch_moves, 3) /* captures tried once a score is known; recaptures are free */                                \
    X(qsearch_see_cp, 40)                                                                                              \
    X(mate1, 1)                                                                                                        \
    X(mate_plies, 1000)       /* shallowest node where a mate of any length is looked for */                           \
    X(mate_nodes, 6)          /* with so many nodes there, half as many more with each ply */                          \
    X(root_mate_permille, 20) /* of the nodes: for mates at the root and along the best line, at most */               \
    X(tsumero, 0)             /* threats of mate: tsumero.h */                                                         \
    X(threat_plies, 5)        /* shallowest node where a threat is looked for */                                       \
    X(threat_nodes, 6)        /* with so many nodes there, half as many more with each ply */                          \
    X(threat_distance, 3)     /* squares between the last move and the king, at most, unless it took something */      \
    X(threat_penalty_cp, 300) /* for a threat that has only been put off by checks, at the end of the line */          \
    X(correction, 1)

struct search_params {
#define PARAM_FIELD(name, value) int name;
    SEARCH_PARAMS(PARAM_FIELD)
#undef PARAM_FIELD
};

static inline struct search_params search_params_default(void)
{
    return (struct search_params){
#define PARAM_VALUE(name, value) .name = (value),
        SEARCH_PARAMS(PARAM_VALUE)
#undef PARAM_VALUE
    };
}

#endif
