package jsonld

import "strings"

// guide tells the reader of JSON what it must know of JSON-LD.
type guide struct{}

var words = Words{
	Sign: '@',
	ID:   "@id", Type: "@type", Context: "@context", Value: "@value", Language: "@language", Direction: "@direction",
	Index: "@index", List: "@list", Set: "@set", Graph: "@graph", Reverse: "@reverse", Included: "@included", Nest: "@nest",
	Usual: struct{ ID, Type, Value, Language string }{"id", "type", "value", "language"},
}

func (guide) Words() *Words { return &words }

func (guide) IsWord(s string) bool { return isKeyword(s) }

// Define tells which names a context gives to keywords.
func (guide) Define(context *value, alias func(name, word string)) (intricate bool) {
	for _, c := range context.list() {
		for i := range c.members {
			word := c.members[i].value
			if id := word.get("@id"); id != nil {
				word = id
			}
			if name := c.members[i].name; word.kind == text && isKeyword(word.text) && !isKeyword(name) {
				alias(name, word.text)
			}
		}
	}
	return isIntricate(context)
}

// Lost tells which keywords of a context may have had a name that is broken.
func (guide) Lost(name brokenName) (lost []brokenName, whole bool) {
	for _, word := range [...]string{"@vocab", "@base", "@language", "@direction", "@import", "@propagate"} {
		switch {
		case !mayBe(&name, word) && (name.exact || !strings.HasPrefix(word, name.head)):
		case word == "@import" || word == "@propagate":
			whole = true
		default:
			lost = append(lost, brokenName{head: word, exact: true})
		}
	}
	return lost, whole
}

// isIntricate says that a context may give terms meanings which change what stands in their values.
func isIntricate(context *value) bool {
	for _, c := range context.list() {
		if c.kind != object && c.kind != null {
			return true
		}
		for i := range c.members {
			name, v := c.members[i].name, c.members[i].value
			switch {
			case name == "@vocab" || name == "@base" || name == "@language" || name == "@version" || v.kind == null:
			case name == "" || name[0] == '@':
				return true
			case v.kind == text:
				if strings.Contains(name, ":") && isKeyword(v.text) {
					return true
				}
			case v.kind != object || definesMore(v):
				return true
			}
		}
	}
	return false
}

// definesMore says that a term definition holds more than an IRI, a type, a language or an order.
func definesMore(v *value) bool {
	for i := range v.members {
		switch name, v := v.members[i].name, v.members[i].value; name {
		case "@id":
			if v.kind != text || isKeyword(v.text) {
				return true
			}
		case "@type":
			if v.kind != text || v.text == "@json" {
				return true
			}
		case "@container":
			for _, item := range v.list() {
				if item.kind != text || item.text != "@list" && item.text != "@set" {
					return true
				}
			}
		case "@language", "@direction", "@prefix", "@reverse":
		default:
			return true
		}
	}
	return false
}
