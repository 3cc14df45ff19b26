/* Every model, in the order users see.  No include guard: it is expanded several times. */
FR_MODEL(matmul)
FR_MODEL(trsm)
FR_MODEL(cholesky)
FR_MODEL(cnc_matmul)
FR_MODEL(allreduce)
FR_MODEL(halo_exchange)
FR_MODEL(cg)
