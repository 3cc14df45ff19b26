/* TLS: the certificate of the daemon with its key, which are exchanged while connections go on. */
#ifndef FR_TLS_H
#define FR_TLS_H

#include "engine/core/fault.h"

#include <stdbool.h>
#include <time.h>

struct gnutls_session_int;

/* TLS 1.2 and 1.3 with forward secrecy and authenticated encryption, for GnuTLS. */
extern const char fr_tls_priorities[];

/* A certificate with its key.  It lives as long as it is the current one or a connection has it. */
struct fr_tls_pair;
struct fr_tls;

/* Reads the two files in PEM form: the certificate of this host with those of its issuers after it,
 * and its key.  NULL with faults under the names of the settings.  Free with fr_tls_close, after
 * all connections. */
struct fr_tls *fr_tls_open(const char *certificate, const char *key, struct fr_faults *faults);
/* Reads the files again, for new connections.  A code of enum fr_code; with a fault nothing
 * changes. */
int fr_tls_reload(struct fr_tls *tls, struct fr_faults *faults);
void fr_tls_close(struct fr_tls *tls);
/* When the current certificate ends. */
time_t fr_tls_expiry(struct fr_tls *tls);
/* What the files had at fr_tls_open, NUL-terminated, until fr_tls_close; NULL of NULL. */
const char *fr_tls_certificate_text(const struct fr_tls *tls);
const char *fr_tls_key_text(const struct fr_tls *tls);

/* Gives the current pair to a connection, before its handshake; NULL on failure.  To be dropped
 * when the connection ends. */
struct fr_tls_pair *fr_tls_give(struct fr_tls *tls, struct gnutls_session_int *session);
void fr_tls_drop(struct fr_tls_pair *pair);

#endif
