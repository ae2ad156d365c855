/* main.c - `murakumo-train generate ...` and `murakumo-train tune ...`; see train.h. */
#include <stdio.h>
#include <string.h>

#include "worker/train/train.h"

int main(int argc, char **argv)
{
    if (argc >= 2 && strcmp(argv[1], "generate") == 0) return train_generate(argc - 1, argv + 1);
    if (argc >= 2 && strcmp(argv[1], "tune") == 0) return train_tune(argc - 1, argv + 1);
    fputs("usage: murakumo-train generate GAMES NODES SEED OPENINGS_FILE > FILE\n"
          "       murakumo-train tune OUT.c FILE...\n",
          stderr);
    return 2;
}
