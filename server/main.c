/* forerund: runs a subcommand.  `serve` runs until a signal stops it. */
#include "server/commands.h"
#include "server/core/config.h"
#include "server/core/process.h"
#include "server/http/listener.h"
#include "server/http/server.h"
#include "server/matrices/matrix.h"
#include "server/serve.h"
#include "server/service/service.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

static const char serve_doc[] =
    "Serves predictions of parallel linear-algebra run times over HTTP.\v"
    "Subcommands (each has --help):\n"
    "  forerund [serve] ...            the default\n"
    "  forerund token create --db FILE --name NAME --scope read|runs|write|admin\n"
    "      [--machine MACHINE]... [--expires DATE|DAYS] [--keep BYTES] [--note TEXT]\n"
    "  forerund token list --db FILE\n"
    "  forerund token revoke --db FILE NAME\n"
    "  forerund audit --db FILE\n"
    "  forerund prune --db FILE [--dry-run]\n"
    "  forerund import --db FILE CALIBRATION.json...\n"
    "  forerund backup --db FILE OUT\n"
    "  forerund check --db FILE\n"
    "  forerund doctor --config FILE\n"
    "  forerund restore --db FILE --from BACKUP\n"
    "  forerund migrate --from FILE --to URL\n"
    "\n"
    "SIGTERM and SIGINT let requests in progress finish, then exit with 0; SIGHUP rereads "
    "the configuration file.";

/* Blocks the signals before any thread starts, so that only sigtimedwait receives them. */
static void block_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, set, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* write() then fails as on a full disk */
}

/* Each connection needs a file descriptor; the default limit is often 1,024. */
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
    const bool has_watchdog = fr_notify_has_watchdog();

    for (;;) {
        const struct timespec tick = { .tv_nsec = FR_SERVER_TICK_MS * 1000000L };
        const int number = sigtimedwait(set, NULL, &tick);

        if (number < 0)
            fr_server_tick(server);
        /* It stays away, and systemd restarts the daemon, if a disk or a lock hangs. */
        if (has_watchdog && !fr_watch_is_stuck(server->watch))
            fr_notify("WATCHDOG=1");
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
    const char *words[2]; /* the second is NULL for a single word */
    const char *program;
    fr_command *run;
} commands[] = {
    { { "serve", NULL }, "forerund serve", serve },
    { { "token", "create" }, "forerund token create", fr_command_token_create },
    { { "token", "list" }, "forerund token list", fr_command_token_list },
    { { "token", "revoke" }, "forerund token revoke", fr_command_token_revoke },
    { { "audit", NULL }, "forerund audit", fr_command_audit },
    { { "prune", NULL }, "forerund prune", fr_command_prune },
    { { "import", NULL }, "forerund import", fr_command_import },
    { { "backup", NULL }, "forerund backup", fr_command_backup },
    { { "check", NULL }, "forerund check", fr_command_check },
    { { "doctor", NULL }, "forerund doctor", fr_command_doctor },
    { { "restore", NULL }, "forerund restore", fr_command_restore },
    { { "migrate", NULL }, "forerund migrate", fr_command_migrate },
    { { fr_inspection_command, NULL }, "forerund inspect-matrix", fr_inspection_child },
};

/* What was printed may be all there is of a new token, or of a log that is filed. */
static int told(const char *program, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "%s: standard output cannot be written\n", program);
    return status ? status : EXIT_FAILURE;
}

static bool is_word(int argc, char **argv, int place, const char *word)
{
    return place < argc && strcmp(argv[place], word) == 0;
}

int main(int argc, char **argv)
{
    /* Only the owner may read the database, its journal and backups. */
    umask(0077);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const int words = commands[i].words[1] ? 2 : 1;
        char program[32];

        if (!is_word(argc, argv, 1, commands[i].words[0]) ||
            (words == 2 && !is_word(argc, argv, 2, commands[i].words[1])))
            continue;
        snprintf(program, sizeof program, "%s", commands[i].program);
        argv[words] = program;
        return told(program, commands[i].run(argc - words, argv + words));
    }
    if (is_word(argc, argv, 1, "token")) {
        fprintf(stderr, "forerund: token takes create, list or revoke; try --help\n");
        return 2;
    }
    if (argc > 1 && argv[1][0] != '-') {
        fprintf(stderr, "forerund: no such subcommand: %s; try --help\n", argv[1]);
        return 2;
    }
    return serve(argc, argv);
}
