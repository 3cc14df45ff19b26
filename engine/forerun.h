/* forerun: the engine's public header, for users outside the engine.
 *
 * A prediction is a pure function: (model, parameter values, calibration) -> (times, breakdown,
 * outputs).  One descriptor in a table describes each parameter, output and calibrated value;
 * parsing, refusals, schemas, forms and what-if follow from it.
 *
 * Pointers are borrowed unless a comment says otherwise.  Functions that can fail return an enum
 * fr_code as int (0 is success), append to `faults`, and leave their outputs unchanged.
 */
#ifndef FORERUN_H
#define FORERUN_H

#include "engine/calibration/calibration.h"
#include "engine/core/arena.h"
#include "engine/core/param.h"
#include "engine/core/statistics.h"
#include "engine/document/document.h"
#include "engine/lookup/lookup.h"
#include "engine/prediction/model.h"
#include "engine/questions/recommend.h"
#include "engine/runs/accuracy.h"
#include "engine/runs/saved_run.h"

#define FR_VERSION "0.4.0"
#define FR_ENGINE "forerun " FR_VERSION

#endif
