package format

import (
	"bytes"
	"math"
	"strings"

	"laundromat/internal/fault"
)

// Guessed is what a document seems to be.
type Guessed struct {
	// Format is "" if the document is no RDF. NotRDF then says what it is, in words for a report: "PDF",
	// "CSV", "HTML without data", "XML (urlset)", …
	Format Format
	NotRDF string

	Evidence   []Evidence
	Confidence float64 // above 0, up to 1

	// Empty says that there is nothing but white space and comments in the document.
	// It is still read, as Format, so that it is accounted for.
	Empty bool
}

// Evidence is one thing that speaks for a format; the shape is that of package encoding's.
type Evidence struct {
	From       string  `json:"from"` // content, http or name
	Value      string  `json:"value"`
	Confidence float64 `json:"confidence,omitempty"`
}

// Err is the error of kind Data, code format/not-rdf, with which a document ends
// that is no RDF; nil if it is RDF.
func (g Guessed) Err() error {
	if g.Format != "" {
		return nil
	}
	return fault.New("format.Guess", fault.Data, fault.FormatNotRDF, "not RDF: %s", g.NotRDF)
}

// verdict is what one look at the content finds; certain is 0 if it finds nothing.
type verdict struct {
	format  Format
	not     string
	certain float64
	empty   bool
	unnamed bool // all graphs of TriG are without a name
}

// Guess determines the format of a document from the first part of its text in UTF-8 without a byte
// order mark: 64 kB are plenty. If prefix is all there is, whole is true. The parameter contentType
// is the Content-Type header, name the name of the file or the IRI. Both may be "", and both only
// decide between formats that the content allows.
//
// A document with broken parts is what most of it is. A document in which hardly
// anything is RDF is not RDF, whatever its header says. One that is called Turtle, TriG, N-Triples,
// N-Quads or RDF/XML, and that is so to the letter, is never refused.
func Guess(prefix []byte, whole bool, contentType, name string) Guessed {
	fromHTTP, fromName := ofMediaType(contentType), ofName(name)
	called := hinted(fromHTTP, fromName)
	hint := withoutFormulae(called)
	v := look(prefix, whole, hint).accepted(prefix, whole, hint, withoutFormulae(fromHTTP), withoutFormulae(fromName))
	if called == N3 && v.format == TriG && v.unnamed {
		v.format, v.certain = N3, sureOfFormulae // its braces are those of formulae
	}
	g := Guessed{Format: v.format, NotRDF: v.not, Confidence: round(v.certain), Empty: v.empty}
	value := string(v.format)
	if value == "" {
		value = v.not
	}
	if v.empty {
		value = "nothing"
	}
	g.Evidence = append(g.Evidence, Evidence{"content", value, round(v.certain)})
	doubt := 1 - v.certain
	weigh := func(from, value string, says Format, confidence float64) {
		if says == "" {
			return
		}
		g.Evidence = append(g.Evidence, Evidence{from, value, confidence})
		if says == g.Format || withoutFormulae(says) == g.Format {
			doubt *= 1 - confidence
		}
	}
	header := sureOfHTTP
	if fromHTTP == HTML {
		header = sureOfHTML
	}
	weigh("http", mediaTypeOf(contentType), fromHTTP, header)
	weigh("name", string(fromName), fromName, sureOfName)
	g.Confidence = round(1 - doubt)
	return g
}

// hinted is the format that the header says, or else the name; "" if neither says one.
func hinted(fromHTTP, fromName Format) Format {
	if fromHTTP == "" || fromHTTP == HTML && fromName != "" { // many servers call everything text/html
		return fromName
	}
	return fromHTTP
}

// withoutFormulae is Turtle for N3, which is the same where there are no formulae; else f.
func withoutFormulae(f Format) Format {
	if f == N3 {
		return Turtle
	}
	return f
}

// How far a header and a name can be trusted by themselves. One in ten headers is wrong where it names
// a format of RDF. More are where it says HTML, which servers say of what they do not know. Extensions
// are wrong more often, and .rdf and .owl are used for all formats.
const (
	sureOfHTTP = 0.9
	sureOfHTML = 0.5
	sureOfName = 0.7
)

func round(share float64) float64 { return max(0.01, math.Round(share*100)/100) }

// look asks one after another what the text is, the surest sign first.
func look(prefix []byte, whole bool, hint Format) verdict {
	prefix = bytes.TrimPrefix(prefix, []byte("\xEF\xBB\xBF"))
	if kind := magic(prefix); kind != "" {
		return verdict{not: kind, certain: 0.99}
	}
	start := bytes.TrimLeft(prefix, " \t\r\n\f\v\x00")
	if len(start) == 0 {
		return nothing(hint, whole)
	}
	switch start[0] {
	case '{', '[':
		if v := lookJSON(start, whole, hint); v.certain > 0 {
			return v
		}
		if v := lookJSON(unfilled(start), whole, hint); v.certain > 0 {
			return v
		}
		if v := lookBrokenJSON(start, hint); v.certain > 0 {
			return v
		}
	case '<':
		if v := lookWrapped(start, whole, hint); v.certain > 0 {
			return v
		}
		if v := lookMarkup(start, hint); v.certain > 0 {
			return v
		}
	}
	if v := lookWrapped(start, whole, hint); v.certain > 0 {
		return v
	}
	if v := lookOntology(start); v.certain > 0 {
		return v
	}
	if v := lookMarkdown(start); v.certain > 0 {
		return v
	}
	if v := lookTurtle(start, whole, hint); v.certain > 0 {
		return v
	}
	// Dirt before the beginning: a warning of the program that made the document.
	if at := bytes.IndexAny(start, "<{"); at > 0 && at < 4096 && describeText(start[:at]) == "" {
		var v verdict
		if start[at] == '<' {
			v = lookMarkup(start[at:], hint)
		} else if at < 200 {
			v = lookJSON(start[at:], whole, hint)
		}
		if v.format != "" || v.certain > 0.9 {
			v.certain *= 0.8
			return v
		}
	}
	return lookOther(start, whole)
}

// nothing is the verdict on white space and comments.
func nothing(hint Format, whole bool) verdict {
	format := Turtle
	switch hint { // the readers of the others want a root, and find fault with its absence
	case NTriples, NQuads, Turtle, TriG:
		format = hint
	}
	return verdict{format: format, certain: 0.5, empty: whole}
}

// Contradicts says that a Content-Type claims something that the content is not. A general type
// (text/plain, application/octet-stream, any XML, any JSON) and an absent one do not contradict. Nor
// does one that the content can't be a wrong use of, or the type of a larger language that includes
// what was found.
func (g Guessed) Contradicts(contentType string) bool {
	mediaType := mediaTypeOf(contentType)
	if mediaType == "" || g.Empty {
		return false
	}
	declared := ofMediaType(contentType)
	if g.Format == "" {
		// Not RDF: only a type of RDF is a lie; text/html is none of a page.
		return declared != "" && !((declared == HTML || declared == RDFa) && (strings.HasPrefix(g.NotRDF, "HTML") || isXML(g.NotRDF)))
	}
	if declared != "" {
		return !includes(declared, g.Format)
	}
	major, minor, _ := strings.Cut(mediaType, "/")
	switch {
	case major == "image", major == "audio", major == "video", major == "font":
		return true
	case mediaType == "application/pdf", minor == "csv", minor == "css", strings.HasSuffix(minor, "javascript"):
		return true
	case minor == "xml", strings.HasSuffix(minor, "+xml"):
		return g.Format != RDFXML && g.Format != RDFa && g.Format != HTML && g.Format != TriX
	case minor == "json", strings.HasSuffix(minor, "+json"):
		return g.Format != JSONLD && g.Format != RDFJSON
	}
	return false
}

// includes says that each document of the small language is one of the large.
func includes(large, small Format) bool {
	switch large {
	case small:
		return true
	case HTML:
		return small == RDFa
	case RDFa: // the type of SVG, whose metadata are RDF/XML
		return small == RDFXML
	case Turtle:
		return small == NTriples
	case N3:
		return small == Turtle || small == NTriples
	case TriG:
		return small == Turtle || small == NTriples
	case NQuads:
		return small == NTriples
	}
	return false
}
