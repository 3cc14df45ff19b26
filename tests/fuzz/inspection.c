/* Fuzzes what the child that inspects a matrix sends: a struct, of which the input, after its first
 * byte, is the beginning, or with `h` the part after the faults. What is accepted becomes a refusal
 * or an answer in valid UTF-8. Also rasters as the store keeps them. */
#include "tests/fuzz/setting.h"

#include "server/core/utf8.h"
#include "server/matrices/matrix.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Of what was accepted: the raster is packed and comes back. */
static void check_spy(const struct fr_spy *spy)
{
    static struct fr_spy again;
    size_t length;
    unsigned char *packed = fr_spy_pack(spy, &length);

    if (packed && (!fr_spy_unpack(packed, length, &again) || again.n != spy->n ||
                   again.side != spy->side || again.most != spy->most))
        abort();
    free(packed);
}

static void check_refusal(const struct fr_inspection *found)
{
    struct fr_request rq;
    struct fr_reply reply;
    int status;

    fuzz_begin(&rq, &reply);
    status = fr_reply_faults(&reply, &found->faults);
    if (status < 400 || status > 499 || !fr_is_utf8(reply.body.text, reply.body.length))
        abort();
    fuzz_end(&rq, &reply);
}

static void check_facts(const struct fr_inspection *found)
{
    if (!fr_matrix_formats[found->head.format] || !fr_matrix_fields[found->head.field] ||
        !fr_matrix_symmetries[found->head.symmetry] ||
        !fr_is_utf8(found->head.title, strlen(found->head.title)))
        abort();
    check_spy(&found->spy);
}

/* The input as the plain bytes of a stored raster. */
static void read_raster(const uint8_t *data, size_t size)
{
    static struct fr_spy spy;
    uLongf length = compressBound(size);
    unsigned char *packed = malloc(length);

    if (packed && compress(packed, &length, data, size) == Z_OK &&
        fr_spy_unpack(packed, length, &spy))
        check_spy(&spy);
    free(packed);
    if (fr_spy_unpack(data, size, &spy))
        check_spy(&spy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fr_inspection found;
    size_t at;

    if (!size)
        return 0;
    read_raster(data + 1, size - 1);
    /* Many faults come before the head. */
    at = data[0] == 'h' ? offsetof(struct fr_inspection, head) : 0;
    if (size - 1 > sizeof found - at)
        return -1;
    memset(&found, 0, sizeof found);
    memcpy((char *)&found + at, data + 1, size - 1);
    if (fr_inspection_check(&found))
        (found.faults.count ? check_refusal : check_facts)(&found);
    return 0;
}
