package archive

import (
	"bytes"
	"fmt"
	"io"

	"laundromat/archive/sevenzip"
	"laundromat/internal/fault"
)

// A 7z or rar may come after a program that unpacks it, as a zip may. The beginning of a program
// shows nothing of that, so the mark is looked for. What follows the mark must fit, because
// programs that unpack archives hold such marks themselves.

// maxProgram is how far into a program an archive is looked for.
const maxProgram = 16 << 20

// isProgram says whether a file may be run, by its first bytes.
func isProgram(head []byte) bool {
	return begins("MZ")(head) || begins("\x7FELF")(head) || begins("#!")(head) || begins("\xCF\xFA\xED\xFE")(head)
}

// archiveStart knows the beginning of an archive.
type archiveStart struct {
	mark string
	fits func(in *tap) bool // what begins with the mark
}

var isSevenStart = archiveStart{sevenzip.Mark, func(in *tap) bool {
	start, isSound, err := sevenzip.ReadStart(in)
	return err == nil && isSound && start.At <= uint64(in.src.Size())
}}

var isRarStart = archiveStart{"Rar!\x1A\x07", func(in *tap) bool {
	var head [40]byte
	n, _ := in.ReadAt(head[:], 0)
	if n < 16 || !isRar(head[:n]) {
		return false
	}
	if head[6] == 1 {
		_, _, code := soundRar5(in, rarMark5, new([]bool))
		return code == ""
	}
	_, _, code := soundRar4(in, rarMark4)
	return code == "" && head[rarMark4+2] == 0x73
}}

// find returns where the archive begins; -1 if there is none.
func (s archiveStart) find(in *tap) int64 {
	for at := int64(0); ; at++ {
		at = findMark(in, at, func(p []byte) int { return bytes.Index(p, []byte(s.mark[:4])) })
		if at < 0 || at > maxProgram {
			return -1
		}
		var mark [8]byte
		in.ReadAt(mark[:], at)
		if begins(s.mark)(mark[:]) && s.fits(in.from(at)) {
			return at
		}
	}
}

// from is what a tap reads, from a place on.
func (t *tap) from(at int64) *tap {
	return &tap{ctx: t.ctx, src: io.NewSectionReader(t.src, at, t.src.Size()-at), trouble: t.trouble}
}

// isBehind says whether an archive comes after a program.
func (s archiveStart) isBehind(l *look) bool {
	return !l.isFiltered && isProgram(l.head) && s.find(l.chain.tap) > 0
}

// behindProgram is what a program that comes before an archive leaves.
func (w *walk) behindProgram(in *tap, s archiveStart) (*tap, error) {
	var head [8]byte
	in.ReadAt(head[:], 0)
	at := int64(0)
	if !begins(s.mark)(head[:]) {
		at = s.find(in)
	}
	switch {
	case w.chain.trouble.err != nil:
		return nil, errStop
	case at <= 0:
		return in, nil
	}
	w.o.noted.ofEntry(w.place, fault.Notice{Code: fault.ArchiveLeadingBytes, Severity: fault.Note, Bytes: at,
		Message: fmt.Sprintf("the archive begins at byte %d, after what may be a program that unpacks it", at)})
	return in.from(at), nil
}
