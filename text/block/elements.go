package block

import "laundromat/text"

// role is what an element means for the text in it.
type role uint8

const (
	inline  role = iota
	apart        // a block that is what the one around it is
	resets       // a block that is a paragraph, whatever is around it
	is           // a block of its own kind
	region       // a block whose kind counts for all in it
	gap          // stands between words, and has no text
	br           // ends a line
	hidden       // its text is none of the page's
	row          // of a table
	table        //
	gapText      // stands apart from the words around it, in the same block
	annotation
	shadow // a template: text of the page if it is a shadow root
	source // of a formula, perhaps
	link
	quoted
)

type element struct {
	role  role
	kind  text.Kind
	level int
	pre   bool // white space is kept
	code  bool // references are decoded once
}

// elements are all whose text is not simply part of the text around them.
var elements = map[string]element{
	"address": {role: apart}, "article": {role: resets}, "aside": {role: region, kind: text.Aside}, "body": {role: resets},
	"blockquote": {role: is, kind: text.Quotation}, "center": {role: apart}, "dialog": {role: resets}, "details": {role: apart},
	"dd": {role: is, kind: text.Definition}, "dir": {role: apart}, "div": {role: apart}, "dl": {role: resets},
	"dt":       {role: is, kind: text.Term},
	"fieldset": {role: apart}, "figcaption": {role: is, kind: text.Caption}, "figure": {role: resets},
	"footer": {role: region, kind: text.Footer}, "form": {role: apart}, "header": {role: region, kind: text.Header},
	"h1": {role: is, kind: text.Heading, level: 1}, "h2": {role: is, kind: text.Heading, level: 2},
	"h3": {role: is, kind: text.Heading, level: 3},
	"h4": {role: is, kind: text.Heading, level: 4}, "h5": {role: is, kind: text.Heading, level: 5},
	"h6":     {role: is, kind: text.Heading, level: 6},
	"hgroup": {role: apart}, "hr": {role: apart}, "html": {role: resets}, "li": {role: is, kind: text.ListItem}, "main": {role: resets},
	"menu": {role: apart}, "nav": {role: region, kind: text.Navigation}, "ol": {role: apart}, "p": {role: apart}, "ul": {role: apart},
	"search": {role: apart}, "section": {role: resets}, "summary": {role: apart}, "noscript": {role: apart}, "marquee": {role: apart},

	"pre": {role: is, kind: text.Code, pre: true, code: true}, "listing": {role: is, kind: text.Code, pre: true, code: true},
	"xmp": {role: is, kind: text.Code, pre: true, code: true}, "plaintext": {role: is, kind: text.Code, pre: true, code: true},
	"code": {code: true}, "kbd": {code: true}, "samp": {code: true}, "tt": {code: true}, "var": {code: true},

	"table": {role: table}, "caption": {role: is, kind: text.Caption}, "thead": {role: apart}, "tbody": {role: apart},
	"tfoot": {role: apart},
	"tr":    {role: row}, "td": {role: is, kind: text.TableCell}, "th": {role: is, kind: text.TableCell}, "colgroup": {role: apart},

	"button": {role: is, kind: text.Control}, "legend": {role: is, kind: text.Control}, "optgroup": {role: is, kind: text.Control},
	"option": {role: is, kind: text.Control}, "select": {role: is, kind: text.Control}, "datalist": {role: region, kind: text.Hidden},
	"textarea": {role: is, kind: text.Control, pre: true}, "label": {role: gapText, kind: text.Control},

	"br":  {role: br},
	"img": {role: gap}, "image": {role: gap}, "input": {role: gap}, "embed": {role: gap}, "frame": {role: gap},
	"audio": {role: gapText}, "video": {role: gapText}, "object": {role: gapText}, "applet": {role: gapText}, "canvas": {role: gapText},
	"meter": {role: gapText}, "progress": {role: gapText}, "svg": {role: gapText}, "text": {role: gapText}, "desc": {role: gapText},
	"a": {role: link}, "q": {role: quoted}, "annotation": {role: source}, "annotation-xml": {role: source},
	"rt": {role: annotation}, "rtc": {role: annotation},

	"head": {role: hidden}, "script": {role: hidden}, "style": {role: hidden}, "template": {role: shadow}, "title": {role: hidden},
	"iframe": {role: hidden}, "noembed": {role: hidden},
}

// regions are the roles of ARIA that say where a text stands.
var regions = map[string]text.Kind{
	"navigation": text.Navigation, "menu": text.Navigation, "menubar": text.Navigation, "contentinfo": text.Footer,
	"banner": text.Header, "complementary": text.Aside,
}
