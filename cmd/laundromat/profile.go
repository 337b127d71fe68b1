package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"

	"github.com/spf13/pflag"
)

// profiles are the files that tell where a run spent its time and memory, for "go
// tool pprof"; "" for none. They are written however the verb ends.
type profiles struct {
	cpu, memory string
	file        *os.File
}

func (f *profiles) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.cpu, "cpuprofile", "", "write a CPU profile to this FILE, for go tool pprof")
	flags.StringVar(&f.memory, "memprofile", "", "write a profile of the memory allocated to this FILE")
}

func (f *profiles) start() error {
	if f.cpu == "" {
		return nil
	}
	file, err := os.Create(f.cpu)
	if err != nil {
		return fmt.Errorf("--cpuprofile: %w", err)
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		file.Close()
		return fmt.Errorf("--cpuprofile: %w", err)
	}
	f.file = file
	return nil
}

// stop writes what was collected.
func (f *profiles) stop() error {
	var errs []error
	if f.file != nil {
		pprof.StopCPUProfile()
		if err := f.file.Close(); err != nil {
			errs = append(errs, fmt.Errorf("--cpuprofile: %w", err))
		}
		f.file = nil
	}
	if f.memory != "" {
		if err := writeMemoryProfile(f.memory); err != nil {
			errs = append(errs, fmt.Errorf("--memprofile: %w", err))
		}
	}
	return errors.Join(errs...)
}

func writeMemoryProfile(name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	runtime.GC() // the profile is as of the last collection
	return errors.Join(pprof.Lookup("allocs").WriteTo(file, 0), file.Close())
}
