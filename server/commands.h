/* The subcommands that do one thing and end; each returns the exit status. */
#ifndef FR_COMMANDS_H
#define FR_COMMANDS_H

/* argv[0] is what stands in messages, the rest the subcommand's own arguments. */
int fr_command_token_create(int argc, char **argv);
int fr_command_token_list(int argc, char **argv);
int fr_command_token_revoke(int argc, char **argv);
int fr_command_import(int argc, char **argv);
int fr_command_backup(int argc, char **argv);

#endif
