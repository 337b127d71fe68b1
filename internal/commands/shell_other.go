//go:build !unix

package commands

import (
	"context"
	"os/exec"
)

// shell is a line, run by the shell.
func shell(ctx context.Context, line string) *exec.Cmd {
	return exec.CommandContext(ctx, "cmd", "/C", line)
}

// apart does nothing where there are no groups of processes.
func apart(*exec.Cmd) {}
