/* Landlock keeps files as they are, except for what it does not know (modes, owners, times,
 * attributes): a seccomp filter refuses those calls, sockets, and what only administrators need. */
#include "server/core/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- files: Landlock ---- */

/* Headers may be older than the kernel: the struct and the rights up to version 6. */
struct ruleset {
    uint64_t files, net, scopes;
};

enum {
    TRUNCATE = 1 << 14, /* LANDLOCK_ACCESS_FS_TRUNCATE, version 3 */
    TCP = 1 << 0 | 1 << 1 /* LANDLOCK_ACCESS_NET_BIND_TCP and CONNECT_TCP, version 4 */,
    SCOPES = 1 << 0 | 1 << 1 /* LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET and SIGNAL, version 6 */,
};

static const uint64_t changes = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

static long landlock_version(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

/* Programs throw away output. */
static bool allow_null(int rules, uint64_t rights)
{
    struct landlock_path_beneath_attr rule = { .allowed_access = rights };
    long result = -1;

    rule.parent_fd = open("/dev/null", O_PATH | O_CLOEXEC);
    if (rule.parent_fd >= 0) {
        result = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
        close(rule.parent_fd);
    }
    return result == 0;
}

int fr_sandbox_rules(void)
{
    const long version = landlock_version();
    const uint64_t truncate = version >= 3 ? TRUNCATE : 0;
    const struct ruleset set = { .files = changes | truncate,
                                 .net = version >= 4 ? TCP : 0,
                                 .scopes = version >= 6 ? SCOPES : 0 };
    const size_t size = version >= 6   ? sizeof set
                        : version >= 4 ? offsetof(struct ruleset, scopes)
                                       : offsetof(struct ruleset, net);
    int rules;

    if (version < 1)
        return -1;
    rules = (int)syscall(SYS_landlock_create_ruleset, &set, size, 0);
    if (rules >= 0 && !allow_null(rules, LANDLOCK_ACCESS_FS_WRITE_FILE | truncate)) {
        close(rules);
        return -1;
    }
    return rules;
}

/* ---- calls: seccomp ---- */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define ARCHITECTURE AUDIT_ARCH_PPC64LE
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

#ifdef ARCHITECTURE
#define LOAD(member) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, member))
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define REFUSE_CALL(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), REFUSE

/* Calls by number, which other architectures name differently: those end the process. */
static struct sock_filter calls[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
#ifdef __x86_64__
    /* The same calls have second numbers there (x32). */
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    REFUSE,
    REFUSE_CALL(SYS_chmod),
    REFUSE_CALL(SYS_chown),
    REFUSE_CALL(SYS_lchown),
    REFUSE_CALL(SYS_utime),
    REFUSE_CALL(SYS_utimes),
    REFUSE_CALL(SYS_futimesat),
#endif
    REFUSE_CALL(SYS_socket),
    REFUSE_CALL(SYS_socketpair),
    /* It would do the same by other means. */
    REFUSE_CALL(SYS_io_uring_setup),
    REFUSE_CALL(SYS_fchmod),
    REFUSE_CALL(SYS_fchmodat),
    REFUSE_CALL(452), /* fchmodat2 */
    REFUSE_CALL(SYS_fchown),
    REFUSE_CALL(SYS_fchownat),
    REFUSE_CALL(SYS_utimensat),
    REFUSE_CALL(SYS_setxattr),
    REFUSE_CALL(SYS_lsetxattr),
    REFUSE_CALL(SYS_fsetxattr),
    REFUSE_CALL(SYS_removexattr),
    REFUSE_CALL(SYS_lremovexattr),
    REFUSE_CALL(SYS_fremovexattr),
    REFUSE_CALL(SYS_mount),
    REFUSE_CALL(SYS_umount2),
    REFUSE_CALL(SYS_move_mount),
    REFUSE_CALL(SYS_fsopen),
    REFUSE_CALL(SYS_open_tree),
    REFUSE_CALL(SYS_pivot_root),
    REFUSE_CALL(SYS_chroot),
    REFUSE_CALL(SYS_unshare),
    REFUSE_CALL(SYS_setns),
    REFUSE_CALL(SYS_bpf),
    REFUSE_CALL(SYS_perf_event_open),
    REFUSE_CALL(SYS_userfaultfd),
    REFUSE_CALL(SYS_add_key),
    REFUSE_CALL(SYS_request_key),
    REFUSE_CALL(SYS_keyctl),
    REFUSE_CALL(SYS_process_vm_readv),
    REFUSE_CALL(SYS_process_vm_writev),
    REFUSE_CALL(SYS_open_by_handle_at),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

static const struct sock_fprog filter = { .len = sizeof calls / sizeof *calls, .filter = calls };

static bool has_seccomp(void)
{
    const uint32_t action = SECCOMP_RET_KILL_PROCESS;

    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

static bool refuse_calls(void)
{
    return !has_seccomp() || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}
#else
static bool has_seccomp(void)
{
    return false;
}

static bool refuse_calls(void)
{
    return true;
}
#endif

int fr_sandbox_enter(int rules)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        (rules >= 0 && syscall(SYS_landlock_restrict_self, rules, 0) != 0) || !refuse_calls())
        return errno;
    return 0;
}

const char *fr_sandbox_missing(void)
{
    const int rules = fr_sandbox_rules();

    if (rules >= 0)
        close(rules);
    if (rules < 0)
        return has_seccomp() ? "Landlock" : "Landlock and seccomp";
    return has_seccomp() ? NULL : "seccomp";
}
