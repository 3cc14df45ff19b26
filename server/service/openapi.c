/* The OpenAPI documents, embedded in the program, so that they match its version. */
#include "server/core/embed.h"

FR_EMBED(openapi_yaml, OPENAPI ".yaml");
FR_EMBED(openapi_json, OPENAPI ".json");
