package reconcile

import (
	"slices"
	"strings"
	"unicode"

	"laundromat/records/spec"
)

// A clusteringKey is one of the keys by which OpenRefine puts values together: values with the same key are likely the
// same (OpenRefine, "Clustering methods in-depth"). Here it is one word more of the record, and used only where a spec
// names it.
type clusteringKey struct {
	name string
	of   func(folded string) string
}

var clusteringKeys = []clusteringKey{
	{"fingerprint", fingerprint},
	{"ngram-fingerprint", func(s string) string { return gramFingerprint(s, 2) }},
	{"unigram-fingerprint", func(s string) string { return gramFingerprint(s, 1) }},
	{"cologne-phonetic", colognePhonetic},
}

// compileKeys reads the keys of a field.
func (p *Plan) compileKeys(field string, n *spec.Node) error {
	items := []*spec.Node{n}
	if n.Kind == spec.List {
		items = n.Items
	}
	names := make([]string, len(clusteringKeys))
	for i := range clusteringKeys {
		names[i] = clusteringKeys[i].name
	}
	for _, item := range items {
		at := slices.Index(names, item.Text)
		if item.Kind != spec.Text || at < 0 {
			return item.Errorf("unknown clustering key %q%s", item.Text, spec.Meant(item.Text, names...))
		}
		if !slices.ContainsFunc(p.keys[field], func(k clusteringKey) bool { return k.name == names[at] }) {
			p.keys[field] = append(p.keys[field], clusteringKeys[at])
		}
	}
	return nil
}

// findKeys finds the clustering keys of each field of the table.
func (e *Engine) findKeys() {
	if len(e.plan.keys) == 0 {
		return
	}
	e.keysOf = make([][]clusteringKey, len(e.table.names))
	for i, name := range e.table.names {
		e.keysOf[i] = e.plan.keys[name]
		for first, second := range e.plan.with {
			if second == name && e.keysOf[i] == nil {
				e.keysOf[i] = e.plan.keys[first]
			}
		}
	}
}

// appendKeys appends the clustering keys of a value.
func (e *Engine) appendKeys(dst []token, field int, folded string) []token {
	if field >= len(e.keysOf) {
		return dst
	}
	for _, k := range e.keysOf[field] {
		if key := k.of(folded); key != "" {
			dst = append(dst, token{hash: hashOf(k.name + "\x00" + key), kind: joined})
		}
	}
	return dst
}

// fingerprint is the words of a text without signs, each once, in their order by bytes.
func fingerprint(folded string) string {
	words := strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsPunct(r), unicode.IsControl(r), unicode.IsSymbol(r):
			return -1
		}
		return r
	}, folded))
	slices.Sort(words)
	return strings.Join(slices.Compact(words), " ")
}

// gramFingerprint is the sequences of n letters and digits of a text, each once, in their order.
func gramFingerprint(folded string, n int) string {
	var signs []rune
	for _, r := range folded {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			signs = append(signs, r)
		}
	}
	if len(signs) < n {
		return string(signs)
	}
	var all []string
	for i := 0; i+n <= len(signs); i++ {
		all = append(all, string(signs[i:i+n]))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "")
}

// colognePhonetic is the code of a text by Postel's Kölner Phonetik (IBM-Nachrichten 19, 1969), of all its words
// together.
func colognePhonetic(folded string) string {
	letters := []byte(strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r
		}
		return -1
	}, folded))
	at := func(i int) byte {
		if i < 0 || i >= len(letters) {
			return 0
		}
		return letters[i]
	}
	isOf := func(c byte, set string) bool { return c != 0 && strings.IndexByte(set, c) >= 0 }
	var code []byte
	for i, c := range letters {
		before, after := at(i-1), at(i+1)
		switch {
		case isOf(c, "aeijouy"):
			code = append(code, '0')
		case c == 'b', c == 'p' && after != 'h':
			code = append(code, '1')
		case isOf(c, "dt"):
			if isOf(after, "csz") {
				code = append(code, '8')
			} else {
				code = append(code, '2')
			}
		case isOf(c, "fvw"), c == 'p':
			code = append(code, '3')
		case isOf(c, "gkq"):
			code = append(code, '4')
		case c == 'c':
			code = append(code, codeOfC(i == 0, isOf(before, "sz"), after))
		case c == 'x':
			if isOf(before, "ckq") {
				code = append(code, '8')
			} else {
				code = append(code, '4', '8')
			}
		case c == 'l':
			code = append(code, '5')
		case isOf(c, "mn"):
			code = append(code, '6')
		case c == 'r':
			code = append(code, '7')
		case isOf(c, "sz"):
			code = append(code, '8')
		}
	}
	code = slices.Compact(code)
	out := code[:0]
	for i, c := range code {
		if c != '0' || i == 0 {
			out = append(out, c)
		}
	}
	return string(out)
}

// codeOfC is the code of the letter c, which depends on what is beside it.
func codeOfC(isFirst, followsSibilant bool, after byte) byte {
	hard := "ahkoqux"
	if isFirst {
		hard = "ahkloqrux"
	}
	if !followsSibilant && after != 0 && strings.IndexByte(hard, after) >= 0 {
		return '4'
	}
	return '8'
}
