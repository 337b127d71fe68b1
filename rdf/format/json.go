package format

import (
	"bytes"
	"cmp"

	"laundromat/internal/pattern"
)

// key finds the beginning of a member: a name in quotation marks and a colon.
var key = pattern.New(`"((?:[^"\\\n]|\\.){0,300})"\s*:`)

// rdfJSON finds the beginning of the first object of RDF/JSON, at the fourth level, and
// rdfJSONType a type that such an object has.
var (
	rdfJSON     = pattern.New(`^\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[?\s*\{\s*"(?:value|type|lang|datatype)"\s*:`)
	rdfJSONType = pattern.New(`"type"\s*:\s*"(?i:uri|iri|bnode|literal|typed-literal)"`)
)

// jsonSchema finds the member that says that the document is a schema. Other documents name their
// schema in a member of the same name.
var jsonSchema = pattern.New(`"\$schema"\s*:\s*"https?://json-schema\.org/`)

// lookJSON recognises JSON-LD, other JSON, and what is no JSON although it begins with a
// bracket.
func lookJSON(in []byte, whole bool, hint Format) verdict {
	if !beginsJSON(in) {
		return verdict{}
	}
	const enough = 256 << 10
	in = in[:min(len(in), enough)]
	c := countMembers(in)
	switch {
	case c.has["$schema"] && jsonSchema.Match(in) && !topNames(in)["@context"]: // which may describe JSON-LD
		return verdict{not: "JSON Schema", certain: 0.9}
	case c.keywords == 0 && rdfJSON.Match(in) && rdfJSONType.Match(in):
		return verdict{format: RDFJSON, certain: 0.9}
	case c.keywords > 0 && hint != JSONLD && (whole || knownJSON(c.has) != "") && isMute(in):
		return verdict{not: cmp.Or(knownJSON(c.has), "JSON"), certain: 0.9}
	case c.keywords > 0:
		return verdict{format: JSONLD, certain: 0.97}
	case hexTuples.Match(in):
		return verdict{not: "HexTuples", certain: 0.9}
	case knownJSON(c.has) != "":
		return verdict{not: knownJSON(c.has), certain: 0.9}
	case hint == JSONLD, c.iris > 0 && c.others == 0 && in[0] == '[':
		// Without keywords there may still be statements: IRIs as keys, or a context
		// that comes with the header.
		return verdict{format: JSONLD, certain: 0.6}
	case c.iris > 0 && c.others == 0:
		// Where some names are none, those that are may be addresses, of which something is listed.
		return verdict{format: JSONLD, certain: 0.4}
	case isJSONLines(in):
		return verdict{not: "JSON lines", certain: 0.8}
	default:
		return verdict{not: "JSON", certain: 0.9}
	}
}

// members are what the names of the members of a document look like.
type members struct {
	has      map[string]bool // some of the names
	keywords int             // of JSON-LD
	iris     int             // names that are absolute IRIs
	others   int             // names that are none
}

func countMembers(in []byte) members {
	c := members{has: map[string]bool{}}
	for _, m := range key.FindAllSubmatch(in, 5000) {
		name := string(m[1])
		switch name {
		case "@context", "@id", "@graph", "@type", "@value", "@list", "@set", "@included", "@reverse", "@nest":
			c.keywords++ // the others are found with these, or mean something else: logs have an "@version"
		}
		if isAddress(m[1]) {
			c.iris++
		} else {
			c.others++
		}
		if len(c.has) < 1000 {
			c.has[name] = true
		}
	}
	return c
}

// isAddress says that a name is an absolute IRI: an address, or a URN.
func isAddress(name []byte) bool {
	return hasScheme(name) && bytes.Contains(name, []byte(":")) &&
		(bytes.Contains(name, []byte("://")) || bytes.HasPrefix(name, []byte("urn:")))
}

// looseKeyword finds a member that a keyword names in apostrophes, as programs of Python print it, or without
// quotation marks, as scripts have it. The marks may also be curly, or doubled.
var looseKeyword = pattern.New(
	`(?:(?:'|[“”„‟]|"")@(?:context|id|graph|type|value)(?:'|[“”„‟]|"")|[{,]\s*@(?:context|id|graph|type|value))\s*:`)

// lookBrokenJSON recognises JSON-LD that is at fault where it begins, by the keywords after that: no other format
// has members of such names.
func lookBrokenJSON(in []byte, hint Format) verdict {
	in = in[:min(len(in), 64<<10)]
	keywords := len(looseKeyword.FindAllSubmatch(in, 2))
	for _, m := range key.FindAllSubmatch(in, 5000) {
		switch string(m[1]) {
		case "@context", "@id", "@graph", "@type", "@value":
			keywords++
		}
	}
	if keywords > 1 || keywords > 0 && hint == JSONLD {
		return verdict{format: JSONLD, certain: 0.5}
	}
	return verdict{}
}

// isMute says that no statement can come of an object, whatever is within its members. None of them
// has the name of a keyword or of a property, or a context.
func isMute(in []byte) bool {
	if in[skipJSON(in, 0)] != '{' {
		return false
	}
	for name := range topNames(in) {
		if name == "" || name[0] == '@' || hasScheme([]byte(name)) {
			return false
		}
	}
	return true
}

// topNames are the names of the members of the outermost object.
func topNames(in []byte) map[string]bool {
	names := map[string]bool{}
	depth, begin := 0, -1
	for at := 0; at < len(in); at++ {
		switch in[at] {
		case '"':
			begin = at + 1
			for at++; at < len(in) && in[at] != '"'; at++ {
				if in[at] == '\\' {
					at++
				}
			}
		case ':':
			if depth == 1 && begin > 0 {
				name, _, _ := bytes.Cut(in[begin:at], []byte(`"`))
				names[string(name)] = true
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
	}
	return names
}

// knownJSON names a language of JSON by the names of its members; "" if it has none of a known one.
func knownJSON(has map[string]bool) string {
	for _, known := range jsonLanguages {
		all := true
		for _, name := range known.names {
			all = all && has[name]
		}
		if all {
			return known.is
		}
	}
	return ""
}

// beginsJSON distinguishes JSON from TriG and Turtle, which may begin with a bracket too.
func beginsJSON(in []byte) bool {
	at := skipJSON(in, 0)
	for depth := 0; at < len(in) && depth < 64; depth++ {
		switch in[at] {
		case '{':
			at = skipJSON(in, at+1)
			if at >= len(in) {
				return true
			}
			if in[at] == '"' {
				// A member has a colon after its name; a literal can't be here in TriG.
				m := key.FindIndex(in[at:])
				return m != nil && m[0] == 0
			}
			return in[at] == '}' && skipJSON(in, at+1) >= len(in)
		case '[':
			at = skipJSON(in, at+1)
			if at >= len(in) {
				return true
			}
			switch b := in[at]; {
			case b == ']': // [] begins a statement of Turtle, or is all
				return skipJSON(in, at+1) >= len(in) || in[skipJSON(in, at+1)] == ','
			case b == '"' || digit(b) || b == '-':
				return true
			case bytes.HasPrefix(in[at:], []byte("null")) || bytes.HasPrefix(in[at:], []byte("true")) ||
				bytes.HasPrefix(in[at:], []byte("false")):
				return true
			}
		default:
			return false
		}
	}
	return false
}

// skipJSON passes white space and the comments that some writers add.
func skipJSON(in []byte, at int) int {
	for at < len(in) {
		switch {
		case in[at] == ' ' || in[at] == '\t' || in[at] == '\r' || in[at] == '\n':
			at++
		case bytes.HasPrefix(in[at:], []byte("//")):
			end := bytes.IndexByte(in[at:], '\n')
			if end < 0 {
				return len(in)
			}
			at += end
		case bytes.HasPrefix(in[at:], []byte("/*")):
			end := bytes.Index(in[at:], []byte("*/"))
			if end < 0 {
				return len(in)
			}
			at += end + 2
		default:
			return at
		}
	}
	return at
}
