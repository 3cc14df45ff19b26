/* The facts of machines, which calibrations are compared with when they are loaded. */
#ifndef FR_MACHINES_FACTS_H
#define FR_MACHINES_FACTS_H

#include "server/calibrations/facts.h"

#endif
