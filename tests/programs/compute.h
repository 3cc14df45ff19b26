/* Time that passes as in a kernel: busy in an ordinary run, simulated where the cluster is.
 *
 * The simulator charges seconds of a host whose speed is that of smpi/host-speed: give it the
 * speed of the platform.
 */
#ifndef COMPUTE_H
#define COMPUTE_H

void compute_for(double seconds);

/* So many slices; ends the program where it would look after its messages without end. */
double compute_slices(double seconds, double slice_s);

/* In equal slices of at most `slice_s`, with progress(context) between any two. */
void compute_sliced(double seconds, double slice_s, void (*progress)(void *), void *context);

/* A millisecond in which this rank sends nothing: what was still under way arrives. */
void compute_quiet(void);

#endif
