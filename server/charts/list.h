/* The charts of a calibration document, in the order users see.  No include guard: it is expanded
 * several times.
 */
FR_CALIBRATION_CHART(kernels)
FR_CALIBRATION_CHART(bandwidth)
FR_CALIBRATION_CHART(contention)
FR_CALIBRATION_CHART(regions)
FR_CALIBRATION_CHART(convergence)
FR_CALIBRATION_CHART(routine)
