/* Time that a kernel takes: spent in a busy loop, or simulated on a simulated cluster.
 *
 * The simulator counts seconds of a host with the speed of the option smpi/host-speed, which must
 * be the speed of the platform.
 */
#ifndef COMPUTE_H
#define COMPUTE_H

/* Spends the time. */
void compute_for(double seconds);

/* The number of slices.  Ends the program if there are too many to test messages between them. */
double compute_slices(double seconds, double slice_s);

/* Spends the time in equal slices of at most `slice_s`, with progress(context) between them. */
void compute_sliced(double seconds, double slice_s, void (*progress)(void *), void *context);

/* Waits a millisecond, in which messages on their way arrive. */
void compute_quiet(void);

#endif
