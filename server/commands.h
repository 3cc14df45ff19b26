/* The subcommands other than serve.  Each returns the exit status. */
#ifndef FR_COMMANDS_H
#define FR_COMMANDS_H

/* argv[0] is the prefix of messages; the rest are the arguments of the subcommand. */
int fr_command_token_create(int argc, char **argv);
int fr_command_token_list(int argc, char **argv);
int fr_command_token_revoke(int argc, char **argv);
int fr_command_audit(int argc, char **argv);
int fr_command_prune(int argc, char **argv);
int fr_command_import(int argc, char **argv);
int fr_command_backup(int argc, char **argv);
int fr_command_check(int argc, char **argv);
int fr_command_doctor(int argc, char **argv);
int fr_command_restore(int argc, char **argv);
int fr_command_migrate(int argc, char **argv);

#endif
