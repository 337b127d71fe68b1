package csvw

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"laundromat/markup/jsonread"
	"laundromat/rdf"
	"laundromat/rdf/xsd"
)

// family says what kind of formats and constraints a datatype has.
type family uint8

const (
	textual family = iota
	numeric
	truth
	temporal
	lasting // durations
	binary
)

// builtIn is a datatype that metadata may name.
type builtIn struct {
	iri    string
	family family
	keeps  uint8 // 2: the text is kept as it is, 1: only line ends and tabs become spaces, 0: white space is collapsed
	known  *xsd.Datatype
}

var builtIns = func() map[string]*builtIn {
	all := map[string]*builtIn{}
	add := func(f family, keeps uint8, names ...string) {
		for _, name := range names {
			all[name] = &builtIn{iri: rdf.XSD + name, family: f, keeps: keeps, known: xsd.Find([]byte(rdf.XSD + name))}
		}
	}
	alias := func(name, iri string, f family, keeps uint8) {
		all[name] = &builtIn{iri: iri, family: f, keeps: keeps, known: xsd.Find([]byte(iri))}
	}
	add(textual, 2, "string", "anyAtomicType")
	add(textual, 1, "normalizedString")
	add(textual, 0, "anyURI", "token", "language", "Name", "NMTOKEN", "QName")
	add(numeric, 0, "decimal", "integer", "long", "int", "short", "byte", "nonNegativeInteger", "positiveInteger", "unsignedLong",
		"unsignedInt", "unsignedShort", "unsignedByte", "nonPositiveInteger", "negativeInteger", "double", "float")
	add(truth, 0, "boolean")
	add(temporal, 0, "date", "dateTime", "dateTimeStamp", "time", "gDay", "gMonth", "gMonthDay", "gYear", "gYearMonth")
	add(lasting, 0, "duration", "dayTimeDuration", "yearMonthDuration")
	add(binary, 0, "base64Binary", "hexBinary")
	alias("any", rdf.XSD+"anyAtomicType", textual, 2)
	alias("number", rdf.XSD+"double", numeric, 0)
	alias("datetime", rdf.XSD+"dateTime", temporal, 0)
	alias("binary", rdf.XSD+"base64Binary", binary, 0)
	all["xml"] = &builtIn{iri: rdf.RDF + "XMLLiteral", keeps: 2}
	all["html"] = &builtIn{iri: rdf.RDF + "HTML", keeps: 2}
	all["json"] = &builtIn{iri: Namespace + "JSON", keeps: 2}
	return all
}()

// datatype is that of a column.
type datatype struct {
	base    *builtIn
	name    string // of the base
	iri     string // of the datatype itself, where it has one
	pattern *regexp.Regexp
	number  *numberFormat
	date    *dateFormat
	yes, no string // of a boolean

	length, minLength, maxLength               int // -1: not given
	minInclusive, maxInclusive, minEx, maxEx   string
	hasMin, hasMax, hasMinEx, hasMaxEx, limits bool
}

func datatypeNamed(name string) *datatype {
	return &datatype{base: builtIns[name], name: name, length: -1, minLength: -1, maxLength: -1}
}

var stringType = datatypeNamed("string")

// datatype reads the description of a datatype.
func (o *object) datatype(v *jsonread.Value) (*datatype, error) {
	if v.Kind == jsonread.Text {
		if builtIns[v.Text] == nil {
			o.warn(v, "there is no datatype of this name; string is taken")
			return stringType, nil
		}
		return o.numbered(datatypeNamed(v.Text)), nil
	}
	if v.Kind != jsonread.Object {
		o.warn(v, "a datatype is a name or an object; string is taken")
		return stringType, nil
	}
	inner := o.object(v, o.scope, "Datatype", "base", "format", "length", "minLength", "maxLength", "minimum", "maximum", "minInclusive",
		"maxInclusive", "minExclusive", "maxExclusive", "name", "titles", "description")
	d := datatypeNamed("string")
	if base := v.Get("base"); base != nil {
		if base.Kind == jsonread.Text && builtIns[base.Text] != nil {
			d = datatypeNamed(base.Text)
		} else {
			o.warn(base, "there is no datatype of this name; string is taken")
		}
	}
	id, err := inner.id()
	if err != nil {
		return nil, err
	}
	for _, b := range builtIns {
		if id != "" && b.iri == id {
			return nil, o.bad(v.Get("@id"), "the @id of a datatype is not that of a built-in one")
		}
	}
	d.iri = id
	for _, m := range v.Members {
		if !slices.Contains(inner.own, m.Name) && m.Name != "@id" && m.Name != "@type" && !strings.Contains(m.Name, ":") {
			o.warn(m.Value, "a datatype has no property %q; it is not used", m.Name)
		}
	}
	if err := o.lengths(d, v); err != nil {
		return nil, err
	}
	if err := o.limits(d, v); err != nil {
		return nil, err
	}
	if format := v.Get("format"); format != nil {
		o.format(d, format)
	}
	return o.numbered(d), nil
}

// numbered gives a number without a format the usual signs.
func (o *object) numbered(d *datatype) *datatype {
	if d.base.family == numeric && d.number == nil {
		d.number = &numberFormat{decimal: '.', group: ','}
		d.number.implicit = true
	}
	return d
}

func (o *object) lengths(d *datatype, v *jsonread.Value) error {
	for _, c := range []struct {
		name string
		to   *int
	}{{"length", &d.length}, {"minLength", &d.minLength}, {"maxLength", &d.maxLength}} {
		p := v.Get(c.name)
		if p == nil {
			continue
		}
		n, ok := whole(p)
		if !ok {
			o.warn(p, "%s is a number from 0; it is not used", c.name)
			continue
		}
		if d.base.family != textual && d.base.family != binary {
			return o.bad(p, "%s is not for the datatype %s", c.name, d.name)
		}
		*c.to = n
	}
	switch {
	case d.length >= 0 && d.minLength > d.length, d.length >= 0 && d.maxLength >= 0 && d.maxLength < d.length,
		d.minLength >= 0 && d.maxLength >= 0 && d.maxLength < d.minLength:
		return o.bad(v, "length, minLength and maxLength contradict one another")
	}
	return nil
}

func whole(p *jsonread.Value) (int, bool) {
	n, err := strconv.Atoi(p.Text)
	return n, err == nil && n >= 0 && p.Kind == jsonread.Number
}

func (o *object) limits(d *datatype, v *jsonread.Value) error {
	for _, c := range []struct {
		name string
		to   *string
		has  *bool
	}{{"minimum", &d.minInclusive, &d.hasMin}, {"maximum", &d.maxInclusive, &d.hasMax}, {"minInclusive", &d.minInclusive, &d.hasMin},
		{"maxInclusive", &d.maxInclusive, &d.hasMax}, {"minExclusive", &d.minEx, &d.hasMinEx}, {"maxExclusive", &d.maxEx, &d.hasMaxEx}} {
		p := v.Get(c.name)
		if p == nil {
			continue
		}
		if f := d.base.family; f != numeric && f != temporal && f != lasting {
			return o.bad(p, "%s is not for the datatype %s", c.name, d.name)
		}
		if p.Kind != jsonread.Number && p.Kind != jsonread.Text {
			o.warn(p, "%s is a number or a text; it is not used", c.name)
			continue
		}
		if _, ok := compare(d, p.Text, p.Text); !ok {
			o.warn(p, "%s is no %s; it is not used", c.name, d.name)
			continue
		}
		*c.to, *c.has, d.limits = p.Text, true, true
	}
	less := func(a string, hasA bool, b string, hasB bool, equal bool) bool {
		c, ok := compare(d, a, b)
		return hasA && hasB && ok && (c < 0 || equal && c == 0)
	}
	switch {
	case d.hasMin && d.hasMinEx, d.hasMax && d.hasMaxEx,
		less(d.maxInclusive, d.hasMax, d.minInclusive, d.hasMin, false), less(d.maxEx, d.hasMaxEx, d.minInclusive, d.hasMin, true),
		less(d.maxEx, d.hasMaxEx, d.minEx, d.hasMinEx, false), less(d.maxInclusive, d.hasMax, d.minEx, d.hasMinEx, true):
		return o.bad(v, "the limits of the datatype contradict one another")
	}
	return nil
}

// format reads how values are written.
func (o *object) format(d *datatype, v *jsonread.Value) {
	if d.base.family == numeric {
		f, why := compileNumber(v)
		if why != "" {
			o.warn(v, "the format of numbers is not used: %s", why)
		}
		d.number = f
		return
	}
	if v.Kind != jsonread.Text {
		o.warn(v, "a format is a text; it is not used")
		return
	}
	switch d.base.family {
	case truth:
		yes, no, found := strings.Cut(v.Text, "|")
		if !found || yes == "" || no == "" || yes == no {
			o.warn(v, "the format of a boolean is as Y|N; it is not used")
			return
		}
		d.yes, d.no = yes, no
	case temporal:
		if d.date = compileDate(v.Text); d.date == nil {
			o.warn(v, "the format of dates or times has a part that is not known; it is not used")
		}
	default:
		p, err := regexp.Compile(`^(?:` + v.Text + `)$`)
		if err != nil {
			o.warn(v, "the format is no regular expression that is read here; it is not used")
			return
		}
		d.pattern = p
	}
}

// IRI is the datatype of a literal.
func (d *datatype) literal() string {
	if d.iri != "" {
		return d.iri
	}
	return d.base.iri
}

// parse is the lexical form of a value that is written as the datatype says; why is "" if it is sound.
func (d *datatype) parse(text string) (lexical, why string) {
	lexical = text
	switch d.base.family {
	case numeric:
		if lexical, why = d.number.parse(text, d.name); why != "" {
			return text, why
		}
	case truth:
		switch {
		case d.yes != "" && text == d.yes:
			return "true", ""
		case d.yes != "" && text == d.no:
			return "false", ""
		case d.yes != "":
			return text, "it is neither " + d.yes + " nor " + d.no
		}
	case temporal:
		if d.date != nil {
			var ok bool
			if lexical, ok = d.date.parse(text, d.name); !ok {
				return text, "it is not written as " + d.date.text
			}
		}
	}
	if d.pattern != nil && !d.pattern.MatchString(text) {
		return text, "it does not match the format"
	}
	if d.base.known != nil {
		if d.base.known.IsCanonical([]byte(lexical)) {
			return lexical, d.holds(lexical)
		}
		if _, verdict := d.base.known.AppendCanonical(nil, []byte(lexical)); verdict == xsd.IllTyped {
			return text, "it is no " + d.name
		}
	}
	return lexical, d.holds(lexical)
}
