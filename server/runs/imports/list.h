/* The import filters, in the order users see.  No include guard: it is expanded several times. */
FR_IMPORT(hpl)
FR_IMPORT(scalapack)
FR_IMPORT(petsc)
FR_IMPORT(superlu_dist)
FR_IMPORT(sacct)
FR_IMPORT(extrap)
FR_IMPORT(samples)
FR_IMPORT(seconds)
