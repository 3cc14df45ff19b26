/* The product of two blocks in single precision, C += A B, stored by rows: the kernel that the
 * calibrator measures, sgemm of the BLAS, or a charged time. */
#ifndef KERNEL_H
#define KERNEL_H

enum kernel_choice { KERNEL_TILED, KERNEL_SGEMM, KERNEL_CHARGED };
extern const char *const kernel_names[];

struct kernel {
    enum kernel_choice choice;
    int order;
    double time_s, slice_s; /* charged: seconds of a product, and between calls of `progress` */
    void (*progress)(void *context);
    void *context;
};

void kernel_multiply(const struct kernel *kernel, const float *a, const float *b, float *c);

#endif
