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
		case !name.may(word) && (name.exact || !strings.HasPrefix(word, name.head)):
		case word == "@import" || word == "@propagate":
			whole = true
		default:
			lost = append(lost, brokenName{head: word, exact: true})
		}
	}
	return lost, whole
}
