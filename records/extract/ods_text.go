package extract

import (
	"strconv"
	"strings"
	"time"

	"laundromat/markup/xmltext"
)

// readText reads the text of the cell whose start tag was read, to its end: its paragraphs, a line each. Remarks and
// drawings that belong to the cell are none of it.
func (r *odsReader) readText() {
	r.text = r.text[:0]
	paragraph, paragraphs, begin := 0, 0, 0
	loose := false // white space that comes now is left out
	for depth := 1; ; {
		switch r.token() {
		case xmltext.StartTag:
			depth++
			switch local := string(r.d.Local()); {
			case isAside(local) || string(r.d.Prefix()) == "draw":
				r.skip()
				depth--
			case paragraph == 0 && (local == "p" || local == "h"):
				if paragraphs > 0 {
					r.text = append(r.text, '\n')
				}
				paragraph, loose, begin = depth, true, len(r.text)
				paragraphs++
			case paragraph > 0:
				loose = r.sign(local) && loose
			}
		case xmltext.Text:
			if paragraph > 0 && len(r.text) <= r.maxRow {
				loose = r.addText(r.d.Text(), loose)
			}
		case xmltext.EndTag:
			if depth == paragraph {
				paragraph = 0
				if n := len(r.text); loose && r.wrapped && n > begin && r.text[n-1] == ' ' {
					r.text = r.text[:n-1]
				}
			}
			if depth--; depth == 0 {
				return
			}
		case xmltext.End:
			return
		}
	}
}

// isAside says that an element in a cell holds what is no text of it.
func isAside(local string) bool {
	return local == "annotation" || local == "annotation-end" || local == "note" || local == "ruby-text" || local == "event-listeners"
}

// sign adds the sign that an element in a paragraph stands for. White space goes on to be left out if it is none.
func (r *odsReader) sign(local string) (none bool) {
	switch local {
	case "s":
		n := min(repeats(attributeBytes(r.d, "c")), max(r.maxRow-len(r.text)+1, 0))
		for range n {
			r.text = append(r.text, ' ')
		}
	case "tab":
		r.text = append(r.text, '\t')
	case "line-break":
		r.text = append(r.text, '\n')
	default:
		return true
	}
	return false
}

// addText adds text of a paragraph, in which any white space is one space, and none at the beginning. Line ends are
// those of who wrote the XML, so none is kept at the end either.
func (r *odsReader) addText(text []byte, loose bool) bool {
	for _, c := range text {
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			if !loose {
				r.text, r.wrapped = append(r.text, ' '), false
			}
			loose, r.wrapped = true, r.wrapped || c == '\n'
			continue
		}
		r.text = append(r.text, c)
		loose = false
	}
	return loose
}

// roundedMoment is a moment to a thousandth of a second: programs reckon with days, and write what that leaves. A sheet
// knows no zone, whatever some write behind it.
func roundedMoment(text string) string {
	bare := strings.TrimSuffix(text, "Z")
	if bare == text && strings.IndexByte(text, '.') < 0 {
		return text
	}
	at, err := time.Parse("2006-01-02T15:04:05.999999999", bare)
	if err != nil {
		return text
	}
	return at.Round(time.Millisecond).Format("2006-01-02T15:04:05.999")
}

// clockOf is a length of time, as PT12H30M05S, in hours, minutes and seconds: 12:30:05. What is none stays as written.
func clockOf(text string) string {
	rest, negative := strings.CutPrefix(text, "-")
	rest, ok := strings.CutPrefix(rest, "P")
	if !ok {
		return text
	}
	var sum float64 // in seconds
	clock := false
	for len(rest) > 0 {
		if rest[0] == 'T' && !clock {
			rest, clock = rest[1:], true
			continue
		}
		end := strings.IndexAny(rest, "DHMS")
		if end < 0 {
			return text
		}
		n, err := strconv.ParseFloat(rest[:end], 64)
		unit := map[byte]float64{'D': 86400, 'H': 3600, 'M': 60, 'S': 1}[rest[end]]
		if err != nil || n < 0 || n > 1e9 || clock == (unit == 86400) {
			return text
		}
		if sum += n * unit; sum > 9e9 {
			return text
		}
		rest = rest[end+1:]
	}
	d := time.Duration(sum * float64(time.Second)).Round(time.Millisecond)
	written := strconv.Itoa(int(d/time.Hour)) + time.Unix(0, 0).UTC().Add(d%time.Hour).Format(":04:05.999")
	if d < 10*time.Hour {
		written = "0" + written
	}
	if negative {
		return "-" + written
	}
	return written
}
