/* The block product of the CnC paper's matrix multiplications: single precision, tiled for the L3
 * and L1 caches, plain C. */
#ifndef FR_CNC_KERNEL_H
#define FR_CNC_KERNEL_H

/* C += A B; the matrices have order n and are stored by rows without gaps.  `progress`, or NULL, is
 * called before each pair of outer tiles. */
void fr_cnc_multiply(int n, const float *a, const float *b, float *c,
                     void (*progress)(void *context), void *context);

#endif
