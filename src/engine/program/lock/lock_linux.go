package lock

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/landlock-lsm/go-landlock/landlock"
)

// Enter locks all threads in, those to come included, and shows by trying that both walls stand. Where either does not, it says
// which; the process is then partly locked, and of no use.
func Enter() error {
	open, err := descriptors()
	if err != nil {
		return err
	}
	// The newest that the library knows, and of an older kernel what it has: the least of all, files, is tried below.
	if err := landlock.V11.BestEffort().Restrict(); err != nil {
		return fmt.Errorf("landlock: %w", err)
	}
	// Of what the process itself may read otherwise: its own program.
	if _, err := os.Open("/proc/self/exe"); !errors.Is(err, syscall.EACCES) {
		return fmt.Errorf("landlock is not in force: a file could be opened (%v)", err)
	}
	if err := seccomp.LoadFilter(filter(open)); err != nil {
		return fmt.Errorf("seccomp: %w", err)
	}
	// Without a filter the address would be a bad one.
	if _, _, errno := syscall.RawSyscall(syscall.SYS_UNAME, 0, 0, 0); errno != syscall.EPERM {
		return fmt.Errorf("seccomp is not in force: a system call gave %v", errno)
	}
	return nil
}

// descriptors closes what somebody left open for us, and gives what stays: the pipes, and what Go's timers wake a thread with.
func descriptors() ([]uint64, error) {
	// The first timer makes it, which must not be later.
	time.AfterFunc(time.Hour, func() {}).Stop()
	links, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return nil, err
	}
	open := []uint64{0, 1, 2}
	for _, link := range links {
		fd, err := strconv.Atoi(link.Name())
		if err != nil || fd <= 2 {
			continue
		}
		switch target, _ := os.Readlink("/proc/self/fd/" + link.Name()); target {
		case "anon_inode:[eventfd]":
			open = append(open, uint64(fd))
		case "anon_inode:[eventpoll]":
		default: // the folder that was read is closed by now
			_ = syscall.Close(fd)
		}
	}
	return open, nil
}

// cloneThread is CLONE_THREAD: a thread, not a process.
const cloneThread = 0x10000

// filter allows what Go's runtime calls once it has started (runtime/os_linux.go, sys_linux_*.s), and refuses the rest with EPERM, as
// the runtime does without much of it where a kernel is too old.
func filter(open []uint64) seccomp.Filter {
	self := uint64(os.Getpid())
	only := func(name string, conditions ...seccomp.Condition) seccomp.NameWithConditions {
		return seccomp.NameWithConditions{Name: name, Conditions: conditions}
	}
	is := func(argument uint32, value uint64) seccomp.Condition {
		return seccomp.Condition{Argument: argument, Operation: seccomp.Equal, Value: value}
	}
	var pipes []seccomp.NameWithConditions
	for _, fd := range open {
		pipes = append(pipes, only("read", is(0, fd)), only("write", is(0, fd)))
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
					"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "gettid", "getpid", "exit", "exit_group", "epoll_pwait",
				},
				NamesWithCondtions: append(pipes,
					only("mmap", noProgram),
					only("mprotect", noProgram),
					only("tgkill", is(0, self)),
					only("clone", seccomp.Condition{Argument: 0, Operation: seccomp.BitsSet, Value: cloneThread}),
				),
			}},
		},
	}
}
