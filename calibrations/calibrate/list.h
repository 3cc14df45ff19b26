/* Every benchmark, in the order they are run and listed.  No include guard: it is expanded with
 * several meanings of FR_BENCH. */
FR_BENCH(node)
FR_BENCH(peak)
FR_BENCH(dgemm)
FR_BENCH(dtrsm)
FR_BENCH(dsyrk)
FR_BENCH(dpotrf)
FR_BENCH(routine_models)
FR_BENCH(pingpong)
FR_BENCH(contention)
