/* Tests of the CnC layer on any number of ranks. */
#ifndef SELFTEST_H
#define SELFTEST_H

/* Collective; ends the program with a message if a test fails. */
void selftest(void);

#endif
