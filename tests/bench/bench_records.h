/* bench_records.h - how fast game records are read and written: `murakumo bench records`. */
#ifndef MURAKUMO_TESTS_BENCH_RECORDS_H
#define MURAKUMO_TESTS_BENCH_RECORDS_H

/* argv[0] is "records". Prints one row for each format on stdout; the return value is the exit code of the program. */
int bench_records(int argc, char **argv);

#endif
