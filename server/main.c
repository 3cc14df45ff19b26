/* forerund: picks the subcommand; `serve` runs until a signal ends it. */
#include "server/commands.h"
#include "server/core/command_line.h"
#include "server/http/accept.h"
#include "server/http/server.h"
#include "server/notify.h"
#include "server/serve.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

static const char serve_doc[] =
    "Serves predictions of parallel linear-algebra run times over HTTP.\v"
    "Subcommands (each has --help):\n"
    "  forerund [serve] ...            this; the default\n"
    "  forerund token create --db FILE --name NAME --scope write|admin\n"
    "  forerund token list --db FILE\n"
    "  forerund token revoke --db FILE --name NAME\n"
    "  forerund import --db FILE CALIBRATION.json...\n"
    "  forerund backup --db FILE OUT\n"
    "\n"
    "SIGTERM and SIGINT let requests under way end and then exit 0; SIGHUP reads the configuration "
    "file anew.";

/* Blocked before any thread starts, so that all of them leave these to sigwaitinfo. */
static void block_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, set, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like a full disk */
}

/* A connection is a file; many systems allow 1,024 unless asked for more. */
static void allow_many_files(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void wait_for_end(struct fr_server *server, const sigset_t *set)
{
    for (;;) {
        const struct timespec second = { .tv_sec = 1 };
        const int number = sigtimedwait(set, NULL, &second);

        if (number < 0)
            fr_server_watch(server);
        if (number == SIGTERM || number == SIGINT)
            return;
        if (number == SIGHUP) {
            fr_notify("RELOADING=1");
            fr_server_reload(server);
            fr_notify("READY=1");
        }
    }
}

static int run(struct fr_server *server, const struct fr_config *config)
{
    sigset_t signals;

    block_signals(&signals);
    allow_many_files();
    if (fr_server_start(server, config) != FR_OK)
        return EXIT_FAILURE;
    printf("forerund: listening on %s\n", fr_listener_url(server->listener));
    fflush(stdout);
    fr_notify("READY=1");
    wait_for_end(server, &signals);
    fr_log(&server->log, FR_LOG_INFO, "stop", NULL);
    fr_notify("STOPPING=1");
    fr_server_stop(server);
    return EXIT_SUCCESS;
}

static int serve(int argc, char **argv)
{
    struct fr_command_line line = { .name = "forerund",
                                    .doc = serve_doc,
                                    .has_all_settings = true };
    struct fr_server *server = calloc(1, sizeof *server);
    struct fr_config config;
    int status;

    if (!server)
        return EXIT_FAILURE;
    fr_command_line_read(&line, argc, argv, &config);
    status = run(server, &config);
    free(server);
    return status;
}

static const struct {
    const char *words[2]; /* the second NULL: one word */
    const char *program;
    int (*run)(int argc, char **argv);
} commands[] = {
    { { "serve", NULL }, "forerund serve", serve },
    { { "token", "create" }, "forerund token create", fr_command_token_create },
    { { "token", "list" }, "forerund token list", fr_command_token_list },
    { { "token", "revoke" }, "forerund token revoke", fr_command_token_revoke },
    { { "import", NULL }, "forerund import", fr_command_import },
    { { "backup", NULL }, "forerund backup", fr_command_backup },
};

static bool is_word(int argc, char **argv, int place, const char *word)
{
    return place < argc && strcmp(argv[place], word) == 0;
}

int main(int argc, char **argv)
{
    /* The database, its journal and backups are for their owner alone. */
    umask(0077);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const int words = commands[i].words[1] ? 2 : 1;
        char program[32];

        if (!is_word(argc, argv, 1, commands[i].words[0]) ||
            (words == 2 && !is_word(argc, argv, 2, commands[i].words[1])))
            continue;
        snprintf(program, sizeof program, "%s", commands[i].program);
        argv[words] = program;
        return commands[i].run(argc - words, argv + words);
    }
    if (argc > 1 && argv[1][0] != '-') {
        fprintf(stderr, "forerund: no such subcommand: %s; try --help\n", argv[1]);
        return 2;
    }
    return serve(argc, argv);
}
