//go:build unix

package commands

import (
	"context"
	"os/exec"
	"syscall"
)

// shell is a line, run by the shell.
func shell(ctx context.Context, line string) *exec.Cmd {
	return exec.CommandContext(ctx, "/bin/sh", "-c", line)
}

// apart puts a command into a group of its own: Ctrl-C on the daemon's terminal is not for it, and all that it begins
// is killed with it.
func apart(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
