package jsonld

import (
	"strings"

	"laundromat/markup/jsonread"
)

// guide tells the reader of JSON what it must know of JSON-LD.
type guide struct{}

var words = jsonread.Words{
	Sign: '@',
	ID:   "@id", Type: "@type", Context: "@context", Value: "@value", Language: "@language", Direction: "@direction",
	Index: "@index", List: "@list", Set: "@set", Graph: "@graph", Reverse: "@reverse", Included: "@included", Nest: "@nest",
	Usual: struct{ ID, Type, Value, Language string }{"id", "type", "value", "language"},
}

func (guide) Words() *jsonread.Words { return &words }

func (guide) IsWord(s string) bool { return isKeyword(s) }

// Define tells which names a context gives to keywords.
func (guide) Define(context *jsonread.Value, alias func(name, word string)) (intricate bool) {
	for _, c := range context.List() {
		for i := range c.Members {
			word := c.Members[i].Value
			if id := word.Get("@id"); id != nil {
				word = id
			}
			if name := c.Members[i].Name; word.Kind == jsonread.Text && isKeyword(word.Text) && !isKeyword(name) {
				alias(name, word.Text)
			}
		}
	}
	return isIntricate(context)
}

// Lost tells which keywords of a context may have had a name that is broken.
func (guide) Lost(name jsonread.BrokenName) (lost []jsonread.BrokenName, whole bool) {
	for _, word := range [...]string{"@vocab", "@base", "@language", "@direction", "@import", "@propagate"} {
		switch {
		case !mayBe(&name, word) && (name.Exact || !strings.HasPrefix(word, name.Head)):
		case word == "@import" || word == "@propagate":
			whole = true
		default:
			lost = append(lost, jsonread.BrokenName{Head: word, Exact: true})
		}
	}
	return lost, whole
}

// isIntricate says that a context may give terms meanings which change what stands in their values.
func isIntricate(context *jsonread.Value) bool {
	for _, c := range context.List() {
		if c.Kind != jsonread.Object && c.Kind != jsonread.Null {
			return true
		}
		for i := range c.Members {
			name, v := c.Members[i].Name, c.Members[i].Value
			switch {
			case name == "@vocab" || name == "@base" || name == "@language" || name == "@version" || v.Kind == jsonread.Null:
			case name == "" || name[0] == '@':
				return true
			case v.Kind == jsonread.Text:
				if strings.Contains(name, ":") && isKeyword(v.Text) {
					return true
				}
			case v.Kind != jsonread.Object || definesMore(v):
				return true
			}
		}
	}
	return false
}

// definesMore says that a term definition holds more than an IRI, a type, a language or an order.
func definesMore(v *jsonread.Value) bool {
	for i := range v.Members {
		switch name, v := v.Members[i].Name, v.Members[i].Value; name {
		case "@id":
			if v.Kind != jsonread.Text || isKeyword(v.Text) {
				return true
			}
		case "@type":
			if v.Kind != jsonread.Text || v.Text == "@json" {
				return true
			}
		case "@container":
			for _, item := range v.List() {
				if item.Kind != jsonread.Text || item.Text != "@list" && item.Text != "@set" {
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
