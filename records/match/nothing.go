package match

import (
	"context"
	"slices"
	"strings"

	"laundromat/internal/spelling"
)

// nothing says that something gives no record.
func (m *Matcher) nothing() string {
	if m.each != nil {
		return "the selector " + quoted(m.each.text) + " matches nothing here; it gives no record"
	}
	return "nothing that select asks for is here; it gives no record"
}

// maxNamed is how many selectors are named that match nothing.
const maxNamed = 5

// Nothing says why a document gives no record: which selectors match nothing, and what is nearest to each. Of a page
// in HTML these are selectors that match, of other documents the names that there are.
func (m *Matcher) Nothing(ctx context.Context, d Document, page []byte, names []string) string {
	if failing := m.Failing(ctx, d, page, names); failing != "" {
		return m.nothing() + "; " + failing
	}
	return m.nothing()
}

// Failing says which selectors match nothing in a document, and what is nearest to each, as Nothing does; "" if all
// match.
func (m *Matcher) Failing(ctx context.Context, d Document, page []byte, names []string) string {
	var failing []string
	if page != nil {
		found, err := m.Diagnose(ctx, d, page, nil)
		if err != nil {
			return ""
		}
		for _, s := range found {
			near := "nothing near to it does"
			for _, p := range s.Proposals {
				if p.Selector != "html" && p.Selector != "head" && p.Selector != "body" { // which every page has
					near = "nearest: " + quoted(p.Selector)
					break
				}
			}
			failing = append(failing, quoted(s.Selector)+" ("+near+")")
		}
	} else {
		for _, s := range m.selectors {
			text := quoted(s.text)
			if near := nearestName(s, names); near != "" {
				text += " (nearest: " + quoted(near) + ")"
			}
			failing = append(failing, text)
		}
	}
	if failing = slices.Compact(failing); len(failing) == 0 {
		return ""
	}
	more := ""
	if len(failing) > maxNamed {
		failing, more = failing[:maxNamed], " and others"
	}
	return "selectors that match nothing: " + strings.Join(failing, ", ") + more
}

// nearestName is the name that the last step of a selector is most like.
func nearestName(s *selector, names []string) string {
	step := s.text[strings.LastIndexAny(s.text, ".[ >/:@$")+1:]
	return spelling.Nearest(strings.Trim(step, "'\"]*"), names...)
}
