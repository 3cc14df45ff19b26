/* --check: prints the quality of a calibration document. */
#ifndef FR_CHECK_H
#define FR_CHECK_H

/* The exit status of --check; the manual states it. */
enum fr_check_status {
    FR_CHECK_SOUND = 0,   /* valid, and nothing doubtful */
    FR_CHECK_INVALID = 1, /* it cannot be read, or is no calibration */
    FR_CHECK_DOUBTFUL = 2 /* valid, but some parts are noisy or were measured on a loaded machine */
};

/* Prints two tables on standard output, or the faults on standard error. */
enum fr_check_status fr_check(const char *path);

#endif
