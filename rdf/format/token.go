package format

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// kind is what a piece of text would be in N-Triples, N-Quads, Turtle or TriG.
type kind uint8

const (
	junk      kind = iota // nothing of these languages
	absolute              // an IRI with a scheme
	relative              // an IRI without
	prefixed              // a prefixed name
	blank                 // a labelled blank node
	lineText              // a literal as N-Triples writes it
	text                  // a literal as only Turtle writes it
	verb                  // a
	directive             // @prefix, @base, PREFIX, BASE, with all that follows but a dot
	graph                 // GRAPH
	dot
	more // ; or ,
	open // [ or (
	shut // ] or )
	brace
	unbrace
	n3       // =>, @forAll and the like
	variable // ?x
	star     // << >> <<( )>>, of RDF 1.2
	note     // ~ {| |}, of RDF 1.2
	version  // VERSION, with its string
)

type token struct {
	kind  kind
	line  int  // from 0
	first bool // the first of its line
	text  []byte
}

func (t token) term() bool {
	return t.kind == absolute || t.kind == relative || t.kind == prefixed || t.kind == blank || t.kind == lineText || t.kind == text
}

func (t token) resource() bool { return t.term() && t.kind != lineText && t.kind != text }

func (t token) predicate() bool {
	return t.kind == absolute || t.kind == relative || t.kind == prefixed || t.kind == verb
}

// maxTokens bounds the work of a guess: tokens of some 30 kB of prose.
const maxTokens = 20000

// fewTokens are those of a small document.
const fewTokens = 128

// lexer cuts text into tokens, forgiving what real documents have wrong.
type lexer struct {
	in   []byte
	at   int
	line int
	last int  // the line of the token before; -1 at the beginning
	cut  bool // the text goes on after in, in the same line

	known lineSpan
}

// lineSpan is where the end of the line was last found: it is that of every place
// from from to end. A long line is not to be looked through for each of its tokens.
type lineSpan struct{ from, end int }

// tokens appends the tokens of in to all, comments left out. If the text is cut in the
// middle of a line, the last token is taken for what it begins as.
func tokens(all []token, in []byte, cut bool) []token {
	x := lexer{in: in, last: -1, cut: cut}
	for len(all) < maxTokens {
		x.space()
		if x.at >= len(x.in) {
			break
		}
		begin, line := x.at, x.line
		k := x.next()
		if x.at == begin { // whatever it is, it must not stop
			x.at++
		}
		all = append(all, token{kind: k, line: line, first: line != x.last, text: x.in[begin:x.at]})
		x.line += bytes.Count(x.in[begin:x.at], []byte("\n"))
		x.last = x.line
	}
	return all
}

// space passes white space and comments.
func (x *lexer) space() {
	for x.at < len(x.in) {
		switch b := x.in[x.at]; {
		case b == '\n' || b == '\r' && (x.at+1 >= len(x.in) || x.in[x.at+1] != '\n'):
			x.line++
			x.at++
		case b == ' ' || b == '\t' || b == '\r' || b == '\f':
			x.at++
		case b == '#':
			x.at += len(x.restOfLine())
		default:
			return
		}
	}
}

// restOfLine is what is left of the line.
func (x *lexer) restOfLine() []byte {
	if x.at < x.known.from || x.at > x.known.end || x.known.end == 0 {
		x.known = lineSpan{x.at, len(x.in)}
		if end := bytes.IndexAny(x.in[x.at:], "\r\n"); end >= 0 {
			x.known.end = x.at + end
		}
	}
	return x.in[x.at:x.known.end]
}

func (x *lexer) next() kind {
	switch b := x.in[x.at]; b {
	case '<':
		return x.iri()
	case '"', '\'':
		return x.literal(b)
	case '.':
		if x.at+1 < len(x.in) && digit(x.in[x.at+1]) {
			return x.word()
		}
		return x.one(dot)
	case ';', ',':
		return x.one(more)
	case '[', '(':
		return x.one(open)
	case ']', ')':
		if bytes.HasPrefix(x.in[x.at:], []byte(")>>")) {
			x.at += 3
			return star
		}
		return x.one(shut)
	case '~':
		return x.one(note)
	case '{':
		if bytes.HasPrefix(x.in[x.at:], []byte("{|")) {
			x.at += 2
			return note
		}
		return x.one(brace)
	case '|':
		if bytes.HasPrefix(x.in[x.at:], []byte("|}")) {
			x.at += 2
			return note
		}
	case '}':
		return x.one(unbrace)
	case '?':
		x.wordEnd()
		return variable
	case '=':
		// A = alone is one of N3 too, but more often one that somebody typed, or a line
		// under a title or between two versions.
		begin := x.at
		x.wordEnd()
		if bytes.HasPrefix(x.in[begin:], []byte("=>")) {
			x.at = begin + 2
			return n3
		}
		return junk
	case '>':
		if bytes.HasPrefix(x.in[x.at:], []byte(">>")) {
			x.at += 2
			return star
		}
	case '@':
		return x.atSign()
	}
	return x.word()
}

func (x *lexer) one(k kind) kind {
	x.at++
	return k
}

func (x *lexer) iri() kind {
	rest := x.restOfLine()
	if bytes.HasPrefix(rest, []byte("<<")) {
		x.at += 2
		if len(rest) > 2 && rest[2] == '(' {
			x.at++
		}
		return star
	}
	if bytes.HasPrefix(rest, []byte("<=")) {
		x.at += 2
		return n3
	}
	end := bytes.IndexAny(rest[1:], "<>\"")
	if end >= 0 && rest[end+1] == '"' && hasScheme(rest[1:]) {
		end = bytes.IndexAny(rest[1:], "<>") // quotation marks in an IRI, which the reader encodes
	}
	if end < 0 && x.goesOn(rest) && hasScheme(rest[1:]) {
		x.at = len(x.in)
		return absolute
	}
	if end < 0 || rest[end+1] != '>' {
		x.wordEnd()
		return junk
	}
	x.at += end + 2
	inside := rest[1 : end+1]
	spaces := bytes.ContainsAny(inside, " \t")
	switch {
	case hasScheme(inside):
		return absolute
	case spaces || bytes.HasPrefix(inside, []byte("/")) && len(inside) > 1 && letter(inside[1]) && !bytes.ContainsAny(inside[1:], "/.#?"):
		// Words in angle brackets, and end tags.
		return junk
	default:
		return relative
	}
}

// goesOn says that rest, the rest of the line, goes on after the text.
func (x *lexer) goesOn(rest []byte) bool { return x.cut && x.at+len(rest) == len(x.in) }

func hasScheme(iri []byte) bool {
	for i, b := range iri {
		switch {
		case letter(b), i > 0 && (digit(b) || b == '+' || b == '-' || b == '.'):
		default:
			return i > 0 && b == ':'
		}
	}
	return false
}

func letter(b byte) bool { return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' }
func digit(b byte) bool  { return '0' <= b && b <= '9' }

func (x *lexer) literal(quote byte) kind {
	k := lineText
	if quote == '\'' {
		k = text
	}
	long := bytes.Repeat([]byte{quote}, 3)
	if bytes.HasPrefix(x.in[x.at:], long) {
		k = text
		end := bytes.Index(x.in[x.at+3:], long)
		if end < 0 {
			x.at = len(x.in)
			return k
		}
		x.at += end + 6
		for x.at < len(x.in) && x.in[x.at] == quote { // quotes right before the end
			x.at++
		}
	} else {
		rest := x.restOfLine()
		end := 1
		for end < len(rest) && rest[end] != quote {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(rest) {
			if !x.goesOn(rest) {
				k = junk
			}
			x.at += len(rest)
			return k
		}
		x.at += end + 1
	}
	switch rest := x.restOfLine(); {
	case bytes.HasPrefix(rest, []byte("@")):
		x.at++
		for x.at < len(x.in) && (letter(x.in[x.at]) || digit(x.in[x.at]) || x.in[x.at] == '-' || x.in[x.at] == '_') {
			x.at++
		}
	case bytes.HasPrefix(rest, []byte("^^")):
		x.at += 2
		switch x.restOfLineKind() {
		case prefixed, relative:
			return text
		}
	}
	return k
}

// restOfLineKind takes the datatype of a literal.
func (x *lexer) restOfLineKind() kind {
	if x.at >= len(x.in) || unicode.IsSpace(rune(x.in[x.at])) {
		return junk
	}
	if x.in[x.at] == '<' {
		return x.iri()
	}
	return x.word()
}

// atSign takes what begins with @.
func (x *lexer) atSign() kind {
	begin := x.at
	x.wordEnd()
	switch string(bytes.ToLower(x.in[begin:x.at])) {
	case "@prefix":
		return x.directive(true)
	case "@base":
		return x.directive(false)
	case "@version":
		x.at += len(x.restOfLine())
		return directive
	case "@forall", "@forsome", "@keywords":
		return n3
	}
	return junk
}

// directive takes the rest of one: a prefix with its colon, if wanted, and an IRI;
// both may be on the next line.
func (x *lexer) directive(prefix bool) kind {
	begin, line := x.at, x.line
	defer func() { x.line = line }() // the caller counts the line ends
	x.space()
	if prefix && x.at < len(x.in) && x.in[x.at] != '<' {
		x.wordEnd()
		if end := bytes.IndexByte(x.in[begin:x.at], '<'); end >= 0 { // no space before the IRI
			x.at = begin + end
		}
		x.space()
	}
	if x.at < len(x.in) && x.in[x.at] == '<' {
		if k := x.iri(); k == absolute || k == relative {
			return directive
		}
	}
	return junk
}

// wordEnd goes to the end of a word: to white space or to what no name holds.
func (x *lexer) wordEnd() {
	x.at++
	for x.at < len(x.in) && !bytes.ContainsRune([]byte(" \t\r\n\f<>\"{}[]();,"), rune(x.in[x.at])) {
		x.at++
	}
}

// takeWord takes a word, as far as a name, a number or a word of the language may go.
func (x *lexer) takeWord() []byte {
	begin := x.at
	for x.at < len(x.in) {
		b := x.in[x.at]
		if b == '\\' && x.at+1 < len(x.in) { // an escape in a local name
			x.at += 2
			continue
		}
		if b == ' ' || b == '\t' || b == '\r' || b == '\n' || b == '\f' || bytes.IndexByte([]byte(`<>"'{}[]();,`), b) >= 0 {
			break
		}
		x.at++
	}
	word := x.in[begin:x.at]
	// A dot at the end belongs to the statement.
	for len(word) > 1 && word[len(word)-1] == '.' && (len(word) < 2 || word[len(word)-2] != '\\') {
		word = word[:len(word)-1]
	}
	x.at = begin + len(word)
	return word
}

// word takes a word and what belongs to it, as the IRI of a directive.
func (x *lexer) word() kind {
	word := x.takeWord()
	switch {
	case len(word) == 0:
		return junk
	case string(word) == "a":
		return verb
	case string(word) == "true" || string(word) == "false" || number(word):
		return text
	case bytes.HasPrefix(word, []byte("_:")):
		return blank
	case bytes.EqualFold(word, []byte("graph")):
		return graph
	case bytes.EqualFold(word, []byte("prefix")):
		if end := bytes.IndexByte(x.restOfLine(), ':'); end >= 0 {
			return x.directive(true)
		}
		return junk
	case bytes.EqualFold(word, []byte("base")):
		if bytes.HasPrefix(bytes.TrimLeft(x.in[x.at:], " \t\r\n"), []byte("<")) {
			return x.directive(false)
		}
		return junk
	case bytes.EqualFold(word, []byte("version")):
		if rest := bytes.TrimLeft(x.restOfLine(), " \t"); len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'') {
			x.at += len(x.restOfLine()) - len(rest)
			x.literal(rest[0])
			return version
		}
		return junk
	case prefixedName(word):
		return prefixed
	}
	return junk
}

func number(word []byte) bool {
	digits := 0
	for i, b := range word {
		switch {
		case digit(b):
			digits++
		case (b == '+' || b == '-') && (i == 0 || word[i-1] == 'e' || word[i-1] == 'E'):
		case b == '.', (b == 'e' || b == 'E') && digits > 0:
		default:
			return false
		}
	}
	return digits > 0
}

// prefixedName is more lenient than Turtle within names, but not with slashes, so
// that a bare address is none.
func prefixedName(word []byte) bool {
	colon := bytes.IndexByte(word, ':')
	if colon < 0 {
		return false
	}
	for i := 0; i < len(word); {
		r, size := utf8.DecodeRune(word[i:])
		switch {
		case r == ':', r == '_', r == '-', r == '.', r == '·', unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.Mn, r),
			r == utf8.RuneError:
		case i > colon && r == '%', r > 0x7F && !unicode.IsSpace(r) && !unicode.IsPunct(r):
		case i > colon && r == '\\':
			size = min(2, len(word)-i)
		default:
			return false
		}
		i += size
	}
	return colon == 0 || letter(word[0]) || word[0] >= 0x80 || word[0] == '_'
}
