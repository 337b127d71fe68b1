package match

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/theory/jsonpath"
	jsonspec "github.com/theory/jsonpath/spec"

	"laundromat/internal/fault"
	"laundromat/records"
)

// query is a JSONPath expression (RFC 9535). The library parses it and judges its filters; we
// go through the values, which keeps the order of members and their places.
type query struct {
	segments []*jsonspec.Segment
	filters  bool
	heavy    map[*jsonspec.FilterSelector]int // the filters that look at more than a few values: how deep
}

func parseQuery(text string) (*query, error) {
	if len(text) > maxSelector {
		return nil, fmt.Errorf("a selector has at most %d bytes, this one has %d", maxSelector, len(text))
	}
	p, err := jsonpath.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the JSONPath %q is wrong: %s", text, strings.TrimPrefix(err.Error(), "jsonpath: "))
	}
	q := &query{segments: p.Query().Segments()}
	for _, segment := range q.segments {
		for _, s := range segment.Selectors() {
			f, ok := s.(*jsonspec.FilterSelector)
			if !ok {
				continue
			}
			q.filters = true
			written := f.String()
			if strings.Count(written, "[?") > 2 {
				return nil, fmt.Errorf("filters are nested at most 2 deep: %q", text)
			}
			if strings.Contains(written, "..") || strings.Contains(written, "*") || strings.Contains(written, "[?") ||
				strings.Contains(written, ":") {
				if q.heavy == nil {
					q.heavy = map[*jsonspec.FilterSelector]int{}
				}
				q.heavy[f] = 1 + strings.Count(written, "[?") + max(0, strings.Count(written, "..")-1)
			}
		}
	}
	return q, nil
}

// jsonItem is a value with what filters see of it, and with its place.
type jsonItem struct {
	value *records.Value
	plain any // for filters; see plainOf
	pos   fault.Pos
	// several says that the items of the value are matches each; see records.Field.
	several bool
}

// selectValues calls f with each value that the query selects from a value, until f returns false.
func (r *run) selectValues(q *query, at jsonItem, f func(jsonItem) bool) {
	if q.filters && at.plain == nil {
		at.plain = plainOf(at.value)
		r.steps -= int64(sizeOf(at.plain))
	}
	r.segment(q, 0, at, at.plain, f)
}

func (r *run) segment(q *query, i int, at jsonItem, root any, f func(jsonItem) bool) bool {
	if r.steps--; r.steps <= 0 {
		return false
	}
	if i == len(q.segments) {
		return f(at)
	}
	s := q.segments[i]
	for _, selector := range s.Selectors() {
		if !r.selector(q, selector, at, root, func(found jsonItem) bool { return r.segment(q, i+1, found, root, f) }) {
			return false
		}
	}
	if s.IsDescendant() {
		return children(at, func(c jsonItem) bool { return r.segment(q, i, c, root, f) })
	}
	return true
}

// children calls f with each member or item of a value, in order.
func children(at jsonItem, f func(jsonItem) bool) bool {
	for i := range at.value.Items {
		if !f(at.item(i)) {
			return false
		}
	}
	for i := range at.value.Fields {
		if !f(at.member(i)) {
			return false
		}
	}
	return true
}

func (at jsonItem) item(i int) jsonItem {
	c := jsonItem{value: &at.value.Items[i], pos: at.pos}
	if fields := c.value.Fields; len(fields) > 0 && fields[0].Pos != (fault.Pos{}) {
		c.pos = fields[0].Pos
	}
	if list, ok := at.plain.([]any); ok {
		c.plain = list[i]
	}
	return c
}

func (at jsonItem) member(i int) jsonItem {
	field := &at.value.Fields[i]
	c := jsonItem{value: &field.Value, pos: field.Pos, several: field.Several}
	if c.pos == (fault.Pos{}) {
		c.pos = at.pos
	}
	if members, ok := at.plain.(map[string]any); ok {
		c.plain = members[field.Name]
	}
	return c
}

func (r *run) selector(q *query, selector jsonspec.Selector, at jsonItem, root any, f func(jsonItem) bool) bool {
	switch s := selector.(type) {
	case jsonspec.Name:
		for i := range at.value.Fields {
			if at.value.Fields[i].Name == string(s) {
				return f(at.member(i))
			}
		}
	case jsonspec.Index:
		i := int(s)
		if i < 0 {
			i += len(at.value.Items)
		}
		if 0 <= i && i < len(at.value.Items) {
			return f(at.item(i))
		}
	case jsonspec.WildcardSelector:
		return children(at, f)
	case jsonspec.SliceSelector:
		return slice(s, at, f)
	case *jsonspec.FilterSelector:
		return children(at, func(c jsonItem) bool {
			if depth := q.heavy[s]; depth > 0 {
				cost := int64(sizeOf(root))
				for ; depth > 1 && cost < math.MaxInt32; depth-- {
					cost *= cost
				}
				if r.steps -= cost; r.steps <= 0 {
					return false
				}
			}
			return !s.Eval(c.plain, root) || f(c)
		})
	}
	return true
}

func slice(s jsonspec.SliceSelector, at jsonItem, f func(jsonItem) bool) bool {
	if at.value.Kind != records.List {
		return true
	}
	lower, upper := s.Bounds(len(at.value.Items))
	switch n := s.Step(); {
	case n > 0:
		for i := lower; i < upper; i += n {
			if !f(at.item(i)) {
				return false
			}
			if upper-i <= n {
				break
			}
		}
	case n < 0:
		for i := upper; lower < i; i += n {
			if !f(at.item(i)) {
				return false
			}
			if lower-i >= n {
				break
			}
		}
	}
	return true
}

// plainOf is a value as the filters of the library take it.
func plainOf(v *records.Value) any {
	switch v.Kind {
	case records.Text:
		return v.Text
	case records.Number:
		return json.Number(v.Text)
	case records.Bool:
		return v.Text == "true"
	case records.List:
		list := make([]any, len(v.Items))
		for i := range v.Items {
			list[i] = plainOf(&v.Items[i])
		}
		return list
	case records.Object:
		members := make(map[string]any, len(v.Fields))
		for i := len(v.Fields) - 1; i >= 0; i-- {
			members[v.Fields[i].Name] = plainOf(&v.Fields[i].Value)
		}
		return members
	}
	return nil
}

func sizeOf(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, c := range v {
			n += sizeOf(c)
		}
	case map[string]any:
		for _, c := range v {
			n += sizeOf(c)
		}
	}
	return n
}
