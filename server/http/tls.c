#include "server/http/listener.h"

#include "server/core/process.h"

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char fr_tls_priorities[] =
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-DHE-RSA:-SHA1:"
    "-AES-128-CBC:-AES-256-CBC:%SERVER_PRECEDENCE";

struct fr_tls_pair {
    gnutls_certificate_credentials_t credentials;
    time_t expiry;
    _Atomic unsigned users;
};

struct fr_tls {
    char certificate[PATH_MAX], key[PATH_MAX];
    char *certificate_text, *key_text;
    pthread_mutex_t lock; /* protects `current` */
    struct fr_tls_pair *current;
};

/* ---- files ---- */

/* The certificate and the key as they are read. */
struct reading {
    char *certificate_text, *key_text;
    gnutls_x509_crt_t *certificate;
    unsigned certificates;
    gnutls_x509_privkey_t key;
};

static void free_secret(char *text)
{
    if (text)
        explicit_bzero(text, strlen(text));
    free(text);
}

static gnutls_datum_t datum_of(char *text)
{
    return (gnutls_datum_t){ (unsigned char *)text, (unsigned)strlen(text) };
}

static void read_certificate(struct reading *reading, const char *path, struct fr_faults *faults)
{
    static const char remedy[] =
        "name a PEM file with the certificate of this host, and after it those of its issuers";
    const char *reason;
    gnutls_datum_t datum;
    int error;

    reading->certificate_text = fr_file_text(path, false, &reason);
    if (!reading->certificate_text) {
        fr_fault(faults, FR_NOT_FOUND, "tls_certificate", "%s: %s; %s", path, reason, remedy);
        return;
    }
    datum = datum_of(reading->certificate_text);
    error = gnutls_x509_crt_list_import2(&reading->certificate, &reading->certificates, &datum,
                                         GNUTLS_X509_FMT_PEM, 0);
    if (error < 0)
        fr_fault(faults, FR_SYNTAX, "tls_certificate", "%s: %s; %s", path, gnutls_strerror(error),
                 remedy);
}

static void read_key(struct reading *reading, const char *path, struct fr_faults *faults)
{
    static const char remedy[] =
        "name a PEM file with the key of the certificate, without a password";
    const char *reason;
    gnutls_datum_t datum;
    int error;

    reading->key_text = fr_file_text(path, false, &reason);
    if (!reading->key_text) {
        fr_fault(faults, FR_NOT_FOUND, "tls_key", "%s: %s; %s", path, reason, remedy);
        return;
    }
    datum = datum_of(reading->key_text);
    error = gnutls_x509_privkey_init(&reading->key);
    if (error == 0)
        error = gnutls_x509_privkey_import2(reading->key, &datum, GNUTLS_X509_FMT_PEM, NULL, 0);
    if (error < 0)
        fr_fault(faults, FR_SYNTAX, "tls_key", "%s: %s; %s", path, gnutls_strerror(error), remedy);
}

static void free_reading(struct reading *reading)
{
    for (unsigned i = 0; i < reading->certificates; i++)
        gnutls_x509_crt_deinit(reading->certificate[i]);
    gnutls_free(reading->certificate);
    if (reading->key)
        gnutls_x509_privkey_deinit(reading->key);
    free(reading->certificate_text);
    free_secret(reading->key_text);
}

/* ---- pairs ---- */

/* What was read, as credentials, which have copies of it. */
static struct fr_tls_pair *join(const struct reading *reading, const struct fr_tls *tls,
                                struct fr_faults *faults)
{
    struct fr_tls_pair *pair = calloc(1, sizeof *pair);
    int error = GNUTLS_E_MEMORY_ERROR;

    if (pair) {
        atomic_store(&pair->users, 1);
        pair->expiry = gnutls_x509_crt_get_expiration_time(reading->certificate[0]);
        error = gnutls_certificate_allocate_credentials(&pair->credentials);
    }
    if (error == 0)
        error = gnutls_certificate_set_x509_key(pair->credentials, reading->certificate,
                                                (int)reading->certificates, reading->key);
    if (error >= 0)
        return pair;
    if (error == GNUTLS_E_CERTIFICATE_KEY_MISMATCH)
        fr_fault(faults, FR_RELATION, "tls_key",
                 "%s is not the key of the certificate %s; name two files that belong together",
                 tls->key, tls->certificate);
    else
        fr_fault(faults, FR_NOMEM, "tls_certificate", "%s: %s", tls->certificate,
                 gnutls_strerror(error));
    if (pair)
        fr_tls_drop(pair);
    return NULL;
}

void fr_tls_drop(struct fr_tls_pair *pair)
{
    if (!pair || atomic_fetch_sub(&pair->users, 1) > 1)
        return;
    if (pair->credentials)
        gnutls_certificate_free_credentials(pair->credentials);
    free(pair);
}

struct fr_tls_pair *fr_tls_give(struct fr_tls *tls, struct gnutls_session_int *session)
{
    struct fr_tls_pair *pair;

    pthread_mutex_lock(&tls->lock);
    pair = tls->current;
    atomic_fetch_add(&pair->users, 1);
    pthread_mutex_unlock(&tls->lock);
    if (session && gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, pair->credentials) == 0)
        return pair;
    fr_tls_drop(pair);
    return NULL;
}

/* ---- all ---- */

/* Reads both files; NULL with all faults. */
static struct fr_tls_pair *read_pair(const struct fr_tls *tls, struct reading *reading,
                                     struct fr_faults *faults)
{
    const size_t before = faults->count;

    *reading = (struct reading){ 0 };
    read_certificate(reading, tls->certificate, faults);
    read_key(reading, tls->key, faults);
    return faults->count == before ? join(reading, tls, faults) : NULL;
}

struct fr_tls *fr_tls_open(const char *certificate, const char *key, struct fr_faults *faults)
{
    struct fr_tls *tls = calloc(1, sizeof *tls);
    struct reading reading;

    if (!tls) {
        fr_fault(faults, FR_NOMEM, "tls_certificate", "no memory");
        return NULL;
    }
    snprintf(tls->certificate, sizeof tls->certificate, "%s", certificate);
    snprintf(tls->key, sizeof tls->key, "%s", key);
    pthread_mutex_init(&tls->lock, NULL);
    tls->current = read_pair(tls, &reading, faults);
    if (tls->current) {
        tls->certificate_text = reading.certificate_text;
        tls->key_text = reading.key_text;
        reading.certificate_text = reading.key_text = NULL;
    }
    free_reading(&reading);
    if (tls->current)
        return tls;
    fr_tls_close(tls);
    return NULL;
}

int fr_tls_reload(struct fr_tls *tls, struct fr_faults *faults)
{
    struct reading reading;
    struct fr_tls_pair *pair = read_pair(tls, &reading, faults), *before;

    free_reading(&reading);
    if (!pair)
        return faults->fault[0].code;
    pthread_mutex_lock(&tls->lock);
    before = tls->current;
    tls->current = pair;
    pthread_mutex_unlock(&tls->lock);
    fr_tls_drop(before);
    return FR_OK;
}

void fr_tls_close(struct fr_tls *tls)
{
    if (!tls)
        return;
    fr_tls_drop(tls->current);
    free(tls->certificate_text);
    free_secret(tls->key_text);
    pthread_mutex_destroy(&tls->lock);
    free(tls);
}

time_t fr_tls_expiry(struct fr_tls *tls)
{
    time_t expiry;

    pthread_mutex_lock(&tls->lock);
    expiry = tls->current->expiry;
    pthread_mutex_unlock(&tls->lock);
    return expiry;
}

const char *fr_tls_certificate_text(const struct fr_tls *tls)
{
    return tls ? tls->certificate_text : NULL;
}

const char *fr_tls_key_text(const struct fr_tls *tls)
{
    return tls ? tls->key_text : NULL;
}
