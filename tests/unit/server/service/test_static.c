/* The dashboard's files, and every way out of their folder. */
#include "server/http/handlers.h"
#include "server/http/server.h"
#include "tests/unit/support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder {
    struct fr_server server;
    char root[64];
    char path[128];
};

static const char *below(struct folder *f, const char *name)
{
    snprintf(f->path, sizeof f->path, "%s/%s", f->root, name);
    return f->path;
}

static void write_file(const char *path, size_t length)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    for (size_t i = 0; i < length; i++)
        fputc('a', file);
    fclose(file);
}

/* root/secret, root/www/{index.html,big.js,.hidden,lib/a.css,link.css -> ../secret,up -> ..} */
static int make_folder(void **state)
{
    struct folder *f = calloc(1, sizeof *f);

    snprintf(f->root, sizeof f->root, "/tmp/forerun-static-XXXXXX");
    assert_non_null(mkdtemp(f->root));
    mkdir(below(f, "www"), 0700);
    mkdir(below(f, "www/lib"), 0700);
    write_file(below(f, "secret"), 6);
    write_file(below(f, "www/index.html"), 10);
    write_file(below(f, "www/big.js"), 100000);
    write_file(below(f, "www/.hidden"), 5);
    write_file(below(f, "www/lib/a.css"), 7);
    assert_int_equal(symlink("../secret", below(f, "www/link.css")), 0);
    assert_int_equal(symlink("..", below(f, "www/up")), 0);
    assert_int_equal(mkfifo(below(f, "www/pipe.txt"), 0600), 0);
    snprintf(f->server.config.static_dir, sizeof f->server.config.static_dir, "%s",
             below(f, "www"));
    *state = f;
    return 0;
}

static int remove_folder(void **state)
{
    static const char *const names[] = { "www/page.html", "www/pipe.txt",   "www/up",
                                         "www/link.css",  "www/lib/a.css",  "www/.hidden",
                                         "www/big.js",    "www/index.html", "secret" };
    struct folder *f = *state;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(below(f, names[i]));
    rmdir(below(f, "www/lib"));
    rmdir(below(f, "www"));
    rmdir(f->root);
    free(f);
    return 0;
}

static int ask(struct folder *f, const char *path, bool on_worker, struct fr_reply *reply)
{
    struct fr_request rq = { .server = &f->server, .path = path, .format = FR_JSON };

    rq.store = on_worker ? (struct fr_store *)f : NULL;
    snprintf(rq.segment[0], sizeof rq.segment[0], "%s", path);
    fr_reply_init(reply);
    return fr_get_static(&rq, reply);
}

TEST(a_file_has_its_media_type_and_a_tag)
{
    struct fr_reply reply;

    assert_int_equal(ask(*state, "lib/a.css", false, &reply), 200);
    assert_string_equal(reply.content_type, "text/css; charset=utf-8");
    assert_int_equal(reply.body.length, 7);
    assert_true(strlen(reply.etag) > 0);
    assert_null(reply.policy);
    fr_reply_free(&reply);
}

TEST(the_root_is_the_index_with_a_policy)
{
    struct fr_reply reply;

    assert_int_equal(ask(*state, "", false, &reply), 200);
    assert_string_equal(reply.content_type, "text/html; charset=utf-8");
    assert_non_null(strstr(reply.policy, "default-src 'self'"));
    fr_reply_free(&reply);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The version that the page names, and all that it says. */
static void read_page(struct folder *f, char version[17])
{
    struct fr_reply reply;
    char all[512];
    const char *at;

    assert_int_equal(ask(f, "page.html", false, &reply), 200);
    assert_null(reply.cache_control);
    fr_writer_append(&reply.body, "", 1);
    at = strstr(reply.body.text, "v/");
    assert_non_null(at);
    snprintf(version, 17, "%.16s", at + 2);
    snprintf(all, sizeof all,
             "<link rel=\"stylesheet\" href=\"v/%s/lib/a.css\"><a href=\"lib/a.css\"></a>"
             "<script type=\"module\" src=\"v/%s/big.js\">",
             version, version);
    assert_string_equal(reply.body.text, all);
    fr_reply_free(&reply);
}

static const char *cached(struct folder *f, const char *version, const char *name)
{
    struct fr_reply reply;
    char path[64];

    snprintf(path, sizeof path, "v/%s/%s", version, name);
    assert_int_equal(ask(f, path, false, &reply), 200);
    assert_int_equal(reply.body.length, 7);
    fr_reply_free(&reply);
    return reply.cache_control;
}

TEST(large_files_are_left_to_a_worker)
{
    struct fr_reply reply;

    assert_int_equal(ask(*state, "big.js", false, &reply), FR_NEEDS_WORKER);
    fr_reply_free(&reply);
    assert_int_equal(ask(*state, "big.js", true, &reply), 200);
    assert_int_equal(reply.body.length, 100000);
    fr_reply_free(&reply);
}

TEST(nothing_leads_out_of_the_folder)
{
    static const char *const tricks[] = { "../secret",
                                          "..",
                                          "lib/../../secret",
                                          "link.css",
                                          "up/secret",
                                          "up/www/index.html",
                                          ".hidden",
                                          "./lib",
                                          "lib",
                                          "lib/",
                                          "//secret",
                                          "lib//a.css",
                                          "pipe.txt",
                                          "absent.js",
                                          "/etc/passwd",
                                          "lib/a.css/",
                                          "lib/a.css/b",
                                          "v/0123456789abcdef/../secret",
                                          "v/0123456789abcdef/",
                                          "v/0123456789abcdef",
                                          "v/0123456789abcde/lib/a.css" };

    for (size_t i = 0; i < sizeof tricks / sizeof tricks[0]; i++) {
        struct fr_reply reply;

        if (ask(*state, tricks[i], true, &reply) != 404)
            fail_msg("%s is served", tricks[i]);
        fr_reply_free(&reply);
    }
}

TEST(without_a_folder_there_are_no_files)
{
    static struct folder none;
    struct fr_reply reply;

    assert_int_equal(ask(&none, "index.html", false, &reply), 404);
    fr_reply_free(&reply);
}

TEST(the_files_of_a_page_are_kept_until_one_of_them_changes)
{
    struct folder *f = *state;
    char first[17], second[17];

    write_text(below(f, "www/page.html"),
               "<link rel=\"stylesheet\" href=\"lib/a.css\"><a href=\"lib/a.css\"></a>"
               "<script type=\"module\" src=\"big.js\">");
    read_page(f, first);
    assert_string_equal(cached(f, first, "lib/a.css"), "public, max-age=31536000, immutable");
    assert_null(cached(f, "0123456789abcdef", "lib/a.css"));
    f->server.static_version = 0; /* another daemon */
    assert_non_null(cached(f, first, "lib/a.css"));

    write_text(below(f, "www/big.js"), "another");
    read_page(f, second);
    assert_string_not_equal(first, second);
    assert_null(cached(f, first, "big.js"));
    assert_non_null(cached(f, second, "big.js"));
}

GROUP(make_folder, remove_folder)
