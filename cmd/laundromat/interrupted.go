package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
)

// reached is how far a verb has come, for the line that a run ends with when a signal cuts it short.
type reached struct {
	mu   sync.Mutex
	done int64  // documents, or files, that are complete
	unit string // of these: "document"; "": the output is one piece
	at   string // the one that is at work, if it is known
	// writing says that all are read.
	writing bool
	output  string // where the results go: "" or "-" is standard output
	// eachDone says that an output is complete with each document: a file in a folder, or the document's own.
	eachDone bool
	// hasNone says that nothing is written but what standard output has.
	hasNone bool
}

// begin notes the document that is at work.
func (r *reached) begin(name string) {
	r.mu.Lock()
	r.at = name
	r.mu.Unlock()
}

// write notes that all are read.
func (r *reached) write() {
	r.mu.Lock()
	r.at, r.writing = "", true
	r.mu.Unlock()
}

// complete notes that so many more are complete.
func (r *reached) complete(n int64) {
	r.mu.Lock()
	r.done += n
	r.at = ""
	r.mu.Unlock()
}

// interruption is the line for a run that a signal has cut short, with as many bytes on standard output.
func (u *ui) interruption(written int64) string {
	parts := []string{"the work is not complete"}
	if u.reached != nil {
		parts = u.reached.parts(written)
	}
	if written > 0 {
		parts = append(parts, fmt.Sprintf("standard output has %d bytes, which are not all", written))
	}
	how := "interrupted"
	if u.signal.Load() == int32(syscall.SIGTERM) {
		how = "terminated"
	}
	return fmt.Sprintf("laundromat: %s: %s", how, strings.Join(parts, "; "))
}

// parts say what is done, what is left out, and what there is of the output.
func (r *reached) parts(written int64) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var parts []string
	switch {
	case r.unit == "":
	case r.done == 0:
		parts = append(parts, "no "+r.unit+" is done")
	default:
		parts = append(parts, counted(int(r.done), r.unit+" is done", r.unit+"s are done"))
	}
	switch {
	case r.at != "":
		parts = append(parts, r.at+" and all after it are left out")
	case r.unit != "" && !r.writing:
		parts = append(parts, "the others are left out")
	}
	stdout := r.output == "" || r.output == "-"
	switch {
	case r.hasNone, r.eachDone && stdout, stdout && written > 0:
	case r.eachDone && r.done == 0:
	case r.eachDone:
		parts = append(parts, "those done are in "+r.output)
	case stdout:
		parts = append(parts, "nothing was written")
	case existed(r.output):
		parts = append(parts, r.output+" is as it was")
	default:
		parts = append(parts, r.output+" was not written")
	}
	return parts
}

// existed says that an output of that name is there, from before.
func existed(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
