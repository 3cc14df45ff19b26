/* What no child program may do, whatever the file that it reads makes of it: change files, open
 * sockets, send signals to the daemon, gain privileges. */
#ifndef FR_SANDBOX_H
#define FR_SANDBOX_H

/* A Landlock ruleset, for fr_sandbox_enter, to be closed by the caller; -1 where the kernel has
 * none. */
int fr_sandbox_rules(void);
/* Confines the calling thread and what it executes, for good.  `rules` may be -1.  Returns 0 or an
 * errno.  Calls nothing but the kernel, so that it may stand between vfork and exec. */
int fr_sandbox_enter(int rules);
/* What this kernel lacks, so that children run without: "Landlock", "seccomp" or both; else NULL.
 */
const char *fr_sandbox_missing(void);

#endif
