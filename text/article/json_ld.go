package article

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// node is a date that JSON-LD says of something.
type node struct {
	said
	url string
}

// byCreation is the first rank of dates that are none of publication.
const byCreation = 100

// dateKeys are the properties that say when something was published, the best first.
var dateKeys = []string{"datePublished", "dateCreated", "uploadDate"}

// script looks for dates in JSON-LD. A fault that leaves one reading costs nothing; what can't be read says nothing.
func (e *evidence) script(source string, at int64) {
	var value any
	if json.Unmarshal([]byte(source), &value) == nil {
		e.value(value, at, 0)
		e.facts.tell(value, "", 0)
		return
	}
	l := loose{rest: withoutWrapping(source)}
	for l.skip(); l.rest != ""; l.skip() {
		before := len(l.rest)
		if v, ok := l.value(0); ok {
			e.value(v, at, 0)
			e.facts.tell(v, "", 0)
		}
		if len(l.rest) == before {
			l.rest = l.rest[1:]
		}
	}
}

// withoutWrapping takes off a script what was to hide it from old browsers or readers of XML.
func withoutWrapping(s string) string {
	for {
		before := s
		s = strings.TrimLeft(strings.TrimSpace(s), "/* \t\ufeff")
		for _, mark := range []string{"<!--", "<![CDATA[", "-->", "]]>"} {
			s = strings.TrimPrefix(s, mark)
		}
		if s == before {
			return s
		}
	}
}

// maxDepth is how deeply JSON-LD is looked into.
const maxDepth = 12

func (e *evidence) value(v any, at int64, depth int) {
	if depth > maxDepth {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			e.value(one, at, depth)
		}
	case map[string]any:
		rank := typeRank(v["@type"])
		e.facts.node(v, rank)
		for i, key := range dateKeys {
			if date, ok := literal(v[key]); ok && rank < 3 {
				e.nodes = append(e.nodes, node{said{date, at, i*byCreation + rank*(maxDepth+1) + depth}, address(v)})
				break
			}
		}
		for _, key := range []string{"@graph", "mainEntity", "mainEntityOfPage"} {
			if inner, ok := v[key]; ok && rank < 3 {
				more := 1
				if key == "@graph" {
					more = 0 // it is what the document is about
				}
				e.value(inner, at, depth+more)
			}
		}
	}
}

// address is where a node says that it is.
func address(v map[string]any) string {
	for _, key := range []string{"url", "mainEntityOfPage", "@id"} {
		switch of := v[key].(type) {
		case string:
			return of
		case map[string]any:
			if id, ok := of["@id"].(string); ok {
				return id
			}
		}
	}
	return ""
}

// literal is a text or a number of JSON-LD, which may stand in @value or in a list of one.
func literal(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v), strings.TrimSpace(v) != ""
	case float64:
		return strconv.FormatFloat(v, 'f', 0, 64), v > 0
	case map[string]any:
		return literal(v["@value"])
	case []any:
		if len(v) > 0 {
			return literal(v[0])
		}
	}
	return "", false
}

// others are the types whose dates are none of a page's publication.
var others = map[string]bool{"Comment": true, "UserComments": true, "Answer": true, "Person": true, "Event": true, "Product": true,
	"Offer": true, "WebSite": true,
	"ImageObject": true, "JobPosting": true, "BreadcrumbList": true, "ItemList": true, "ListItem": true, "Rating": true,
	"AggregateRating": true, "Place": true,
	"LocalBusiness": true, "UserReview": true}

// typeRank says how well a type fits an article: 0 for articles, 1 for other works, 2 for pages, 3 for what is none.
func typeRank(v any) int {
	switch v := v.(type) {
	case string:
		name := v[strings.LastIndexAny(v, "/#:")+1:]
		switch {
		case others[name], strings.HasSuffix(name, "Organization"):
			return 3
		case strings.HasSuffix(name, "Article"), strings.HasSuffix(name, "Posting"), name == "Report", name == "Recipe",
			name == "Chapter",
			name == "Book":
			return 0
		case strings.HasSuffix(name, "Page"):
			return 2
		}
		return 1
	case []any:
		best := 3
		for _, one := range v {
			best = min(best, typeRank(one))
		}
		return best
	}
	return 1
}

// loose reads JSON that has faults: comments, commas too many or missing, line ends in strings. Names may have no
// quotation marks, brackets may not close, and several values may stand one after another.
type loose struct{ rest string }

// skip passes over white space, commas, semicolons and comments.
func (l *loose) skip() {
	for {
		l.rest = strings.TrimLeft(l.rest, " \t\r\n\f,;\ufeff\u00a0")
		switch {
		case strings.HasPrefix(l.rest, "//"):
			_, l.rest, _ = strings.Cut(l.rest, "\n")
		case strings.HasPrefix(l.rest, "/*"):
			_, l.rest, _ = strings.Cut(l.rest, "*/")
		case strings.HasPrefix(l.rest, "<!--"), strings.HasPrefix(l.rest, "-->"), strings.HasPrefix(l.rest, "]]>"):
			l.rest = l.rest[3:]
		default:
			return
		}
	}
}

func (l *loose) value(depth int) (v any, ok bool) {
	l.skip()
	if l.rest == "" || depth > 4*maxDepth {
		return nil, false
	}
	switch l.rest[0] {
	case '{':
		return l.object(depth), true
	case '[':
		l.rest = l.rest[1:]
		var list []any
		for {
			l.skip()
			switch {
			case strings.HasPrefix(l.rest, "]"):
				l.rest = l.rest[1:]
				return list, true
			case l.rest == "" || l.rest[0] == '}' || l.rest[0] == ':':
				return list, true
			}
			one, ok := l.value(depth + 1)
			if !ok {
				return list, true
			}
			list = append(list, one)
		}
	case '"', '\'':
		return l.text()
	case '}', ']', ':':
		return nil, false
	}
	word := l.word()
	if n, err := strconv.ParseFloat(word, 64); err == nil {
		return n, true
	}
	return word, word != ""
}

func (l *loose) object(depth int) map[string]any {
	l.rest = l.rest[1:]
	members := map[string]any{}
	for {
		l.skip()
		switch {
		case strings.HasPrefix(l.rest, "}"):
			l.rest = l.rest[1:]
			return members
		case l.rest == "" || l.rest[0] == ']':
			return members
		}
		before := len(l.rest)
		var name string
		if c := l.rest[0]; c == '"' || c == '\'' {
			name, _ = l.text()
		} else {
			name = l.word()
		}
		l.skip()
		if strings.HasPrefix(l.rest, ":") {
			l.rest = l.rest[1:]
			if v, ok := l.value(depth + 1); ok {
				if _, has := members[name]; !has {
					members[name] = v
				}
			}
		}
		if len(l.rest) == before {
			l.rest = l.rest[1:]
		}
	}
}

// word is what stands without quotation marks.
func (l *loose) word() string {
	n := strings.IndexAny(l.rest, " \t\r\n,;:{}[]\"'")
	if n < 0 {
		n = len(l.rest)
	}
	w := l.rest[:n]
	l.rest = l.rest[n:]
	return w
}

// text is a string. Its quotation mark ends it where what follows can stand behind one.
func (l *loose) text() (string, bool) {
	mark := l.rest[0]
	var b strings.Builder
	for i := 1; i < len(l.rest); {
		switch c := l.rest[i]; {
		case c == mark && endsText(l.rest[i+1:]):
			l.rest = l.rest[i+1:]
			return b.String(), true
		case c == '\\' && i+1 < len(l.rest):
			if u := l.rest[i+1:]; u[0] == 'u' && len(u) > 4 {
				if n, err := strconv.ParseUint(u[1:5], 16, 32); err == nil {
					b.WriteRune(rune(n))
					i += 6
					continue
				}
			}
			if c := l.rest[i+1]; strings.IndexByte("ntrbf", c) >= 0 {
				b.WriteByte(' ')
			} else {
				b.WriteByte(c)
			}
			i += 2
		default:
			_, n := utf8.DecodeRuneInString(l.rest[i:])
			b.WriteString(l.rest[i : i+n])
			i += n
		}
	}
	l.rest = ""
	return b.String(), false
}

// endsText says that what follows a quotation mark shows that it ends a string.
func endsText(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r\n")
	return rest == "" || strings.IndexByte(",:}];/", rest[0]) >= 0 || rest[0] == '"' || rest[0] == '\''
}
