package archive

import (
	"errors"

	"laundromat/internal/fault"
)

// noted hands on each finding once, in however many readings it is met. Every
// reading meets the same ones in the same order, so counting them is enough.
type noted struct {
	notice func(fault.Notice)
	layers map[int]int // how many of a layer were handed on
	entry  int64       // the last entry that had a finding
	codes  []fault.Code
	lost   fault.Notice // the first finding that damage, a limit or a missing part of the decoder lost something
}

// loses remembers the first loss that explains why nothing could be had. What is encrypted is
// whole, and so is one part of several.
func (n *noted) loses(f fault.Notice) {
	if n.lost.Code == "" && f.Severity == fault.Drop && f.Code != fault.ArchiveEncrypted && f.Code != fault.ArchivePart {
		n.lost = f
	}
}

// ErrNothing is what Open, or Entries, ends with where bytes were lost and none came out.
var ErrNothing = errors.New("nothing could be unpacked")

// nothing is that error, with what was lost first.
func (n *noted) nothing() error {
	kind := fault.Data
	switch n.lost.Code {
	case fault.LimitMemory, fault.LimitArchiveRatio, fault.LimitArchiveStalled:
		kind = fault.Limit
	}
	return fault.New("archive.Open", kind, n.lost.Code, "%w: %s", ErrNothing, n.lost.Message)
}

// layer hands on the nth finding of a layer, from 1.
func (n *noted) layer(number, nth int, f fault.Notice) {
	n.loses(f)
	if n.notice == nil || nth <= n.layers[number] {
		return
	}
	n.layers[number] = nth
	n.notice(f)
}

// ofEntry hands on a finding about the entry with that place in the archive,
// from 1. Entries are walked in order, so the last one is enough to remember.
func (n *noted) ofEntry(place int64, f fault.Notice) {
	n.loses(f)
	switch {
	case n.notice == nil || place < n.entry:
		return
	case place > n.entry:
		n.entry, n.codes = place, n.codes[:0]
	}
	for _, code := range n.codes {
		if code == f.Code {
			return
		}
	}
	n.codes = append(n.codes, f.Code)
	n.notice(f)
}
