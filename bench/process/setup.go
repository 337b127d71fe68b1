package process

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

// Setup is what every benchmark of a whole command has: a folder of its own, the
// program, how often, how long.
type Setup struct {
	Runs    int           // how often each command
	Timeout time.Duration // longest time of a run
	Dir     string        // where Folder is made; its disk is what is measured
	Program string        // a laundromat
	Args    []string      // what is after the flags

	// Folder is removed when the benchmark ends.
	Folder string
}

// Main is the main function of a benchmark of a name. The caller has defined its own flags. Main adds
// those of a Setup, with runs as the default of -runs. It makes the folder, builds the program unless
// one was given, and ends the process with 1 on an error. An interrupt ends ctx.
func Main(name string, runs int, run func(ctx context.Context, s *Setup) error) {
	var s Setup
	flag.IntVar(&s.Runs, "runs", runs, "how often each")
	flag.StringVar(&s.Dir, "dir", "", "folder for the files; its disk is what is measured")
	flag.StringVar(&s.Program, "program", "", "a laundromat that is built already")
	flag.DurationVar(&s.Timeout, "timeout", 10*time.Minute, "longest time of a run")
	flag.Parse()
	s.Args = flag.Args()
	if err := s.do(run); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

func (s *Setup) do(run func(context.Context, *Setup) error) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if s.Folder, err = os.MkdirTemp(s.Dir, "laundromat-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(s.Folder)
	if s.Program == "" {
		if s.Program, err = Build(ctx, s.Folder); err != nil {
			return err
		}
	}
	return run(ctx, s)
}
