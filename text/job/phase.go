package job

import (
	"laundromat/encoding"
	"laundromat/internal/fault"
	"laundromat/text/era"
	"laundromat/text/spinn3r"
)

// Mojibake is which texts are read back whose characters outside ASCII are UTF-8 that was read in another encoding.
type Mojibake uint8

const (
	MendPhaseA   Mojibake = iota // records of f5 and full5 that are of phase A by their date
	MendMojibake                 // all texts
	KeepMojibake                 // none
)

// readBack reads a whole document back as often as its characters are there as several, if that is asked for.
func (o Options) readBack(source []byte, to Listener) []byte {
	const most = 3 // a text that was misread more often is lost
	for range most {
		if o.Mojibake != MendMojibake || !encoding.IsDouble(source) {
			break
		}
		source = []byte(encoding.Undouble(string(source)).Text)
		to.Notice(fault.Notice{Code: fault.EncodingDoubleEncoded, Severity: fault.Warning,
			Message: "the characters outside ASCII are UTF-8 that was read as windows-1252, and written as UTF-8 again; the text was read back"})
	}
	return source
}

// phase recognises the phase of a record, unless the record says it, and reads the record back where that is asked for.
func (o Options) phase(r *spinn3r.Record, to Listener) string {
	value, _ := r.Value('D')
	published, isDated := spinn3r.Date(value)
	if o.Mojibake == MendMojibake || o.Mojibake == MendPhaseA && isDated && era.At(published) <= 'B' {
		if r.ReadLatin1() {
			to.Notice(fault.Notice{Code: fault.EncodingMixed, Severity: fault.Warning, Pos: fault.Pos{Line: r.Line, Column: 1},
				Message: "the record is not UTF-8; it was read as Latin-1"})
		}
	}
	seen := era.Look(r.Texts())
	phase, isSaid := r.Value('V')
	if !isSaid || phase == "" {
		phase = era.Recognise(seen, published).String()
	}
	isOfA := phase == "A" && (isSaid || isDated && era.At(published) <= 'B') // B has a few like A
	if seen.Double && (o.Mojibake == MendMojibake || o.Mojibake == MendPhaseA && isOfA) {
		r.ReadBack()
		to.Notice(fault.Notice{Code: fault.EncodingDoubleEncoded, Severity: fault.Warning, Pos: fault.Pos{Line: r.Line, Column: 1},
			Message: "the characters outside ASCII of the record are UTF-8 that was read as Latin-1, and written as UTF-8 again; it was read back"})
	}
	return phase
}
