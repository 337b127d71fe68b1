package microdata

import (
	"fmt"

	"laundromat/internal/fault"
	"laundromat/internal/pattern"
	"laundromat/markup/page"
	"laundromat/rdf"
)

// urlAttributes are the elements whose value is an IRI, and the attribute it is in.
var urlAttributes = map[string]string{
	"a": "href", "area": "href", "link": "href",
	"audio": "src", "embed": "src", "iframe": "src", "img": "src", "source": "src", "track": "src", "video": "src",
	"object": "data",
}

var (
	integer = pattern.New(`^-?\d+$`)
	float   = pattern.New(`^-?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?$`)
)

// value is the value of a property (§4.1, "property value"). If its text was mended, mended
// is true. If there is no value, failure is set, which costs so many statements and was
// reported.
func (r *reader) value(p *known, statements int) (value term, mended bool, failure error) {
	e := p.e
	literal := func(text, datatype string) term {
		t := term{kind: rdf.Literal, value: text, datatype: datatype, pos: e.Pos}
		if datatype == "" {
			t.language = p.language
		}
		return t
	}
	if p.isItem {
		return r.subject(p), false, nil
	}
	if v, ok := e.Get("content"); ok {
		return literal(v, ""), false, nil
	}
	attribute, isURL := urlAttributes[e.Name]
	switch {
	case isURL && e.Has(attribute):
		v, _ := e.Get(attribute)
		return r.reference(p.base, trim(v), e), false, nil
	case e.Name == "meta":
		r.losses(fault.Notice{Code: fault.MicrodataValue, Pos: e.Pos, Message: "the element <meta> has no @content; its property has " +
			"no value", Excerpt: fault.Excerpt([]byte(wordsOf(e)))}, statements)
		return term{}, false, errNoValue
	case e.Name == "data" || e.Name == "meter":
		if v, ok := e.Get("value"); ok {
			switch {
			case integer.MatchString(v):
				return literal(v, rdf.XSD+"integer"), false, nil
			case float.MatchString(v):
				return literal(v, rdf.XSD+"double"), false, nil
			}
			return term{kind: rdf.Literal, value: v, pos: e.Pos}, false, nil
		}
	case e.Name == "time":
		if v, ok := e.Get("datetime"); ok {
			return literal(v, page.TimeType(v)), false, nil
		}
	}
	text, mended, lost := e.Content(matters)
	switch {
	case lost != nil:
		r.losses(*lost, statements)
		return term{}, false, errNoValue
	case isURL && trim(text) == "":
		r.losses(fault.Notice{Code: fault.MicrodataValue, Pos: e.Pos,
			Message: fmt.Sprintf("the element <%s> has no @%s; its property has no value", e.Name, attribute),
			Excerpt: fault.Excerpt([]byte(wordsOf(e)))}, statements)
		return term{}, false, errNoValue
	case isURL:
		mended = true
		r.repair(fault.MicrodataValue, e, wordsOf(e), "the element <%s> has no @%s; its text was taken as the value", e.Name, attribute)
	case e.Name == "time":
		return literal(text, page.TimeType(text)), mended, nil
	}
	return literal(text, ""), mended, nil
}

var errNoValue = fmt.Errorf("no value")

// losses says that so many statements are lost for the same reason.
func (r *reader) losses(n fault.Notice, statements int) {
	n.Severity, n.Lost, n.Bytes = fault.Drop, 1, 0
	for range statements {
		r.to.Notice(n)
	}
}
