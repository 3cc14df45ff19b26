/* What the layer promises, on any number of ranks. */
#ifndef SELFTEST_H
#define SELFTEST_H

/* Collective; ends the program with what is not true. */
void selftest(void);

#endif
