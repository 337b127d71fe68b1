package extract

import (
	"fmt"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/records"
)

// blocks are the elements that make what is in a cell a part of the page rather than a value.
var blocks = func() map[string]bool {
	all := map[string]bool{}
	for _, name := range strings.Fields("address article aside blockquote center details dialog dir div dl fieldset figure footer form " +
		"h1 h2 h3 h4 h5 h6 header hgroup hr iframe li main menu nav ol p pre search section table ul") {
		all[name] = true
	}
	return all
}()

// isData says that a table holds data and does not only lay the page out. A table of data says so by labels, a caption
// or a head, or has two rows and two columns of plain cells. One with a role of layout, or with a table in it, is none.
func (t *pageTable) isData() bool {
	if t.isOwn() || t.element == nil {
		return true
	}
	switch role, _ := t.element.Get("role"); strings.ToLower(strings.TrimSpace(role)) {
	case "presentation", "none":
		return false
	}
	found := tableSigns{}
	found.look(t.element)
	return !found.holdsTable && (found.labelled || found.plainRows >= 2)
}

// tableSigns are what shows whether a table holds data.
type tableSigns struct {
	holdsTable, labelled bool
	plainRows            int // with two plain cells
}

// look goes through an element of a table.
func (s *tableSigns) look(e *page.Element) {
	plain := 0
	for i := range e.Children {
		c := e.Children[i].Element
		if c == nil {
			continue
		}
		switch strings.ToLower(c.Name) {
		case "table":
			s.holdsTable = true
			return
		case "th", "thead", "caption":
			s.labelled = true
		case "td":
			s.labelled = s.labelled || c.Has("scope") || c.Has("headers")
			if !holdsBlock(c) {
				plain++
			}
		}
		s.look(c)
	}
	if plain >= 2 {
		s.plainRows++
	}
}

// holdsBlock says that an element has a block in it, at any depth.
func holdsBlock(e *page.Element) bool {
	for i := range e.Children {
		if c := e.Children[i].Element; c != nil && (blocks[strings.ToLower(c.Name)] || holdsBlock(c)) {
			return true
		}
	}
	return false
}

// tellLayout notes the tables that are left out.
func tellLayout(left []*pageTable, all int, to records.Sink) {
	if len(left) == 0 {
		return
	}
	to.Notice(fault.Notice{Code: fault.TableLayout, Severity: fault.Note, Pos: left[0].at, Element: left[0].selector,
		Message: fmt.Sprintf("%d of the %d tables of the page only lay it out, and are left out", len(left), all)})
}
