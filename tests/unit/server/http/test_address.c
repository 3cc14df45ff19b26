/* Addresses of clients: their forms, proxies, and who counts as one client. */
#include "server/http/address.h"
#include "tests/unit/support/check.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdio.h>

static const unsigned char key[FR_ADDRESS_KEY_BYTES] = { 1, 2, 3 };

static struct fr_address address_of(const char *text)
{
    struct fr_address address;

    assert_true(fr_address_parse(text, strlen(text), &address));
    return address;
}

TEST(an_ipv4_address_is_the_same_in_each_form)
{
    struct sockaddr_in from = { .sin_family = AF_INET };
    const struct fr_address text = address_of("192.0.2.7"), mapped = address_of("::ffff:192.0.2.7");
    struct fr_address socket;

    inet_pton(AF_INET, "192.0.2.7", &from.sin_addr);
    socket = fr_address_of((const struct sockaddr *)&from);
    assert_memory_equal(&text, &mapped, sizeof text);
    assert_memory_equal(&text, &socket, sizeof text);
}

TEST(what_is_no_address_is_refused)
{
    static const char *const texts[] = { "",
                                         "localhost",
                                         "1.2.3",
                                         "1.2.3.4.5",
                                         "1:2",
                                         "::1%lo",
                                         "0000:0000:0000:0000:0000:0000:0000:0000:0000:00001" };
    struct fr_address address;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_false(fr_address_parse(texts[i], strlen(texts[i]), &address));
}

TEST(proxies_are_a_list_of_addresses)
{
    const struct fr_address in = address_of("2001:db8::1"), out = address_of("2001:db8::2");
    struct fr_proxies proxies;
    char many[20 * FR_MAX_PROXIES] = "";

    assert_true(fr_proxies_parse(" 127.0.0.1,2001:db8::1 , ::1", &proxies));
    assert_int_equal(proxies.count, 3);
    assert_true(fr_proxies_have(&proxies, &in));
    assert_false(fr_proxies_have(&proxies, &out));
    assert_true(fr_proxies_parse("", &proxies));
    assert_int_equal(proxies.count, 0);
    assert_false(fr_proxies_parse("127.0.0.1,here", &proxies));
    for (int i = 0; i <= FR_MAX_PROXIES; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "10.0.0.%d,", i);
    assert_false(fr_proxies_parse(many, &proxies));
}

TEST(the_last_address_of_a_proxy_counts)
{
    static const struct {
        const char *header, *client;
    } cases[] = {
        { "192.0.2.1", "192.0.2.1" },
        { "10.9.8.7, 192.0.2.1", "192.0.2.1" }, /* the first is what the client claimed */
        { "10.9.8.7,2001:db8::1 ", "2001:db8::1" },
        { NULL, "127.0.0.1" },
        { "", "127.0.0.1" },
        { "192.0.2.1,", "127.0.0.1" },
        { "192.0.2.1:5000", "192.0.2.1" },
        { "10.9.8.7, [2001:db8::1]:5000", "2001:db8::1" },
        { "[2001:db8::1]", "2001:db8::1" },
        { "[2001:db8::1", "2001:db8::1" },
        { "[", "127.0.0.1" },
        { ":5000", "127.0.0.1" },
        { "unknown", "127.0.0.1" },
    };
    const struct fr_address proxy = address_of("127.0.0.1");

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct fr_address client = fr_address_forwarded(cases[i].header, &proxy);
        const struct fr_address expected = address_of(cases[i].client);

        assert_memory_equal(&client, &expected, sizeof client);
    }
}

static unsigned slot_of(const char *text)
{
    const struct fr_address address = address_of(text);

    return fr_address_slot(&address, key);
}

TEST(a_network_of_ipv6_is_one_client_and_ipv4_addresses_are_many)
{
    bool is_used[FR_ADDRESS_SLOTS] = { false };
    int used = 0;

    assert_int_equal(slot_of("2001:db8::1"), slot_of("2001:db8::ffff:1"));
    for (int i = 0; i < 256; i++) {
        char text[20];

        snprintf(text, sizeof text, "192.0.2.%d", i);
        used += !is_used[slot_of(text)];
        is_used[slot_of(text)] = true;
    }
    /* 256 of 4,096 slots at random meet 8 times. */
    assert_true(used > 256 - 32);
}
