/* train.h - makes the weights of the evaluator from games that the engine plays against itself. Offline tools.
 *
 *   generate: plays games at a fixed number of nodes and writes one line per game:
 *                 RESULT SFEN | MOVE SCORE MOVE SCORE ...
 *             RESULT is b, w or d; SCORE is what the mover's search said, in cp for the mover; MOVE is USI text. Moves
 * of the random opening carry the score `-`. tune:     fits the weights of eval_classic to such files (logistic
 * regression on result and search score) and writes worker/engine/eval_classic_weights.c.
 *
 * Both are deterministic: the same seed and files give the same bytes on one machine.
 */
#ifndef MURAKUMO_TRAIN_TRAIN_H
#define MURAKUMO_TRAIN_TRAIN_H

int train_generate(int argc, char **argv);
int train_tune(int argc, char **argv);

#endif
