package page

import "bytes"

// foreign are the open elements of a page that begin or end another language than HTML, from the outermost. In SVG and
// MathML no element holds text without tags (HTML §13.2.6.5).
type foreign []string

// integrates are the elements in which HTML goes on, by the language that they are of.
var integrates = map[string]map[string]bool{
	"svg":  set("foreignobject", "desc", "title"),
	"math": set("mi", "mo", "mn", "ms", "mtext", "annotation-xml"),
}

// breaksOut are the elements of HTML that end SVG and MathML around them.
var breaksOut = set("b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "h1", "h2", "h3",
	"h4", "h5", "h6", "head", "hr", "i",
	"img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s", "small", "span", "strong", "strike", "sub", "sup",
	"table", "tt", "u", "ul", "var")

// is says that what comes next is in SVG or MathML.
func (f foreign) is() bool {
	if len(f) == 0 {
		return false
	}
	top := f[len(f)-1]
	return top == "svg" || top == "math"
}

// start takes a start tag.
func (f foreign) start(name []byte, selfEnds bool) foreign {
	lower := string(bytes.ToLower(name))
	if f.is() && breaksOut[lower] {
		for f.is() {
			f = f[:len(f)-1]
		}
	}
	if !selfEnds && (lower == "svg" || lower == "math" || f.is() && integrates[f[len(f)-1]][lower]) {
		return append(f, lower)
	}
	return f
}

// end takes an end tag.
func (f foreign) end(name []byte) foreign {
	lower := string(bytes.ToLower(name))
	if f.is() && (lower == "p" || lower == "br") {
		for f.is() {
			f = f[:len(f)-1]
		}
		return f
	}
	for i := len(f) - 1; i >= 0; i-- {
		if f[i] == lower {
			return f[:i]
		}
	}
	return f
}
