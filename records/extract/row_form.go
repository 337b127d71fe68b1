package extract

import (
	"strings"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/internal/pattern"
)

// reshape makes the cells of a row whose form is more than a delimiter between them.
func (s *scanner) reshape(r *row) {
	switch s.dialect.form {
	case padded:
		for i := 1; i < len(r.texts); i++ {
			if text := r.texts[i]; len(text) > 0 && text[0] == ' ' && int(r.offs[i]) < len(r.raw) && r.raw[r.offs[i]] == ' ' {
				r.texts[i] = text[1:]
				r.offs[i]++
			}
		}
	case printed:
		r.unframe()
	}
}

// unframe takes the delimiters at both ends of a printed row away, and the spaces around its cells.
func (r *row) unframe() {
	if n := len(r.texts); n > 1 && isBlankText(r.texts[0]) && r.offs[1] > 0 && strings.HasPrefix(strings.TrimLeft(r.raw, " \t"), "|") {
		r.texts, r.offs = append(r.texts[:0], r.texts[1:]...), append(r.offs[:0], r.offs[1:]...)
		if n > 2 && isBlankText(r.texts[n-2]) && strings.HasSuffix(strings.TrimRight(r.raw, " \t"), "|") {
			r.texts, r.offs = r.texts[:n-2], r.offs[:n-2]
		}
	}
	for i, text := range r.texts {
		trimmed := strings.TrimLeft(text, " \t")
		r.offs[i] += int32(len(text) - len(trimmed))
		r.texts[i] = strings.TrimRight(trimmed, " \t")
	}
}

// rowCount is how many rows there are, as programs print it below a table: one remark, wherever the edges are.
var rowCount = pattern.New(`^\([0-9]+ rows?( affected)?\)\s*$`)

// splitAligned makes the cells of a row by the columns of characters at which they begin. Where an edge cuts a word,
// the row is cut at runs of two spaces instead. If those give another number of cells, it is lost.
func (r *row) splitAligned(edges []int) {
	if rowCount.MatchString(r.raw) {
		r.addTrimmed(0, len(r.raw))
		return
	}
	if cutsNoWord(r.raw, edges) {
		at, char := 0, 0
		for i := range edges {
			from := at
			for at < len(r.raw) && (i+1 == len(edges) || char < edges[i+1]) {
				_, n := utf8.DecodeRuneInString(r.raw[at:])
				at += n
				char++
			}
			r.addTrimmed(from, at)
		}
		for n := len(r.texts); n > 1 && r.texts[n-1] == "" && int(r.offs[n-1]) >= len(r.raw); n-- {
			r.texts, r.offs = r.texts[:n-1], r.offs[:n-1]
		}
		return
	}
	for at := 0; at < len(r.raw); {
		n := strings.Index(r.raw[at:], "  ")
		if n < 0 {
			n = len(r.raw) - at
		}
		if n > 0 {
			r.addTrimmed(at, at+n)
		}
		for at += n; at < len(r.raw) && r.raw[at] == ' '; at++ {
		}
	}
	if len(r.texts) != len(edges) && len(r.texts) > 1 {
		r.lost = true
		r.faults = append(r.faults, rowFault{fault.Notice{Code: fault.TableRowLong, Severity: fault.Drop, Lost: 1, Pos: r.pos,
			Bytes: int64(len(r.raw)), Excerpt: fault.Excerpt([]byte(r.raw)),
			Message: "a word is where the table has a gap between two columns; where its fields end can't be known"}, -1})
	}
}

// cutsNoWord says that a space is before each edge, or that the line ends there.
func cutsNoWord(line string, edges []int) bool {
	k, char, before := 1, 0, byte(' ')
	for i := 0; i < len(line) && k < len(edges); char++ {
		if char == edges[k] {
			if before != ' ' && before != '\t' {
				return false
			}
			k++
		}
		before = line[i]
		_, n := utf8.DecodeRuneInString(line[i:])
		i += n
	}
	return true
}

// ruledEdges are where the lines of dashes below a header begin. It gives nil where there are no two, or where they cut
// a word in more than one of ten lines.
func ruledEdges(text []byte) (edges []int) {
	lines, cut := 0, 0
	for raw := range linesOf(text) {
		line := string(raw)
		if strings.TrimSpace(line) == "" || rowCount.MatchString(line) {
			continue
		}
		if edges == nil && isDivider(line) && strings.Trim(line, "- ") == "" {
			if lines == 0 {
				return nil
			}
			for i := range len(line) {
				if line[i] == '-' && (i == 0 || line[i-1] == ' ') {
					edges = append(edges, i)
				}
			}
			edges[0] = 0
			continue
		}
		if lines++; edges == nil && lines > maxPassed || strings.Contains(line, "\t") {
			return nil
		}
		if edges != nil && !cutsNoWord(line, edges) {
			cut++
		}
	}
	if len(edges) < 2 || 10*cut > lines {
		return nil
	}
	return edges
}

func (r *row) addTrimmed(from, to int) {
	text := r.raw[from:to]
	trimmed := strings.TrimLeft(text, " \t")
	r.offs = append(r.offs, int32(from+len(text)-len(trimmed)))
	r.texts = append(r.texts, strings.TrimRight(trimmed, " \t"))
}

// findEdges finds the columns of characters at which cells begin in all lines: behind a column that is blank in
// every line. It gives nil where there are no two, or where a gap is a mere space between words. Lines of dashes below
// a header say it by themselves, as those of "psql -P border=0" and sqlcmd, whose columns have one space between them.
func findEdges(text []byte) []int {
	if edges := ruledEdges(text); edges != nil {
		return edges
	}
	return blankEdges(text)
}

// blankEdges are the edges that blank columns show.
func blankEdges(text []byte) []int {
	type gap struct{ blank, wide, begins, tight int32 }
	gaps := make([]gap, 0, 128)
	lines, longest := int32(0), 0
	for raw := range linesOf(text) {
		for len(raw) > 0 && (raw[len(raw)-1] == ' ' || raw[len(raw)-1] == '\t') {
			raw = raw[:len(raw)-1]
		}
		line := string(raw)
		if line == "" || isDivider(line) {
			continue
		}
		if strings.IndexByte(line, '\t') >= 0 {
			return nil
		}
		if lines++; lines > searchRows {
			break
		}
		char, blanks := 0, 0 // so many blanks stand before the character
		for _, c := range line {
			if char == len(gaps) {
				gaps = append(gaps, gap{blank: lines - 1, wide: lines - 1})
			}
			g := &gaps[char]
			if c == ' ' {
				g.blank++
				if blanks++; blanks > 1 {
					g.wide++
				}
			} else {
				if blanks > 0 {
					g.begins++
				}
				if blanks == 1 {
					g.tight++
				}
				blanks = 0
			}
			char++
		}
		for k := char; k < len(gaps); k++ {
			gaps[k].blank++
			gaps[k].wide++
		}
		longest = max(longest, char)
	}
	if lines < 3 {
		return nil
	}
	edges := []int{0}
	for k := 1; k < longest; k++ {
		// A column of cells begins where not all lines are blank, behind one where all are. Two blanks before it,
		// in most lines, distinguish a gap from a space between words.
		if gaps[k].blank == lines || gaps[k-1].blank < lines || 3*gaps[k].tight > gaps[k].begins {
			continue
		}
		wide := int32(0)
		for j := k - 1; j > 0 && gaps[j].blank == lines; j-- {
			wide = max(wide, gaps[j].wide)
		}
		if 2*wide >= lines {
			edges = append(edges, k)
		}
	}
	if len(edges) < 2 {
		return nil
	}
	return edges
}
