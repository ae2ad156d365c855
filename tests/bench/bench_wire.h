/* bench_wire.h - how fast frames are written and read: `murakumo bench wire`. */
#ifndef MURAKUMO_TESTS_BENCH_WIRE_H
#define MURAKUMO_TESTS_BENCH_WIRE_H

/* argv[0] is "wire". Prints one row for each message type on stdout; the return value is the exit code of the program.
 */
int bench_wire(int argc, char **argv);

#endif
