/* Loads libpq. */
#include "server/store/postgresql/libpq.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct fr_pq fr_pq;
static char fault[200]; /* of the load; empty: none */

/* Sets a pointer to a function. */
static void find(void *library, const char *name, void *function)
{
    void *found = library ? dlsym(library, name) : NULL;

    if (!found && !fault[0])
        snprintf(fault, sizeof fault, "%s", dlerror());
    memcpy(function, &found, sizeof found);
}

static void load(void)
{
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);

#define X(name) find(library, "PQ" #name, &fr_pq.name);
    FR_PQ_FUNCTIONS(X)
#undef X
}

const char *fr_pq_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load);
    return fault[0] ? fault : NULL;
}
