// Command laundromat washes dirty linked data into clean, sorted, unique,
// canonical N-Quads: at once (wash, check), or as a daemon with a seed list (serve).
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/mattn/go-isatty"

	"laundromat/internal/outfile"
	"laundromat/states/inputs"
)

func main() { os.Exit(run(os.Args[1:])) }

// run runs the program with the arguments and returns its exit code.
func run(args []string) int {
	out := outfile.NewStdout(os.Stdout)
	u := &ui{out: out, err: os.Stderr, args: args}
	// net/http writes strange answers to the standard logger; they are in the records.
	log.SetOutput(io.Discard)
	release := u.watchSignals()
	defer release()
	u.in, u.inIsTerminal = inputs.NewInterruptible(u.stopping, os.Stdin), isatty.IsTerminal(os.Stdin.Fd())

	root := rootCommand(u)
	if isCompletion(args) { // it looks at every flag of every verb
		completeValues(u, root)
	}
	root.SetArgs(withBareSpec(args))
	root.SetIn(u.in)
	root.SetOut(u.out)
	root.SetErr(u.err)
	err := root.ExecuteContext(u.stopping)
	if cpu, memory := u.profiles.Stop(); err == nil && cpu != nil {
		err = fmt.Errorf("--cpuprofile: %w", cpu)
	} else if err == nil && memory != nil {
		err = fmt.Errorf("--memprofile: %w", memory)
	}
	if err == nil {
		err = out.Err()
	}
	return u.exitCode(err, out.Written())
}
