"""Numbers of the system calls that the sandbox names, for x86_64 and aarch64.

Tables only; `grader.worker.walls.seccomp` decides what is allowed.  Numbers are those of the kernel's own
headers (`asm/unistd_64.h`, `asm-generic/unistd.h`); a dash marks a call that the architecture does not have.
A call that is in no table is refused.
"""

import os

MACHINE = os.uname().machine
"""The architecture this process runs on, as the kernel names it."""

SUPPORTED = MACHINE in ("x86_64", "aarch64")
"""True if the tables hold numbers for this architecture."""

_EVERYDAY = """
read 0 63, write 1 64, close 3 57, fstat 5 80, lseek 8 62, mmap 9 222, mprotect 10 226, munmap 11 215,
brk 12 214, rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, pread64 17 67, pwrite64 18 68,
readv 19 65, writev 20 66, sched_yield 24 124, mremap 25 216, msync 26 227,
dup 32 23, dup3 292 24, nanosleep 35 101, getitimer 36 102, setitimer 38 103, getpid 39 172, sendfile 40 71,
exit 60 93, exit_group 231 94, uname 63 160, fsync 74 82, fdatasync 75 83, ftruncate 77 46, getcwd 79 17,
chdir 80 49, fchdir 81 50, gettimeofday 96 169, getrusage 98 165,
sysinfo 99 179, times 100 153, getuid 102 174, getgid 104 176, geteuid 107 175, getegid 108 177,
getppid 110 173, getgroups 115 158, getresuid 118 148, getresgid 120 150, getpgid 121 155, getsid 124 156,
rt_sigpending 127 136, rt_sigtimedwait 128 137, rt_sigsuspend 130 133, sigaltstack 131 132, statfs 137 43,
fstatfs 138 44, getpriority 140 141, sched_getparam 143 121, sched_getscheduler 145 120,
sched_get_priority_max 146 125, sched_get_priority_min 147 126, sched_rr_get_interval 148 127,
gettid 186 178, futex 202 98, futex_waitv 449 449, sched_getaffinity 204 123, getdents64 217 61,
set_tid_address 218 96, restart_syscall 219 128,
epoll_ctl 233 21, epoll_create1 291 20, epoll_pwait 281 22,
epoll_pwait2 441 441, openat 257 56, mkdirat 258 34, newfstatat 262 79, unlinkat 263 35, renameat 264 38,
renameat2 316 276, readlinkat 267 78, symlinkat 266 36, faccessat 269 48, faccessat2 439 439,
pselect6 270 72, ppoll 271 73, set_robust_list 273 99, get_robust_list 274 100, fallocate 285 47,
eventfd2 290 19, pipe2 293 59, getrandom 318 278, statx 332 291, rseq 334 293,
copy_file_range 326 285, membarrier 324 283, wait4 61 260, waitid 247 95, getcpu 309 168, splice 275 76,
tee 276 77, shutdown 48 210,
getsockopt 55 209, getsockname 51 204, getpeername 52 205, umask 95 166,
timer_settime 223 110, timer_gettime 224 108, timer_getoverrun 225 109,
timer_delete 226 111, timerfd_create 283 85, timerfd_settime 286 86, timerfd_gettime 287 87, open 2 -,
stat 4 -, lstat 6 -, poll 7 -, access 21 -, pipe 22 -, select 23 -, dup2 33 -, rename 82 -, mkdir 83 -,
rmdir 84 -, creat 85 -, unlink 87 -, symlink 88 -, readlink 89 -, getdents 78 -, time 201 -,
epoll_create 213 -, epoll_wait 232 -, eventfd 284 -, alarm 37 -, getrlimit 97 163, pause 34 -, getpgrp 111 -
"""
_BY_ARGUMENT = """
clone 56 220, clone3 435 435, fork 57 -, vfork 58 -, execve 59 221, execveat 322 281, socket 41 198,
socketpair 53 199, fcntl 72 25, prctl 157 167, prlimit64 302 261, ioctl 16 29, kill 62 129, tgkill 234 131,
utimensat 280 88, close_range 436 436, sendto 44 206, recvfrom 45 207, sendmsg 46 211, recvmsg 47 212,
clock_gettime 228 113, clock_getres 229 114, clock_nanosleep 230 115, timer_create 222 107,
madvise 28 233
"""
_PRETENDED = """
chmod 90 -, fchmod 91 52, fchmodat 268 53, chown 92 -, fchown 93 55, lchown 94 -, fchownat 260 54,
utime 132 -, utimes 235 -, futimesat 261 -,
flock 73 32, fadvise64 221 223
"""
_UNSUPPORTED = """
setxattr 188 5, lsetxattr 189 6, fsetxattr 190 7, getxattr 191 8, lgetxattr 192 9, fgetxattr 193 10,
listxattr 194 11, llistxattr 195 12, flistxattr 196 13, removexattr 197 14, lremovexattr 198 15,
fremovexattr 199 16
"""
_FATAL = """
ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, bpf 321 280, userfaultfd 323 282,
io_uring_setup 425 425, io_uring_enter 426 426, io_uring_register 427 427, keyctl 250 219, add_key 248 217,
request_key 249 218, mount 165 40, umount2 166 39, pivot_root 155 41, chroot 161 51, unshare 272 97,
setns 308 268, kexec_load 246 104, kexec_file_load 320 294, init_module 175 105, finit_module 313 273,
delete_module 176 106, perf_event_open 298 241, open_by_handle_at 304 265, name_to_handle_at 303 264,
reboot 169 142, swapon 167 224, swapoff 168 225
"""
_STARTING = """
execve 59 221, arch_prctl 158 -
"""
_OWN = """
seccomp 317 277, landlock_create_ruleset 444 444, landlock_add_rule 445 445, landlock_restrict_self 446 446
"""


def _numbers(table: str) -> dict[str, int]:
    column = 2 if MACHINE == "aarch64" else 1
    rows = (entry.split() for entry in table.replace("\n", " ").split(","))
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


EVERYDAY: dict[str, int] = _numbers(_EVERYDAY)
"""Calls that an ordinary Python program needs, and that affect only the box and its scratch folder."""

BY_ARGUMENT: dict[str, int] = _numbers(_BY_ARGUMENT)
"""Calls allowed for some arguments only; `grader.worker.walls.seccomp` says which."""

PRETENDED: dict[str, int] = _numbers(_PRETENDED)
"""Calls that change nothing and report success: metadata that Landlock does not guard, locks, file advice.

Two boxes can read the same file of the interpreter's.  They could exchange messages by a lock on it, or by
having the kernel drop its pages from memory.  No other process shares a file with a box, so a lock always
seems to be free.
"""

UNSUPPORTED: dict[str, int] = _numbers(_UNSUPPORTED)
"""Extended attributes: answered as by a file system without them, which is what `shutil.copy2` expects."""

FATAL: dict[str, int] = _numbers(_FATAL)
"""Calls that no honest program makes: the process is killed, and the report says forbidden."""

STARTING: dict[str, int] = _numbers(_STARTING)
"""Calls that exec needs; for tools of the grader's own."""

OWN: dict[str, int] = _numbers(_OWN)
"""Calls that the worker itself makes before the filter is in force."""
