// Package era recognises the phases in which the text of the Spinn3r corpus was written, and mends what can be
// mended.
//
// The programs that collected the corpus changed the text, each in its time:
//
//   - A, until 2010-07-13: UTF-8 was read as Latin-1, then made small letters
//   - B, until 2010-07-26: small letters, written as Latin-1, with ? for all other characters
//   - C, until 2013-04-28: small letters, written as ASCII, with ?
//   - D, until 2014-05-21: written as ASCII, with ?
//   - E: as it was
//
// The text of an article may contradict its date, since a page may be collected long after it was published. So
// the phase is the first from that of the date on which the text does not refute:
//
//	phase := era.Recognise(era.Look(text), published)
package era

import (
	"time"
)

// Phase is one of A to E, or 0 where it is unknown.
type Phase byte

func (p Phase) String() string {
	if p == 0 {
		return ""
	}
	return string(rune(p))
}

// last are the phases with their last days.
var last = []struct {
	phase Phase
	day   time.Time
}{
	{'A', day(2010, 7, 13)},
	{'B', day(2010, 7, 26)},
	{'C', day(2013, 4, 28)},
	{'D', day(2014, 5, 21)},
}

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// At is the phase of a day.
func At(t time.Time) Phase {
	for _, l := range last {
		if t.Before(l.day.AddDate(0, 0, 1)) {
			return l.phase
		}
	}
	return 'E'
}

// Recognise is the phase of an article by its text, and by when it was published. The time is zero where that is
// unknown or where the article was not collected in its time: then the text alone has to say it.
func Recognise(e Evidence, published time.Time) Phase {
	if e.Double && e.Capitals == 0 {
		return 'A'
	}
	if published.IsZero() {
		return e.alone()
	}
	for p := At(published); p <= 'E'; p++ {
		if p.allows(e) {
			return p
		}
	}
	return 0
}

// allows says that a text may have been written in a phase.
func (p Phase) allows(e Evidence) bool {
	switch p {
	case 'A':
		return e.Capitals == 0 && e.High == 0
	case 'B':
		return e.Capitals == 0 && e.Beyond == 0 && !e.Double
	case 'C':
		return e.Capitals == 0 && e.High == 0
	case 'D':
		return e.High == 0
	}
	return !e.Double
}

// lostShare is how many words there may be for each question mark in place of a letter. With more, it is a slip.
const lostShare = 100

// alone is the phase that a text alone shows.
func (e Evidence) alone() Phase {
	isLost := e.Lost > 0 && e.Lost*lostShare >= e.Words
	switch {
	case e.Double, e.High == 0 && !isLost:
		return 0
	case e.Beyond > 0, e.High > 0 && e.Capitals > 0:
		return 'E'
	case e.High > 0 && isLost:
		return 'B'
	case e.High > 0:
		return 0 // written in small letters by its author, or by the programs of B
	case e.Capitals > 0:
		return 'D'
	}
	return 'C'
}
