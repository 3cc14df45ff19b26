/* forerun: the engine's one public header.
 *
 * A prediction is a pure function: (model, parameter values, calibration) -> (times, breakdown,
 * outputs).  Everything a client can name (a parameter, an output, a calibrated value) is described
 * once, by a descriptor in a table; parsing, refusals, schemas, forms and what-if are read off it.
 *
 * Every pointer is borrowed unless a comment says otherwise.  Functions that can fail return an
 * enum fr_code as int (0 is success), append to `faults` and leave what they write untouched.
 */
#ifndef FORERUN_H
#define FORERUN_H

#include "engine/calibration/calibration.h"
#include "engine/core/arena.h"
#include "engine/core/fault.h"
#include "engine/core/number.h"
#include "engine/core/param.h"
#include "engine/core/statistics.h"
#include "engine/core/text.h"
#include "engine/core/vector.h"
#include "engine/document/document.h"
#include "engine/document/what_if.h"
#include "engine/lookup/lookup.h"
#include "engine/prediction/model.h"
#include "engine/prediction/prediction.h"
#include "engine/questions/answer.h"
#include "engine/questions/axis.h"
#include "engine/questions/rank.h"
#include "engine/questions/recommend.h"
#include "engine/runs/accuracy.h"
#include "engine/runs/conformal.h"
#include "engine/runs/drift.h"
#include "engine/runs/quantity.h"
#include "engine/runs/saved_run.h"

#define FR_VERSION "0.3.0"
#define FR_ENGINE "forerun " FR_VERSION

#endif
