package lock

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test is its own prisoner: a child locks itself in, tries what it must not be able to do, and says what came of it.
const inside = "CUSTOMIZER_LINT_LOCK_TEST"

func TestMain(m *testing.M) {
	if given := os.Getenv(inside); given != "" {
		prisoner(given)
		return
	}
	os.Exit(m.Run())
}

// outside is a file that the child may read before it is locked in, an address that it may reach, and another process.
type outside struct {
	File, Address string
	Other         int
}

func prisoner(given string) {
	var out outside
	if err := json.Unmarshal([]byte(given), &out); err != nil {
		panic(err)
	}
	// Other threads are there already, which must be locked in as well.
	elsewhere := make(chan func() error)
	answers := make(chan error)
	go func() {
		runtime.LockOSThread()
		for try := range elsewhere {
			answers <- try()
		}
	}()
	elsewhere <- func() error { return nil }
	<-answers
	tries := triesOf(out)
	tried := map[string]string{}
	if os.Getenv("FREE") == "" {
		if err := Enter(); err != nil {
			tried["lock"] = err.Error()
		}
	}
	if os.Getenv("FREE") != "" {
		delete(tries, "remove a file") // others want to read it
	}
	for name, try := range tries {
		tried[name] = said(try())
		elsewhere <- try
		tried[name+", in another thread"] = said(<-answers)
	}
	// What it needs goes on: memory, threads, timers, garbage collection.
	all := make([][]byte, 64)
	done := make(chan bool)
	for i := range all {
		go func() {
			all[i] = make([]byte, 1<<20)
			time.Sleep(time.Millisecond)
			done <- true
		}()
	}
	for range all {
		<-done
	}
	runtime.GC()
	text, _ := json.Marshal(tried)
	os.Stdout.Write(text)
}

func said(err error) string {
	if err == nil {
		return "done"
	}
	return err.Error()
}

// fork makes a second process, which ends at once.
func fork() error {
	id, _, errno := syscall.RawSyscall(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0)
	if errno != 0 {
		return errno
	}
	if id == 0 {
		_, _, _ = syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
	}
	return nil
}

func triesOf(out outside) map[string]func() error {
	raw := func(number, a, b, c uintptr) error {
		if _, _, errno := syscall.Syscall6(number, a, b, c, 0, 0, 0); errno != 0 {
			return errno
		}
		return nil
	}
	var limit syscall.Rlimit
	_ = syscall.Getrlimit(syscall.RLIMIT_CORE, &limit)
	return map[string]func() error{
		"read a file":    func() error { _, err := os.ReadFile(out.File); return err },
		"write a file":   func() error { return os.WriteFile(out.File+".new", nil, 0o600) },
		"list a folder":  func() error { _, err := os.ReadDir(filepath.Dir(out.File)); return err },
		"stat a file":    func() error { _, err := os.Stat(out.File); return err },
		"remove a file":  func() error { return os.Remove(out.File) },
		"read a link":    func() error { _, err := os.Readlink("/proc/self/exe"); return err },
		"connect":        func() error { _, err := net.DialTimeout("tcp", out.Address, time.Second); return err },
		"a socket":       func() error { return raw(syscall.SYS_SOCKET, syscall.AF_UNIX, syscall.SOCK_STREAM, 0) },
		"a pair":         func() error { _, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0); return err },
		"run a program":  func() error { return exec.Command("/bin/true").Run() },
		"a process":      fork,
		"a signal":       func() error { return syscall.Kill(out.Other, 0) },
		"trace":          func() error { return raw(syscall.SYS_PTRACE, syscall.PTRACE_ATTACH, uintptr(out.Other), 0) },
		"another folder": func() error { return os.Chdir("/") },
		"a new program in memory": func() error {
			_, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_EXEC, syscall.MAP_ANON|syscall.MAP_PRIVATE)
			return err
		},
		"memory made a program": func() error {
			page, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
			if err != nil {
				return nil
			}
			return syscall.Mprotect(page, syscall.PROT_READ|syscall.PROT_EXEC)
		},
		"other memory":     func() error { _, err := os.ReadFile("/proc/self/mem"); return err },
		"the environment":  func() error { _, err := os.ReadFile("/proc/self/environ"); return err },
		"a pipe left open": func() error { _, err := syscall.Write(9, []byte("x")); return err },
		"limits lifted":    func() error { return syscall.Setrlimit(syscall.RLIMIT_CORE, &limit) },
	}
}

func run(t *testing.T, env ...string) map[string]string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(file, []byte("hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	other := exec.Command("sleep", "60")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = other.Process.Kill()
		_ = other.Wait()
	}()
	given, err := json.Marshal(outside{file, listener.Addr().String(), other.Process.Pid})
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(program)
	child.Env = append(env, inside+"="+string(given))
	child.Stderr = os.Stderr
	left, err := os.Create(filepath.Join(t.TempDir(), "left"))
	if err != nil {
		t.Fatal(err)
	}
	defer left.Close()
	// Number 9, as a careless host might leave it open.
	for len(child.ExtraFiles) < 7 {
		child.ExtraFiles = append(child.ExtraFiles, left)
	}
	text, err := child.Output()
	if err != nil {
		t.Fatal(err)
	}
	var tried map[string]string
	if err := json.Unmarshal(text, &tried); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return tried
}

// hasLandlock asks the kernel for the version of its interface (LANDLOCK_CREATE_RULESET_VERSION).
func hasLandlock() bool {
	version, _, errno := syscall.Syscall(444, 0, 0, 1)
	return errno == 0 && version > 0
}

func TestNothingIsLeft(t *testing.T) {
	tried := run(t)
	if why, failed := tried["lock"]; failed {
		if !hasLandlock() {
			t.Skipf("skipped: this kernel has no Landlock: %s", why)
		}
		t.Fatal(why)
	}
	if len(tried) < 40 {
		t.Fatalf("only %d tries", len(tried))
	}
	for name, came := range tried {
		if came == "done" {
			t.Errorf("%s: it could", name)
		}
		if !strings.Contains(came, syscall.EPERM.Error()) && !strings.Contains(came, syscall.EACCES.Error()) &&
			!strings.Contains(came, syscall.EBADF.Error()) {
			t.Errorf("%s: refused by something else: %s", name, came)
		}
	}
}

// The same tries succeed outside, else they would show nothing.
func TestTheTriesWork(t *testing.T) {
	tried := run(t, "FREE=1")
	for _, name := range []string{
		"read a file", "list a folder", "stat a file", "connect", "a socket", "a pair", "run a program", "a signal",
		"trace", "a process", "another folder", "a new program in memory", "memory made a program", "the environment", "a pipe left open", "limits lifted",
	} {
		if tried[name] != "done" {
			t.Errorf("%s: %s", name, tried[name])
		}
	}
}
