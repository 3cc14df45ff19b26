/* Bounds the memory of parsed JSON.  A parsed document takes up to eighty times the bytes of its
 * text, so the limit of the text does not bound it.
 *
 * The limit is of a thread, and a document is freed by the thread that parsed it. */
#ifndef FR_JSON_MEMORY_H
#define FR_JSON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Lets all JSON memory be counted; once, before anything is parsed. */
void fr_json_memory_install(void);
/* From here to fr_json_memory_end, the documents of this thread take at most this much. */
void fr_json_memory_begin(size_t limit_bytes);
/* Also returns the memory of large documents, which are freed by then, to the system. */
void fr_json_memory_end(void);
/* Whether a document has been refused since fr_json_memory_begin because it did not fit. */
bool fr_json_memory_is_exhausted(void);
size_t fr_json_memory_limit(void);

#endif
