package program

import "syscall"

// endWithParent ends the process when its host is killed, however busy it is; else it ends when its input does.
func endWithParent() {
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0)
}
