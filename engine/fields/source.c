/* Fields of a source, a record in `sources`: where a value comes from. */
#include "engine/calibration/provenance.h"
#include "engine/fields/fields.h"

#define SOURCE struct fr_source

static const char *const kinds[] = { [FR_FROM_MEASURED] = "measured",
                                     [FR_FROM_PUBLISHED] = "published",
                                     [FR_FROM_STATED] = "stated",
                                     [FR_FROM_ASSUMED] = "assumed",
                                     NULL };
const struct fr_field fr_source_fields[] = {
    CHOICE(SOURCE, kind, kinds, .flags = FR_FIELD_NEEDED, .doc = "What is known of the source."),
    TEXT(SOURCE, text, .flags = FR_FIELD_NEEDED,
         .doc = "How it was measured, which publication, or why it is assumed."),
    COUNT(SOURCE, samples, .doc = "Number of samples."),
    NUMBER(SOURCE, spread_fraction, .unit = "1", .flags = FR_FIELD_ZERO,
           .doc = "Interquartile range of the samples, relative to their median."),
    TEXT(SOURCE, statistic, .doc = "The statistic of the samples that the value is."),
    TEXT(SOURCE, measured_on, .doc = "The day of the measurement, YYYY-MM-DD."),
    TEXT(SOURCE, load, .doc = "What disturbed the measurement."),
    END,
};
