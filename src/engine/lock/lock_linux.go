package lock

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/landlock-lsm/go-landlock/landlock"
)

// Enter locks all threads in, those to come included, and shows by trying that both walls stand. Where either does not, it says
// which; the process is then partly locked, and of no use.
func Enter() error {
	// The newest that the library knows, and of an older kernel what it has: the least of all, files, is tried below.
	if err := landlock.V11.BestEffort().Restrict(); err != nil {
		return fmt.Errorf("landlock: %w", err)
	}
	// Of what the process itself may read otherwise: its own program.
	if _, err := os.Open("/proc/self/exe"); !errors.Is(err, syscall.EACCES) {
		return fmt.Errorf("landlock is not in force: a file could be opened (%v)", err)
	}
	if err := seccomp.LoadFilter(filter()); err != nil {
		return fmt.Errorf("seccomp: %w", err)
	}
	// Without a filter the address would be a bad one.
	if _, _, errno := syscall.RawSyscall(syscall.SYS_UNAME, 0, 0, 0); errno != syscall.EPERM {
		return fmt.Errorf("seccomp is not in force: a system call gave %v", errno)
	}
	return nil
}

// cloneThread is CLONE_THREAD: a thread, not a process.
const cloneThread = 0x10000

// filter allows what Go's runtime calls once it has started (runtime/os_linux.go, sys_linux_*.s), and refuses the rest with EPERM, as
// the runtime does without much of it where a kernel is too old.
func filter() seccomp.Filter {
	self := uint64(os.Getpid())
	only := func(name string, conditions ...seccomp.Condition) seccomp.NameWithConditions {
		return seccomp.NameWithConditions{Name: name, Conditions: conditions}
	}
	is := func(argument uint32, value uint64) seccomp.Condition {
		return seccomp.Condition{Argument: argument, Operation: seccomp.Equal, Value: value}
	}
	// Memory that holds a program can neither be had nor made.
	noProgram := seccomp.Condition{Argument: 2, Operation: seccomp.BitsNotSet, Value: syscall.PROT_EXEC}
	return seccomp.Filter{
		NoNewPrivs: true,
		Flag:       seccomp.FilterFlagTSync,
		Policy: seccomp.Policy{
			DefaultAction: seccomp.ActionErrno,
			Syscalls: []seccomp.SyscallGroup{{
				Action: seccomp.ActionAllow,
				Names: []string{
					"munmap", "madvise", "futex", "nanosleep", "sched_yield", "clock_gettime", "getrandom", "restart_syscall",
					"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "gettid", "getpid", "exit", "exit_group",
				},
				NamesWithCondtions: []seccomp.NameWithConditions{
					only("read", is(0, 0)),
					only("write", is(0, 1)),
					only("write", is(0, 2)),
					only("mmap", noProgram),
					only("mprotect", noProgram),
					only("tgkill", is(0, self)),
					only("clone", seccomp.Condition{Argument: 0, Operation: seccomp.BitsSet, Value: cloneThread}),
				},
			}},
		},
	}
}
