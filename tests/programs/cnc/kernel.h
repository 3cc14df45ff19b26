/* The product of two blocks in single precision, C += A B, all of them by rows: the one that the
 * calibrator measures, the BLAS's, or charged. */
#ifndef KERNEL_H
#define KERNEL_H

enum kernel_choice { KERNEL_TILED, KERNEL_SGEMM, KERNEL_CHARGED };
extern const char *const kernel_names[];

struct kernel {
    enum kernel_choice choice;
    int order;
    double time_s, slice_s; /* charged: of a product, and between two calls of `progress` */
    void (*progress)(void *context);
    void *context;
};

void kernel_multiply(const struct kernel *kernel, const float *a, const float *b, float *c);

#endif
