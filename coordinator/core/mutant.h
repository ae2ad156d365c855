/* mutant.h - planted bugs, to test the tests. A build with -DMUTANT=n has bug number n; a normal build has none, and
 * the compiler removes the places. tests/sim/mutants.sh shows that each is caught; what each does is told there.
 */
#ifndef MURAKUMO_COORDINATOR_MUTANT_H
#define MURAKUMO_COORDINATOR_MUTANT_H

#ifdef MUTANT
#define MUTANT_IS(number) ((MUTANT) == (number))
#else
#define MUTANT_IS(number) (0)
#endif

#endif
