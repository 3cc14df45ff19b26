/* The subcommands other than serve.  Each returns the exit status. */
#ifndef FR_COMMANDS_H
#define FR_COMMANDS_H

/* argv[0] is the prefix of messages; the rest are the arguments of the subcommand. */
typedef int fr_command(int argc, char **argv);
fr_command fr_command_token_create, fr_command_token_list, fr_command_token_revoke,
    fr_command_audit, fr_command_prune, fr_command_import, fr_command_backup, fr_command_check,
    fr_command_doctor, fr_command_restore, fr_command_migrate;

#endif
