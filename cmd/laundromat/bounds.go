package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
	"laundromat/report"
)

// namedInputs are the arguments of wash and check. Without any, standard input is read, unless a person
// would have to type it.
func namedInputs(u *ui, c *cobra.Command, args []string) ([]string, error) {
	if len(args) > 0 {
		return args, nil
	}
	if u.inIsTerminal {
		return nil, usage("%s wants a FILE, a folder, a URL, or - for standard input (see \"%s --help\")", c.Name(), c.CommandPath())
	}
	return []string{"-"}, nil
}

// checkBound checks --max-errors and --fail-fast.
func (o *washOptions) checkBound() error {
	if o.failFast && o.maxErrors > 1 {
		return usage("--fail-fast is --max-errors 1, not %d: name one of them", o.maxErrors)
	}
	return nil
}

// measure is how much was read of the document at work, and its size where that is known, in bytes.
type measure struct{ bytes, size int64 }

// heldFactor is how many bytes of --memory a byte takes at most, of a document that is held whole. That is
// the 90 of a page, which takes the most, and a third more: readers may take three quarters.
const heldFactor = 90 * 4 / 3

// adviseMemory adds to a document that needed more memory than it may have how it gets more. Where it
// came as it is stored, its size tells how much it takes at most.
func (o *washOptions) adviseMemory(d *report.Document, m measure) {
	if d.Error == nil || d.Error.Code != fault.LimitMemory {
		return
	}
	const mega = 1 << 20
	if takes := max(m.bytes, m.size) * heldFactor; takes > o.memory && m.bytes <= m.size {
		d.Error.Message += fmt.Sprintf("; by its size it needs --memory %dM at most (it is %v)", takes/mega+1, sizeValue{&o.memory})
		return
	}
	d.Error.Message += fmt.Sprintf("; --memory is %v: try --memory %v", sizeValue{&o.memory}, sizeValue{ptr(2 * o.memory)})
}
