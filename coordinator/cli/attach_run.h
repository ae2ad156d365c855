/* attach_run.h - `murakumo usi --attach`: the shell around core/attach.h. */
#ifndef MURAKUMO_CLI_ATTACH_RUN_H
#define MURAKUMO_CLI_ATTACH_RUN_H

/* Runs until the GUI says quit, closes its end, or we are told to end; returns the exit code. */
int attach_run(void);

#endif
