// Package profile writes where a run spent its time and memory, for "go tool pprof", or serves that to this machine.
package profile

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	httppprof "net/http/pprof"
	"os"
	"runtime"
	"runtime/pprof"
)

// Files are the files that say where a run spent its time and memory, for "go
// tool pprof"; "" for none.
type Files struct {
	CPU, Memory string
	Served      bool // over HTTP, see Handler
	file        *os.File
}

// Start begins the profile of the CPU, if it is asked for.
func (f *Files) Start() error {
	if f.Memory == "" && !f.Served {
		runtime.MemProfileRate = 0 // nobody will look at the stacks that are kept for it
	}
	if f.CPU == "" {
		return nil
	}
	file, err := os.Create(f.CPU)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		file.Close()
		return err
	}
	f.file = file
	return nil
}

// Stop writes what was collected, however the run ended.
func (f *Files) Stop() (cpu, memory error) {
	if f.file != nil {
		pprof.StopCPUProfile()
		cpu = f.file.Close()
		f.file = nil
	}
	if f.Memory != "" {
		memory = writeMemoryProfile(f.Memory)
	}
	return cpu, memory
}

func writeMemoryProfile(name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	runtime.GC() // the profile is as of the last collection
	return errors.Join(pprof.Lookup("allocs").WriteTo(file, 0), file.Close())
}

// Handler adds /debug/pprof/ to what is served at an address, which must be one that
// only this machine reaches: profiles show everything in memory. A request must name
// that machine, too, so that no page in a browser here reads them by a name of its own.
func Handler(handler http.Handler, at net.Addr) (http.Handler, error) {
	if tcp, ok := at.(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		return nil, fmt.Errorf("%s is not a loopback address", at)
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
