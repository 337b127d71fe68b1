package daemon

import (
	"time"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/seedlist"
	"laundromat/states"
)

// isPage says that documents of a format hold much else beside statements. A server may answer with one for anything:
// to log in, or that it is out of order.
func isPage(f format.Format) bool { return f == format.HTML || f == format.RDFa || f == format.JSONLD }

// replaces is nil if what was read takes the place of the last good wash. If not, the error says why that goes on to be
// served.
func (w *parseWork) replaces(reading states.Reading) error {
	seed, sums := &w.claim.Seed, w.sums(reading)
	if good := seed.Good; good != nil && good.Reading.Content != nil && seed.Content != nil &&
		good.Reading.Content.SHA256 == seed.Content.SHA256 {
		return nil // the same bytes: they are only read otherwise
	}
	try := seedlist.Try{Written: sums.Written, Dropped: sums.Dropped, IsPage: isPage(reading.Format)}
	w.decided = seed.Decide(seedlist.ProductStatements, try, time.Now())
	switch {
	case w.decided.Replaces:
		return nil
	case sums.Dropped > 0:
		return fault.New("daemon.parsing", fault.Data, fault.SyntaxUnreadable, "nothing of it could be read as statements, and it had "+
			"some before")
	}
	return fault.New("daemon.parsing", fault.Data, fault.FormatNotRDF, "%s without statements, and it had some before", reading.Format)
}

// describeEmpty notes in the record that a sound page without statements came.
func (w *parseWork) describeEmpty() {
	decided := w.decided
	if decided.Empty == 0 || decided.Replaces {
		return
	}
	update := w.done.update
	w.done.update = func(record *seedlist.Record) {
		update(record)
		good := seedlist.Good{}
		if record.Good != nil {
			good = *record.Good
		}
		good.Empty, good.EmptyAt = decided.Empty, decided.EmptyAt
		record.Good = &good
	}
}
