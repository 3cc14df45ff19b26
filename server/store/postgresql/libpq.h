/* The functions of libpq, which is loaded with the first connection: with the thirteen libraries
 * that it needs it would take a sixth of the memory of a daemon that keeps a file. */
#ifndef FR_LIBPQ_H
#define FR_LIBPQ_H

#include <libpq-fe.h>

/* Without PQ. */
#define FR_PQ_FUNCTIONS(X) \
    X(clear)               \
    X(cmdStatus)           \
    X(cmdTuples)           \
    X(connectdbParams)     \
    X(conninfoFree)        \
    X(conninfoParse)       \
    X(consumeInput)        \
    X(db)                  \
    X(errorMessage)        \
    X(finish)              \
    X(flush)               \
    X(freemem)             \
    X(ftype)               \
    X(getResult)           \
    X(getisnull)           \
    X(getlength)           \
    X(getvalue)            \
    X(isBusy)              \
    X(notifies)            \
    X(ntuples)             \
    X(reset)               \
    X(resultErrorField)    \
    X(resultStatus)        \
    X(sendPrepare)         \
    X(sendQuery)           \
    X(sendQueryParams)     \
    X(sendQueryPrepared)   \
    X(setNoticeProcessor)  \
    X(setnonblocking)      \
    X(socket)              \
    X(status)
struct fr_pq {
#define X(name) __typeof__(PQ##name) *name;
    FR_PQ_FUNCTIONS(X)
#undef X
};
extern struct fr_pq fr_pq; /* of the process; empty before fr_pq_load */

/* NULL; or why libpq cannot be used. */
const char *fr_pq_load(void);

#endif
