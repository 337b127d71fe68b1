package report

import (
	"io"

	"laundromat/internal/fault"
)

// Showing writes findings of the documents of a run, one document after the other. It shows
// the first of each code for all of them together. An archive may hold a million members, each
// with a finding of the same code. The verdict has all counts. The zero value shows the first
// [SamplesShown].
type Showing struct {
	Most  int // how many of each code are shown; 0: SamplesShown
	shown map[fault.Code]int
	told  map[finding]bool // of these it was said that more are not shown
}

// Write writes those samples of a document that are still to be shown. Of the first document
// that has more of a kind it says how many are not shown; for further ones it says nothing.
func (s *Showing) Write(w io.Writer, d *Document, color bool) error {
	if s.shown == nil {
		s.shown, s.told = map[fault.Code]int{}, map[finding]bool{}
	}
	most := s.Most
	if most == 0 {
		most = SamplesShown
	}
	written := map[finding]int64{}
	for i := range d.Samples {
		n := &d.Samples[i].Notice
		if s.shown[n.Code] >= most {
			continue
		}
		s.shown[n.Code]++
		written[finding{n.Code, n.Severity}]++
		if err := writeNotice(w, d.Name, n, color); err != nil {
			return err
		}
	}
	for _, f := range d.unshown(written) {
		key := finding{f.Code, f.Severity}
		if s.told[key] {
			continue
		}
		s.told[key] = true
		n := fault.Notice{Code: f.Code, Severity: f.Severity, Message: unshownText(f)}
		if err := writeNotice(w, d.Name, &n, color); err != nil {
			return err
		}
	}
	return nil
}
