#include "server/http/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdint.h>
#include <string.h>

enum { NETWORK_BYTES = 8 };
_Static_assert((int)FR_ADDRESS_TEXT == INET6_ADDRSTRLEN, "the longest text");
_Static_assert(FR_ADDRESS_KEY_BYTES == crypto_shorthash_KEYBYTES, "the key of the hash");

static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };
static const char separators[] = ", \t";

static struct fr_address of_ipv4(const struct in_addr *ipv4)
{
    struct fr_address address;

    memcpy(address.bytes, mapped, sizeof mapped);
    memcpy(address.bytes + sizeof mapped, ipv4, sizeof *ipv4);
    return address;
}

struct fr_address fr_address_of(const struct sockaddr *from)
{
    struct fr_address address = { { 0 } };

    if (from && from->sa_family == AF_INET)
        return of_ipv4(&((const struct sockaddr_in *)(const void *)from)->sin_addr);
    if (from && from->sa_family == AF_INET6)
        memcpy(address.bytes, &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr,
               sizeof address.bytes);
    return address;
}

bool fr_address_parse(const char *text, size_t length, struct fr_address *address)
{
    char copy[INET6_ADDRSTRLEN];
    struct in_addr ipv4;

    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (inet_pton(AF_INET, copy, &ipv4) != 1)
        return inet_pton(AF_INET6, copy, address->bytes) == 1;
    *address = of_ipv4(&ipv4);
    return true;
}

void fr_address_print(const struct fr_address *address, char out[FR_ADDRESS_TEXT])
{
    const bool is_ipv4 = memcmp(address->bytes, mapped, sizeof mapped) == 0;

    inet_ntop(is_ipv4 ? AF_INET : AF_INET6, address->bytes + (is_ipv4 ? sizeof mapped : 0), out,
              FR_ADDRESS_TEXT);
}

bool fr_proxies_parse(const char *list, struct fr_proxies *proxies)
{
    size_t length;

    proxies->count = 0;
    for (list += strspn(list, separators); *list;
         list += length + strspn(list + length, separators)) {
        length = strcspn(list, separators);
        if (proxies->count == FR_MAX_PROXIES ||
            !fr_address_parse(list, length, &proxies->address[proxies->count]))
            return false;
        proxies->count++;
    }
    return true;
}

bool fr_proxies_have(const struct fr_proxies *proxies, const struct fr_address *address)
{
    for (size_t i = 0; i < proxies->count; i++)
        if (memcmp(&proxies->address[i], address, sizeof *address) == 0)
            return true;
    return false;
}

/* Some proxies add the port: 192.0.2.1:5000, [2001:db8::1]:5000. */
static bool parse_peer(const char *text, size_t length, struct fr_address *address)
{
    const char *colon = memchr(text, ':', length);

    if (length && *text == '[')
        return fr_address_parse(text + 1, strcspn(text + 1, "]"), address);
    if (colon && !memchr(colon + 1, ':', length - (size_t)(colon + 1 - text)))
        length = (size_t)(colon - text);
    return fr_address_parse(text, length, address);
}

struct fr_address fr_address_forwarded(const char *header, const struct fr_address *from)
{
    struct fr_address address = *from;
    const char *last = header ? strrchr(header, ',') : NULL;

    if (!header)
        return address;
    last = last ? last + 1 : header;
    last += strspn(last, separators);
    parse_peer(last, strcspn(last, separators), &address);
    return address;
}

unsigned fr_address_slot(const struct fr_address *address,
                         const unsigned char key[FR_ADDRESS_KEY_BYTES])
{
    const bool is_ipv4 = memcmp(address->bytes, mapped, sizeof mapped) == 0;
    uint64_t hash;

    crypto_shorthash((unsigned char *)&hash, address->bytes,
                     is_ipv4 ? sizeof address->bytes : NETWORK_BYTES, key);
    return (unsigned)(hash % FR_ADDRESS_SLOTS);
}
