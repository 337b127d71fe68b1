package extract

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/records"
)

// readHTML reads the tables of a page. Tables in tables are read apart.
func readHTML(ctx context.Context, doc *Document, opt *Options, to records.Sink) error {
	p, err := page.Read(ctx, doc.Text, page.Options{MaxMemory: opt.MaxMemory, Places: true, Shared: doc.Page}, to)
	if err != nil {
		return err
	}
	var found []*pageTable
	for _, root := range p.Roots {
		found = append(found, findTables(root, strings.ToLower(root.Name))...)
	}
	var layout []*pageTable
	for i, t := range found {
		source := *opt.source()
		number := strconv.Itoa(i + 1)
		if len(source.Tables) > 0 && !slices.Contains(source.Tables, number) && !slices.Contains(source.Tables, t.caption) {
			continue
		}
		if len(source.Tables) == 0 && !opt.AllTables && !t.isData() {
			layout = append(layout, t)
			continue
		}
		if t.isOwn() {
			if err := t.readOwn(ctx, doc.Name, "", to); err != nil {
				return err
			}
			continue
		}
		t.expand()
		if t.headers > 0 && source.HeaderRows == 0 && source.Header == nil {
			source.HeaderRows, source.why = t.headers, "its cells are labels (th)"
		}
		name := t.caption
		if name == "" && len(found) > 1 {
			name = "table_" + number
		}
		if t.cut {
			to.Notice(fault.Notice{Code: fault.LimitCells, Severity: fault.Warning, Pos: t.at, Element: t.selector,
				Message: fmt.Sprintf("the cells of the table span more than %d cells; those beyond are not repeated", maxSpanned)})
		}
		next := 0
		reading := &table{ctx: ctx, to: to, source: &source, document: doc.Name, sheet: name}
		err := runGrid(reading, func() (*row, error) {
			if next == len(t.rows) {
				return nil, nil
			}
			next++
			return t.rows[next-1], nil
		})
		if err != nil {
			return err
		}
	}
	tellLayout(layout, len(found), to)
	return nil
}

// maxSpanned is how many cells one table may have by colspan and rowspan.
const maxSpanned = 1_000_000

// pageTable is a table of a page.
type pageTable struct {
	element  *page.Element
	caption  string
	selector string
	at       fault.Pos
	lines    []pageRow
	rows     []*row
	headers  int // how many rows of labels it begins with
	cut      bool
}

type pageRow struct {
	element  *page.Element
	selector string
	head     bool // it is in thead
}

// tableSearch looks for tables, and for tables in them. Most elements lead to none: what names an element is found when
// a table asks for it.
type tableSearch struct {
	root  string // the selector of the first element of the path
	path  []pathStep
	found []*pageTable
}

// pathStep is an element on the way to that at hand.
type pathStep struct {
	element *page.Element
	child   int // the one that the path goes on to
	// counts say how many children of a name there are among the first so many; nil before they are asked for.
	counts  map[string]int
	counted int
}

// findTables finds the tables of an element that a selector names.
func findTables(e *page.Element, selector string) []*pageTable {
	s := tableSearch{root: selector}
	s.walk(e)
	return s.found
}

func (s *tableSearch) walk(e *page.Element) {
	at := len(s.path)
	s.path = append(s.path, pathStep{element: e})
	if isElement(e, "table") {
		t := &pageTable{element: e, at: e.Pos, selector: s.selector()}
		t.collect(e, t.selector, false)
		if len(t.lines) > 0 {
			s.found = append(s.found, t)
		}
	}
	for i, c := range e.Children {
		if c.Element != nil {
			s.path[at].child = i
			s.walk(c.Element)
		}
	}
	s.path = s.path[:at]
}

// selector is that of the last element of the path.
func (s *tableSearch) selector() string {
	text := []byte(s.root)
	for i := range s.path[1:] {
		name, number := s.path[i].nameChild()
		text = fmt.Appendf(text, " > %s:nth-of-type(%d)", name, number)
	}
	return string(text)
}

// nameChild is the name of the child that the path goes on to, and its number among those of the name.
func (p *pathStep) nameChild() (name string, number int) {
	if p.counts == nil {
		p.counts = map[string]int{}
	}
	for ; p.counted <= p.child; p.counted++ {
		if c := p.element.Children[p.counted].Element; c != nil {
			p.counts[strings.ToLower(c.Name)]++
		}
	}
	name = strings.ToLower(p.element.Children[p.child].Element.Name)
	return name, p.counts[name]
}

func isElement(e *page.Element, names ...string) bool {
	return slices.Contains(names, strings.ToLower(e.Name))
}

// collect finds the rows and the caption of a table, but not of those in it.
func (t *pageTable) collect(e *page.Element, selector string, head bool) {
	counts := map[string]int{}
	for _, c := range e.Children {
		if c.Element == nil {
			continue
		}
		name := strings.ToLower(c.Element.Name)
		counts[name]++
		below := fmt.Sprintf("%s > %s:nth-of-type(%d)", selector, name, counts[name])
		switch name {
		case "caption":
			t.caption = cellText(c.Element)
		case "tr":
			t.lines = append(t.lines, pageRow{c.Element, below, head})
		case "thead", "tbody", "tfoot":
			t.collect(c.Element, below, name == "thead")
		}
	}
}

// isHidden says that a reader of the page doesn't see an element.
func isHidden(e *page.Element) bool {
	_, hidden := e.Get("hidden")
	style, _ := e.Get("style")
	return hidden || page.Hides(style)
}

// cellText is the text of an element that a reader sees, without tables in it, with single spaces.
func cellText(e *page.Element) string {
	var b strings.Builder
	var walk func(*page.Element)
	walk = func(e *page.Element) {
		for _, c := range e.Children {
			switch {
			case c.Element == nil:
				if !c.Markup {
					b.WriteString(c.Text)
				}
			case isElement(c.Element, "table", "script", "style", "template") || isHidden(c.Element):
			case page.Apart(strings.ToLower(c.Element.Name)):
				b.WriteByte(' ')
				walk(c.Element)
				b.WriteByte(' ')
			default:
				walk(c.Element)
			}
		}
	}
	walk(e)
	return strings.Join(strings.Fields(b.String()), " ")
}

// spanned is a cell that goes on in the rows below.
type spanned struct {
	text string
	at   fault.Pos
	rows int
}

// expand makes the rows; a cell that spans others has its text in each.
func (t *pageTable) expand() {
	var open []spanned
	total, body := 0, false
	for n, line := range t.lines {
		r := &row{pos: line.element.Pos, element: line.selector}
		add := func(text string, at fault.Pos) {
			r.texts, r.places, r.offs = append(r.texts, text), append(r.places, at), append(r.offs, 0)
			total++
		}
		carry := func() {
			for len(r.texts) < len(open) && open[len(r.texts)].rows > 0 {
				o := &open[len(r.texts)]
				o.rows--
				add(o.text, o.at)
			}
		}
		labels, cells := 0, 0
		for _, c := range line.element.Children {
			if c.Element == nil || !isElement(c.Element, "td", "th") {
				continue
			}
			carry()
			cells++
			if isElement(c.Element, "th") {
				labels++
			}
			text, across, down := cellText(c.Element), span(c.Element, "colspan", 1000), span(c.Element, "rowspan", len(t.lines)-n)
			for range across {
				if total > maxSpanned {
					t.cut = true
					break
				}
				if column := len(r.texts); down > 1 {
					for len(open) <= column {
						open = append(open, spanned{})
					}
					open[column] = spanned{text, c.Element.Pos, down - 1}
				}
				add(text, c.Element.Pos)
			}
		}
		carry()
		if len(r.texts) == 0 {
			continue
		}
		if header := line.head || labels == cells && cells > 1; header && !body {
			t.headers++
		} else {
			body = true
		}
		t.rows = append(t.rows, r)
	}
	if t.headers == len(t.rows) { // it is nothing but labels
		t.headers = min(t.headers, 1)
	}
}

// span is how many cells a cell spans, at most so many; rowspan 0 is all that are left.
func span(e *page.Element, name string, most int) int {
	value, ok := e.Get(name)
	n, err := strconv.Atoi(strings.TrimSpace(value))
	switch {
	case !ok || err != nil || n < 0:
		return 1
	case n == 0 && name == "rowspan":
		return most
	}
	return max(1, min(n, most))
}
