/* fuzz_csa.c - any bytes as a game record; the seeds are CSA files. */
#include "tests/fuzz/record_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_records(data, size); }
