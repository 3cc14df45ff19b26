/* Every chart, in the order that users see. There is no include guard: the list is expanded
 * several times, with FR_CHART and, for sweep charts, FR_SWEEP_CHART defined by each user. */
FR_CHART(kernels)
FR_CHART(bandwidth)
FR_CHART(message_time)
FR_CHART(contention)
FR_CHART(processes)
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
FR_SWEEP_CHART(strong_efficiency)
FR_SWEEP_CHART(weak_efficiency)
FR_SWEEP_CHART(repetitions)
FR_SWEEP_CHART(residuals)
#undef FR_CHART
#undef FR_SWEEP_CHART
