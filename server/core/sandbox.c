/* Landlock opens few files for reading and none for writing.  It does not know modes, owners, times
 * and attributes: a seccomp filter refuses those calls, sockets, and what only administrators need.
 * Documentation/userspace-api/landlock.rst of Linux has the rights and the versions. */
#include "server/core/process.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
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
    SCOPES = 1 << 0 | 1 << 1, /* LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET and SIGNAL, version 6 */
    READ = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    RUN = LANDLOCK_ACCESS_FS_EXECUTE | READ,
    CHANGE = LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
             LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
             LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
             LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
             LANDLOCK_ACCESS_FS_MAKE_SYM,
};

/* Programs, libraries, fonts, and what they read of the machine.  /etc and /usr/local/etc may have
 * secrets, so that neither they nor /usr are open as a whole. */
static const char *const system_files[] = {
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/share",
    "/usr/local/bin",
    "/usr/local/sbin",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/local/libexec",
    "/usr/local/share",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/proc",
    "/sys",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/openmpi",
    "/etc/localtime",
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/var/cache/fontconfig",
};

static long landlock_version(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

static int open_ruleset(long version)
{
    const struct ruleset set = {
        .files = RUN | CHANGE | LANDLOCK_ACCESS_FS_WRITE_FILE | (version >= 3 ? TRUNCATE : 0),
        .net = version >= 4 ? TCP : 0,
        .scopes = version >= 6 ? SCOPES : 0,
    };
    const size_t size = version >= 6   ? sizeof set
                        : version >= 4 ? offsetof(struct ruleset, scopes)
                                       : offsetof(struct ruleset, net);

    return (int)syscall(SYS_landlock_create_ruleset, &set, size, 0);
}

/* Gives rights on an open file, or on what is below an open folder; false with errno. */
static bool allow(int rules, int file, uint64_t rights)
{
    struct landlock_path_beneath_attr rule = { .parent_fd = file, .allowed_access = rights };
    struct stat found;

    if (fstat(file, &found) != 0)
        return false;
    if (!S_ISDIR(found.st_mode))
        rule.allowed_access &= ~(uint64_t)LANDLOCK_ACCESS_FS_READ_DIR;
    /* A file in memory belongs to no folder, and Landlock lets everybody open it. */
    return syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0 ||
           errno == EBADFD;
}

/* The same of a path, which need not exist. */
static bool allow_path(int rules, const char *path, uint64_t rights)
{
    const int file = open(path, O_PATH | O_CLOEXEC);
    bool is_allowed;

    if (file < 0)
        return errno == ENOENT || errno == EACCES || errno == ENOTDIR;
    is_allowed = allow(rules, file, rights);
    close(file);
    return is_allowed;
}

static bool allow_folders(int rules, const char *folders, uint64_t rights)
{
    char path[PATH_MAX];

    for (size_t length; *folders; folders += length + (folders[length] == ':')) {
        length = strcspn(folders, ":");
        snprintf(path, sizeof path, "%.*s", (int)length, folders);
        if (length && !allow_path(rules, path, rights))
            return false;
    }
    return true;
}

/* The loader that the kernel starts in place of the program, from its ELF header; empty: none. */
static void find_loader(int program, char path[PATH_MAX])
{
    ElfW(Ehdr) head;
    ElfW(Phdr) part;
    ssize_t length = 0;

    if (pread(program, &head, sizeof head, 0) == sizeof head &&
        memcmp(head.e_ident, ELFMAG, SELFMAG) == 0)
        for (unsigned i = 0; !length && i < head.e_phnum; i++)
            if (pread(program, &part, sizeof part, (off_t)(head.e_phoff + i * sizeof part)) ==
                    sizeof part &&
                part.p_type == PT_INTERP && part.p_filesz < PATH_MAX)
                length = pread(program, path, part.p_filesz, (off_t)part.p_offset);
    path[length > 0 ? length : 0] = '\0';
}

static bool fill(int rules, const struct fr_sandbox *of, int program, int extra,
                 const char *folders, long version)
{
    const uint64_t rights = of->is_script ? RUN : READ;
    char loader[PATH_MAX];
    bool is_filled = allow(rules, program, RUN);

    find_loader(program, loader);
    if (*loader)
        is_filled &= allow_path(rules, loader, RUN);
    for (size_t i = 0; is_filled && i < sizeof system_files / sizeof *system_files; i++)
        is_filled = allow_path(rules, system_files[i], rights);
    /* Programs throw away output. */
    return is_filled &&
           allow_path(rules, "/dev/null",
                      READ | LANDLOCK_ACCESS_FS_WRITE_FILE | (version >= 3 ? TRUNCATE : 0)) &&
           (!extra || allow(rules, extra, READ)) &&
           (!folders || allow_folders(rules, folders, rights));
}

int fr_sandbox_make(struct fr_sandbox *made, const char *path, int extra, const char *folders)
{
    const long version = landlock_version();
    const int program = open(path, O_RDONLY | O_CLOEXEC);
    char mark[2] = "";
    int error = 0;

    *made = (struct fr_sandbox){ .rules = -1 };
    if (program < 0)
        return errno;
    made->is_script = pread(program, mark, sizeof mark, 0) == sizeof mark && !memcmp(mark, "#!", 2);
    if (version >= 1) {
        made->rules = open_ruleset(version);
        if (made->rules < 0 || !fill(made->rules, made, program, extra, folders, version))
            error = errno;
    }
    close(program);
    if (error)
        fr_sandbox_drop(made);
    return error;
}

void fr_sandbox_drop(struct fr_sandbox *sandbox)
{
    if (sandbox->rules >= 0)
        close(sandbox->rules);
    sandbox->rules = -1;
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
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define REFUSE_CALL(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), REFUSE(EPERM)

/* Calls by number, which other architectures name differently: those end the process. */
static struct sock_filter calls[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
#ifdef __x86_64__
    /* The same calls have second numbers there (x32). */
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    REFUSE(EPERM),
#endif
/* Older calls, which newer architectures lack. */
#ifdef SYS_chmod
    REFUSE_CALL(SYS_chmod),
#endif
#ifdef SYS_chown
    REFUSE_CALL(SYS_chown),
#endif
#ifdef SYS_lchown
    REFUSE_CALL(SYS_lchown),
#endif
#ifdef SYS_utime
    REFUSE_CALL(SYS_utime),
#endif
#ifdef SYS_utimes
    REFUSE_CALL(SYS_utimes),
#endif
#ifdef SYS_futimesat
    REFUSE_CALL(SYS_futimesat),
#endif
#ifdef SYS_socketcall
    REFUSE_CALL(SYS_socketcall),
#endif
    REFUSE_CALL(SYS_truncate), /* Landlock knows it from version 3 on */
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
    REFUSE_CALL(463), /* setxattrat */
    REFUSE_CALL(466), /* removexattrat */
    REFUSE_CALL(469), /* file_setattr */
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
    /* The limits of the daemon are not its children's to change. */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 3),
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
    REFUSE(EPERM),
    ALLOW,
};

/* What makes processes, besides threads.  The C library uses clone where clone3 is not known, whose
 * flags are out of sight here. */
static struct sock_filter processes[] = {
    LOAD(nr),
#ifdef SYS_fork
    REFUSE_CALL(SYS_fork),
#endif
#ifdef SYS_vfork
    REFUSE_CALL(SYS_vfork),
#endif
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
    REFUSE(ENOSYS),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
    REFUSE(EPERM),
    ALLOW,
};

static const struct sock_fprog calls_filter = { sizeof calls / sizeof *calls, calls };
static const struct sock_fprog processes_filter = { sizeof processes / sizeof *processes,
                                                    processes };

#ifdef __SANITIZE_ADDRESS__
enum { FORKS_AT_END = 1 }; /* the search for leaks is a process of its own */
#else
enum { FORKS_AT_END = 0 };
#endif

static bool has_seccomp(void)
{
    const uint32_t action = SECCOMP_RET_KILL_PROCESS;

    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

static bool refuse_calls(bool is_script)
{
    return !has_seccomp() ||
           ((is_script || FORKS_AT_END ||
             prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &processes_filter) == 0) &&
            prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &calls_filter) == 0);
}
#else
static bool has_seccomp(void)
{
    return false;
}

static bool refuse_calls(bool is_script)
{
    (void)is_script;
    return true;
}
#endif

int fr_sandbox_enter(const struct fr_sandbox *sandbox)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        (sandbox->rules >= 0 && syscall(SYS_landlock_restrict_self, sandbox->rules, 0) != 0) ||
        !refuse_calls(sandbox->is_script))
        return errno;
    return 0;
}

const char *fr_sandbox_missing(void)
{
    if (landlock_version() >= 1)
        return has_seccomp() ? NULL : "seccomp";
    return has_seccomp() ? "Landlock" : "Landlock and seccomp";
}
