/* Addresses of clients, which tell them apart where each gets a share. */
#ifndef FR_ADDRESS_H
#define FR_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

struct sockaddr;

/* IPv6 in network order; IPv4 as ::ffff:a.b.c.d. */
struct fr_address {
    unsigned char bytes[16];
};

enum { FR_MAX_PROXIES = 16, FR_ADDRESS_SLOTS = 4096, FR_ADDRESS_KEY_BYTES = 16 };

struct fr_proxies {
    struct fr_address address[FR_MAX_PROXIES];
    size_t count;
};

/* All zero for another family. */
struct fr_address fr_address_of(const struct sockaddr *from);
/* False for a text that is no address; `*address` is unchanged then. */
bool fr_address_parse(const char *text, size_t length, struct fr_address *address);
/* "192.0.2.1" or "2001:db8::1". */
enum { FR_ADDRESS_TEXT = 46 };
void fr_address_print(const struct fr_address *address, char out[FR_ADDRESS_TEXT]);
/* Reads a list separated by commas or blanks; false if an item is no address, or at too many. */
bool fr_proxies_parse(const char *list, struct fr_proxies *proxies);
bool fr_proxies_have(const struct fr_proxies *proxies, const struct fr_address *address);
/* The client that the nearest proxy names, the last address of X-Forwarded-For (NULL: no header);
 * `from` where there is none. */
struct fr_address fr_address_forwarded(const char *header, const struct fr_address *from);
/* Where a client is counted, below FR_ADDRESS_SLOTS: all addresses of an IPv6 network of 64 bits
 * are one client.  Clients may share a slot by accident, not by choice: the key is secret. */
unsigned fr_address_slot(const struct fr_address *address,
                         const unsigned char key[FR_ADDRESS_KEY_BYTES]);

#endif
