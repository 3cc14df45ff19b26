/* Every chart, in the order users see.  No include guard: it is expanded several times, with
 * FR_CHART and, for the kinds of sweep charts, FR_SWEEP_CHART defined as each place needs them.
 */
FR_CHART(kernels)
FR_CHART(bandwidth)
FR_CHART(contention)
FR_CHART(regions)
FR_CHART(convergence)
FR_CHART(routine)
FR_SWEEP_CHART(lines)
FR_SWEEP_CHART(breakdown)
FR_SWEEP_CHART(groups)
FR_SWEEP_CHART(boxes)
FR_SWEEP_CHART(band)
FR_SWEEP_CHART(roofline)
FR_SWEEP_CHART(map)
FR_CHART(accuracy)
FR_CHART(spy)
#undef FR_CHART
#undef FR_SWEEP_CHART
