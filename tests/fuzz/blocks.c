/* Fuzzes encoded block structures, which the analysing child and the store hand over. What is
 * accepted is encoded again to the same structure; a refusal has a reason. Random bytes seldom have
 * the right checksum, so that the input also is what a child under foreign control would seal: the
 * order in two bytes, the counts of supernodes and blocks in one each, and the numbers. */
#include "tests/fuzz/setting.h"

#include "server/matrices/files/blocks.h"
#include "server/matrices/files/reader.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { CHECKSUM_AT = 40, HEADER_BYTES = 44, COUNTS = 5 };

static void read_blocks(const unsigned char *bytes, size_t size)
{
    struct sparse_structure *structure, *again;
    struct fr_faults faults = { 0 };
    unsigned char *written;
    size_t length;

    structure = fr_blocks_read(bytes, size, &faults);
    if (!structure != (faults.count > 0))
        abort();
    if (!structure)
        return;
    written = fr_blocks_write(structure, &length);
    again = written ? fr_blocks_read(written, length, &faults) : NULL;
    if (written &&
        (!again || again->order != structure->order || again->supernodes != structure->supernodes ||
         memcmp(again->width, structure->width,
                (size_t)structure->supernodes * sizeof *structure->width) != 0 ||
         memcmp(&again->facts, &structure->facts, sizeof structure->facts) != 0))
        abort();
    free(written);
    sparse_structure_free(again);
    sparse_structure_free(structure);
}

static void seal(const uint8_t *data, size_t size)
{
    uLongf length = compressBound(size);
    unsigned char *out = calloc(1, HEADER_BYTES + length);

    if (!out || compress(out + HEADER_BYTES, &length, data + COUNTS, size - COUNTS) != Z_OK)
        abort();
    memcpy(out, "FRBS\1\0\0", 8);
    fr_put_whole(out + 8, 8, fr_get_whole(data, 2));
    for (int i = 0; i < 3; i++)
        fr_put_whole(out + 16 + 8 * i, 8, data[2 + i]);
    fr_put_whole(out + CHECKSUM_AT, 4,
                 crc32(crc32(0, out, CHECKSUM_AT), out + HEADER_BYTES, (uInt)length));
    read_blocks(out, HEADER_BYTES + length);
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_blocks(data, size);
    if (size >= COUNTS)
        seal(data, size);
    return 0;
}
