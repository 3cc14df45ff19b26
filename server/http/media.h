/* Media types: those that a client accepts, and that of its body. */
#ifndef FR_MEDIA_H
#define FR_MEDIA_H

#include "server/http/http.h"

/* The format among `offered` that an Accept header prefers, the first of equals; 0 if it accepts
 * none of them.  NULL or empty accepts all. */
unsigned fr_media_choose(unsigned offered, const char *accept);
/* The format of that suffix (without dot), or 0. */
unsigned fr_media_of_suffix(const char *suffix);
/* Whether an Accept-Encoding header accepts gzip. */
bool fr_media_takes_gzip(const char *accept_encoding);
/* Whether a Content-Type fits the route's kind of body; NULL (none given) does.  *sent is which of
 * its kinds it is. */
bool fr_media_fits_body(enum fr_body body, const char *content_type, enum fr_body *sent);
/* "json, csv, txt": the suffixes of a set, for messages. */
void fr_media_list(unsigned formats, char *out, size_t size);

#endif
