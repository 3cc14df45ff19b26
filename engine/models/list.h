/* Every model, in the order users see.  No include guard: it is expanded several times. */
FR_MODEL(matmul)
FR_MODEL(trsm)
FR_MODEL(cholesky)
