package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	httppprof "net/http/pprof"
	"os"
	"runtime"
	"runtime/pprof"

	"github.com/spf13/pflag"
)

// profiles are the files that say where a run spent its time and memory, for "go
// tool pprof"; "" for none. They are written however the verb ends.
type profiles struct {
	cpu, memory string
	served      bool // by serve, over HTTP
	file        *os.File
}

func (f *profiles) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.cpu, "cpuprofile", "", "write a CPU profile to this FILE, for go tool pprof")
	flags.StringVar(&f.memory, "memprofile", "", "write a profile of the memory allocated to this FILE")
}

// start begins with what was asked for.
func (f *profiles) start() error {
	if f.memory == "" && !f.served {
		runtime.MemProfileRate = 0 // nobody will look at the stacks that are kept for it
	}
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

// withProfiles adds /debug/pprof/ to what is served at an address, which must be one that
// only this machine reaches: profiles show everything in memory. A request must name
// that machine, too, so that no page in a browser here reads them by a name of its own.
func withProfiles(handler http.Handler, at net.Addr) (http.Handler, error) {
	if tcp, ok := at.(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		return nil, usage("--pprof: %s is not a loopback address", at)
	}
	mux := http.NewServeMux()
	mux.Handle("/", handler)
	for path, profile := range map[string]http.HandlerFunc{
		"/debug/pprof/": httppprof.Index, "/debug/pprof/cmdline": httppprof.Cmdline, "/debug/pprof/profile": httppprof.Profile,
		"/debug/pprof/symbol": httppprof.Symbol, "/debug/pprof/trace": httppprof.Trace,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if !isLocal(r.Host) {
				http.Error(w, "profiles are for this machine alone", http.StatusForbidden)
				return
			}
			profile(w, r)
		})
	}
	return mux, nil
}

// isLocal says that a Host header names this machine by a loopback address or as localhost.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
