package jsonld_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/jsonld"
)

// node writes the i-th node of a document, each of whose statements names it. An
// expanded one needs no context. last puts its @id last.
func node(i int, expanded, last bool) string {
	p := func(name string) string {
		if expanded {
			return `"http://p/` + name + `"`
		}
		return `"` + name + `"`
	}
	v := func(text string) string {
		if expanded {
			return fmt.Sprintf(`[{"@value":"%s %d"}]`, text, i)
		}
		return fmt.Sprintf(`"%s %d"`, text, i)
	}
	members := []string{
		fmt.Sprintf(`"@id":"http://e/%d"`, i),
		fmt.Sprintf(`"@type":["http://t/%d"]`, i),
		p("name") + ":" + v("the name"),
		p("knows") + ":" + fmt.Sprintf(`[{"@id":"http://e/%d/a"},{"@id":"http://e/%d/b",%s:%s}]`, i, i, p("name"), v("inner")),
		p("in") + ":" + fmt.Sprintf(`{"@id":"http://e/%d/c",%s:%s,%s:{"@id":"http://e/%d/d",%s:%s}}`, i, p("deep"),
			v("deep, \\\"and\\\" so: on"), p("under"), i, p("deeper"), v("deeper")),
		p("many") + ":" + fmt.Sprintf(`[{"@value":"%d","@type":"http://t/int"},{"@value":"x %d","@language":"en"}]`, i, i),
		p("end") + ":" + v("the end"),
	}
	if last {
		members = append(members[1:], members[0])
	}
	return "{" + strings.Join(members, ",") + "}"
}

// indented lays JSON out, with a line for each member and item.
func indented(text, newline string) string {
	var b strings.Builder
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		line := func() { b.WriteString(newline + strings.Repeat("\t", depth)) }
		switch {
		case c == '\\':
			b.WriteString(text[i : i+2])
			i++
			continue
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			b.WriteByte(c)
			line()
			continue
		case c == '}' || c == ']':
			depth--
			line()
		case c == ',':
			b.WriteByte(c)
			line()
			continue
		case c == ':':
			b.WriteString(": ")
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// kinds are documents of nodes, the parts of which are those in order, with what is
// between them.
var kinds = []struct {
	name              string
	expanded, last    bool
	head, between, to string
	layout            func(string) string
}{
	{"array on one line", true, false, "[", ",", "]", nil},
	{"@graph on one line", false, false, `{"@context":{"@vocab":"http://p/"},"@graph":[`, ",", "]}", nil},
	{"@id last", false, true, `{"@context":{"@vocab":"http://p/"},"@graph":[`, ",", "]}", nil},
	{"lines", true, false, "", "\n", "\n", nil},
	{"an item a line", true, false, "[\n", ",\n", "\n]\n", nil},
	{"indented", false, false, "{\n\t\"@context\": {\"@vocab\": \"http://p/\"},\n\t\"@graph\": [\n", ",\n", "\n\t]\n}\n",
		func(s string) string { return "\t\t" + indented(s, "\n\t\t") }},
	{"indented otherwise", false, false, "{\n\t\"@context\": {\"@vocab\": \"http://p/\"},\n\t\"@graph\": [\n", ",\n", "\n\t]\n}\n",
		func(s string) string { return indented(s, "\n") }},
	{"indented, CRLF, expanded", true, false, "[\r\n", ",\r\n", "\r\n]\r\n", func(s string) string { return indented(s, "\r\n") }},
}

// hurt makes a fault in a node: a byte of its structure is gone or doubled, or
// something stands there that does not belong. It returns what was done.
func hurt(text string, random *rand.Rand) (string, string) {
	var places []int
	opens := map[int]bool{} // quotation marks
	quoted := false
	for i := range text {
		switch {
		case text[i] == '"' && text[i-1] != '\\':
			quoted = !quoted
			opens[i] = quoted
			places = append(places, i)
		case !quoted && strings.IndexByte(`{}[],:`, text[i]) >= 0:
			places = append(places, i)
		}
	}
	at := places[random.IntN(len(places))]
	behind := at
	if mark := text[at] == '"'; mark && !opens[at] {
		behind++ // not in the string
	}
	switch random.IntN(5) {
	case 0, 1:
		return text[:at] + text[at+1:], fmt.Sprintf("no %c at %d", text[at], at)
	case 2:
		return text[:at] + text[at:at+1] + text[at:], fmt.Sprintf("two %c at %d", text[at], at)
	case 3:
		return text[:behind] + " §$ " + text[behind:], fmt.Sprintf("garbage at %d", at)
	default:
		return text[:at+1] + "\x00" + text[at+1:], fmt.Sprintf("NUL at %d", at)
	}
}

// A fault in a node leaves all others as they are, and is reported where it is. It adds no statement
// that neither the clean document holds nor a notice of a repair covers. That holds in documents of
// every layout, with one fault in some fifteen statements.
func TestAFaultInANodeLeavesTheOthers(t *testing.T) {
	const count, faulty = 60, 10
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(3, 4))
			untouched, saved, invented, faults, told := 0, 0, 0, 0, 0
			for range 60 {
				var clean, broken strings.Builder
				clean.WriteString(kind.head)
				broken.WriteString(kind.head)
				var spans [][2]int
				var done []string
				hurtNodes := map[int]bool{}
				for i := range count {
					text := node(i, kind.expanded, kind.last)
					if kind.layout != nil {
						text = kind.layout(text)
					}
					if i > 0 {
						clean.WriteString(kind.between)
						broken.WriteString(kind.between)
					}
					clean.WriteString(text)
					from := broken.Len()
					if i%faulty == 5 {
						var what string
						text, what = hurt(text, random)
						done = append(done, what)
						hurtNodes[i] = true
					}
					broken.WriteString(text)
					if hurtNodes[i] {
						spans = append(spans, [2]int{from, broken.Len() + len(kind.between) + 1})
					}
				}
				clean.WriteString(kind.to)
				broken.WriteString(kind.to)
				want, got := read(t, clean.String(), jsonld.Options{}), read(t, broken.String(), jsonld.Options{})
				if len(want.Notices) > 0 {
					t.Fatal(want.Notices)
				}
				lines, all := got.Lines(), want.Lines()
				has := map[string]bool{}
				for _, l := range lines {
					has[l] = true
				}
				bad := ""
				for _, l := range all {
					var i int
					fmt.Sscanf(l[strings.Index(l, "http://e/"):], "http://e/%d", &i)
					if hurtNodes[i] {
						continue
					}
					untouched++
					if has[l] {
						saved++
					} else {
						bad += "\nlost " + l
					}
				}
				for i, l := range lines {
					if !got.Quads[i].Repaired && !slices.Contains(all, l) {
						invented++
						bad += "\ninvented " + l
					}
				}
				for i, span := range spans {
					faults++
					if slices.ContainsFunc(got.Notices, func(n fault.Notice) bool {
						return n.Severity >= fault.Warning && int(n.Offset) >= span[0] && int(n.Offset) <= span[1]
					}) {
						told++
					} else {
						bad += "\nnot told: " + done[i]
					}
				}
				if bad != "" && testing.Verbose() {
					t.Logf("%v%.900s\n%v", done, bad, shown(got.Notices))
				}
			}
			t.Logf("saved %d of %d, invented %d, told %d of %d", saved, untouched, invented, told, faults)
			if untouched-saved > untouched/1000 || invented > 0 || told*100 < faults*99 {
				t.Error("that is too little")
			}
		})
	}
}
