/* Fuzzes the values of headers that the daemon reads itself. */
#include "tests/fuzz/setting.h"

#include "server/http/address.h"
#include "server/http/call.h"
#include "server/http/server.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct fr_address from = { { 0 } };
    struct fr_address address;
    struct fr_proxies proxies;
    char token[FR_TOKEN_TEXT], *text = malloc(size + 1);
    enum fr_body sent;
    unsigned chosen;

    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    chosen = fr_media_choose(FR_ROWS, text);
    if (chosen & ~(unsigned)FR_ROWS || chosen & (chosen - 1))
        abort();
    fr_media_takes_gzip(text);
    fr_media_fits_body(FR_BODY_FILE, text, &sent);
    fr_etag_is_listed(text, "0123456789abcdef");
    if (fr_token_read(text, token) && strlen(token) != FR_TOKEN_TEXT - 1)
        abort();
    address = fr_address_forwarded(text, &from);
    if (fr_address_slot(&address, address.bytes) >= FR_ADDRESS_SLOTS ||
        (fr_proxies_parse(text, &proxies) && proxies.count > FR_MAX_PROXIES))
        abort();
    free(text);
    return 0;
}
