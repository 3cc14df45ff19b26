/* Each BLAS library has its own function to set the number of threads.  The declarations here are
 * weak, so the program links with any library and finds the available function at run time.
 */
#include "calibrations/calibrate/core/blas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WEAK __attribute__((weak))

extern void openblas_set_num_threads(int threads) WEAK;
extern char *openblas_get_config(void) WEAK;
extern char *openblas_get_corename(void) WEAK;
extern void MKL_Set_Num_Threads(int threads) WEAK;
extern void MKL_Get_Version_String(char *text, int length) WEAK;
extern void bli_thread_set_num_threads(long threads) WEAK;
extern const char *bli_info_get_version_str(void) WEAK;
extern void omp_set_num_threads(int threads) WEAK;

static void copy_word(char *out, size_t size, const char *text)
{
    snprintf(out, size, "%.*s", (int)strcspn(text, " \t\n"), text);
}

static void find_openblas(struct fr_blas_facts *facts)
{
    /* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..." */
    const char *config = openblas_get_config();

    copy_word(facts->name, sizeof facts->name, config);
    config += strcspn(config, " ");
    copy_word(facts->version, sizeof facts->version, config + strspn(config, " "));
    if (openblas_get_corename)
        copy_word(facts->core, sizeof facts->core, openblas_get_corename());
}

void fr_blas_find(struct fr_blas_facts *facts)
{
    *facts = (struct fr_blas_facts){ 0 };
    if (openblas_get_config) {
        find_openblas(facts);
    } else if (MKL_Get_Version_String) {
        char text[200] = "";
        const char *version;

        MKL_Get_Version_String(text, sizeof text);
        version = strstr(text, "Version ");
        copy_word(facts->name, sizeof facts->name, "MKL");
        copy_word(facts->version, sizeof facts->version, version ? version + 8 : "");
    } else if (bli_info_get_version_str) {
        copy_word(facts->name, sizeof facts->name, "BLIS");
        copy_word(facts->version, sizeof facts->version, bli_info_get_version_str());
    } else {
        copy_word(facts->name, sizeof facts->name, "unknown");
    }
}

bool fr_blas_set_threads(int threads)
{
    const char *fixed = getenv("OMP_NUM_THREADS");

    if (openblas_set_num_threads)
        openblas_set_num_threads(threads);
    else if (MKL_Set_Num_Threads)
        MKL_Set_Num_Threads(threads);
    else if (bli_thread_set_num_threads)
        bli_thread_set_num_threads(threads);
    else if (omp_set_num_threads)
        omp_set_num_threads(threads);
    else
        return (fixed ? atoi(fixed) : 1) == threads;
    return true;
}

static double time_product(int n, const double *a, const double *b, double *c)
{
    const double one = 1;
    struct timespec began, ended;

    clock_gettime(CLOCK_MONOTONIC, &began);
    dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &one, c, &n, 1, 1);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    return (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec);
}

double fr_blas_rate(void)
{
    enum { ORDER = 256, SQUARE = ORDER * ORDER, TRIALS = 5 };
    static double rate;
    double *matrix = rate > 0 ? NULL : malloc(3 * SQUARE * sizeof *matrix), best_s = 1;

    if (!matrix)
        return rate;
    for (int i = 0; i < 3 * SQUARE; i++)
        matrix[i] = 1;
    fr_blas_set_threads(1);
    for (int trial = 0; trial < TRIALS; trial++)
        best_s =
            fmin(best_s, time_product(ORDER, matrix, matrix + SQUARE, matrix + 2 * (size_t)SQUARE));
    rate = 2 * pow(ORDER, 3) / fmax(best_s, 1e-9);
    free(matrix);
    return rate;
}
