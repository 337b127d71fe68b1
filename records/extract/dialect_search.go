package extract

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// candidates are the delimiters that are tried, each with what it is worth where two fit alike.
var candidates = []struct {
	delimiter byte
	name      string
	worth     float64
}{
	{',', "comma", 1}, {';', "semicolon", 0.99}, {'\t', "tab", 1.02}, {'|', "pipe", 0.98}, {':', "colon", 0.6},
	{'^', "circumflex", 0.8}, {'~', "tilde", 0.8}, {'!', "exclamation mark", 0.5}, {0x1F, "unit separator", 1}, {0x01, "U+0001", 1}, {' ', "space", 0.4},
}

// found is a dialect with the evidence for it.
type found struct {
	dialect
	width    int
	share    float64 // of the rows that have that many cells
	score    float64
	evidence string
}

// The dialect is found in so many bytes and rows at the beginning of the document.
const (
	searchBytes = 64 << 10
	searchRows  = 300
)

// findDialect tries all candidates on the beginning of a table. whole says that it is all of it.
func findDialect(ctx context.Context, text []byte, whole bool, s *Source, hint byte) found {
	text, said, skip := separatorLine(text)
	if !whole { // the last row may be cut
		if n := bytes.LastIndexByte(text, '\n'); n > 0 {
			text = text[:n+1]
		}
	}
	quote := byte('"')
	if s.Quote != nil {
		quote = *s.Quote
	}
	var best found
	var others []string
	for _, c := range candidates {
		fixed := s.Delimiter
		if fixed == 0 {
			fixed = said
		}
		if fixed != 0 && c.delimiter != fixed || c.delimiter == quote || bytes.IndexByte(text, c.delimiter) < 0 {
			continue
		}
		f := try(ctx, text, dialect{delimiter: c.delimiter, quote: quote}, s)
		f.score *= c.worth
		if c.delimiter == hint {
			f.score *= 1.2
		}
		if c.delimiter == ' ' && (f.share < 0.95 || f.width < 2) {
			continue
		}
		f.evidence = fmt.Sprintf("%s: %.0f %% of the rows have %d fields", c.name, 100*f.share, f.width)
		if f.width > 1 {
			others = append(others, f.evidence)
		}
		if f.width > 1 && f.score > best.score {
			best = f
		}
	}
	switch {
	case s.Delimiter != 0 || said != 0:
		best.dialect = dialect{delimiter: max(s.Delimiter, said), quote: quote}
		if s.Delimiter != 0 {
			best.delimiter = s.Delimiter
		}
		best.evidence = "the spec says so"
		if s.Delimiter == 0 {
			best.evidence = "the line sep= says so"
		}
	case best.delimiter == 0:
		best.dialect = dialect{delimiter: ',', quote: quote}
		if hint != 0 {
			best.delimiter = hint
		}
		best.evidence = "no delimiter cuts the rows alike: they have one field"
	default:
		best.evidence = strings.Join(others, "; ")
	}
	best.findQuoting(ctx, text, s)
	best.comment = s.Comment
	best.hash = s.Comment == "" && beginsWithHash(text, best.delimiter, skip)
	return best
}

// separatorLine takes a first line sep=; away, which says what the delimiter is.
func separatorLine(text []byte) (rest []byte, delimiter byte, skip int) {
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	line = bytes.TrimSuffix(line, []byte{'\r'})
	bare := bytes.Trim(line, `"`)
	if len(bare) == 5 && strings.EqualFold(string(bare[:4]), "sep=") {
		skip = min(len(line)+1, len(text))
		if skip < len(text) && text[skip-1] == '\r' && text[skip] == '\n' {
			skip++
		}
		return text[skip:], bare[4], skip
	}
	return text, 0, 0
}

func beginsWithHash(text []byte, delimiter byte, _ int) bool {
	for line := range bytes.Lines(text) {
		if len(line) > 0 && line[0] == '#' {
			return true
		}
	}
	return false
}

// try scans a text in one dialect, and says how well that fits.
func try(ctx context.Context, text []byte, d dialect, s *Source) found {
	f := found{dialect: d}
	d.comment = s.Comment
	d.hash = s.Comment == ""
	scan := newScanner(ctx, bytes.NewReader(text), 0)
	scan.dialect = d
	widths, rows := map[int]int{}, 0
	kinds, cells := 0.0, 0
	for rows < searchRows {
		r, err := scan.take()
		if err != nil || r == nil {
			break
		}
		if r.blank || r.comment {
			continue
		}
		rows++
		if r.lost {
			continue
		}
		widths[len(r.texts)]++
		for _, t := range r.texts {
			kinds += worthOf(t)
			cells++
		}
	}
	// A row of one cell is a title or a remark; it says little against a delimiter.
	for n, count := range widths {
		weigh, best := count*(n-1), widths[f.width]*(f.width-1)
		if weigh > best || weigh == best && n > f.width {
			f.width = n
		}
	}
	if rows == 0 || f.width == 0 || cells == 0 {
		return f
	}
	alike := widths[f.width] + widths[f.width+1]/4 + widths[f.width-1]/4
	f.share = float64(widths[f.width]) / float64(rows)
	f.score = float64(alike) / float64(rows) * (kinds / float64(cells)) * float64(f.width-1) / float64(f.width)
	return f
}

// worthOf is how much a text looks like one cell, and not like a part of one or several.
func worthOf(text string) float64 {
	if strings.IndexByte(text, '\t') >= 0 {
		return 0.05
	}
	switch kindOf(text) {
	case empty:
		return 0.85
	case plainText:
		if strings.ContainsAny(text, ";|") || strings.Count(text, `"`)%2 == 1 {
			return 0.3
		}
		if strings.IndexByte(text, ',') >= 0 && !strings.Contains(text, ", ") {
			return 0.6
		}
		return 0.9
	}
	if strings.IndexByte(text, ',') >= 0 && strings.IndexByte(text, ' ') >= 0 {
		return 0.8
	}
	return 1
}

// findQuoting finds the quotation mark and how it is escaped.
func (f *found) findQuoting(ctx context.Context, text []byte, s *Source) {
	if s.Quote == nil {
		f.findApostrophes(ctx, text, s)
	}
	if s.Escape != nil {
		f.escape = *s.Escape
		return
	}
	if f.quote == 0 {
		return
	}
	escaped, doubled := f.countEscapes(text)
	if escaped > 0 && doubled == 0 {
		with, without := f.dialect, f.dialect
		with.escape = '\\'
		if a, b := try(ctx, text, with, s), try(ctx, text, without, s); a.share >= b.share {
			f.escape = '\\'
			f.evidence += fmt.Sprintf("; %d quotation marks have a backslash before them", escaped)
		}
	}
}

// findApostrophes takes apostrophes for the quotation marks if fields stand in them, and none in others.
func (f *found) findApostrophes(ctx context.Context, text []byte, s *Source) {
	double, single, ends := 0, 0, 0
	for line := range strings.Lines(string(text)) {
		for _, cell := range strings.Split(strings.TrimRight(line, "\r\n"), string([]byte{f.delimiter})) {
			switch {
			case cell == "":
				continue
			case cell[0] == '"':
				double++
			case cell[0] == '\'' && len(cell) > 1:
				single++
			}
			if cell[len(cell)-1] == '\'' && len(cell) > 1 {
				ends++
			}
		}
	}
	if double > 0 || single < 2 || single != ends {
		return
	}
	if other := try(ctx, text, dialect{delimiter: f.delimiter, quote: '\''}, s); other.share >= f.share {
		f.quote, f.width, f.share = '\'', other.width, other.share
		f.evidence += fmt.Sprintf("; %d fields have apostrophes around them", single)
	}
}

// countEscapes counts the quotation marks that have a backslash before them, and those that are doubled.
func (f *found) countEscapes(text []byte) (escaped, doubled int) {
	for i := 1; i+1 < len(text); i++ {
		if text[i] != f.quote {
			continue
		}
		switch next := text[i+1]; {
		case text[i-1] == '\\' && next != f.delimiter && next != '\n' && next != '\r':
			escaped++
		case next == f.quote && text[i-1] != f.delimiter && text[i-1] != '\n':
			doubled++
		}
	}
	return escaped, doubled
}

// String says what the dialect is.
func (d *dialect) String() string {
	name := func(b byte) string {
		for _, c := range candidates {
			if c.delimiter == b {
				return c.name
			}
		}
		return fmt.Sprintf("%q", rune(b))
	}
	text := "fields are apart by " + name(d.delimiter)
	switch {
	case d.quote == 0:
		text += ", without quotation marks"
	case d.escape != 0:
		text += fmt.Sprintf(", quoted by %c, which %c escapes", d.quote, d.escape)
	default:
		text += fmt.Sprintf(", quoted by %c, which is doubled", d.quote)
	}
	return text
}
