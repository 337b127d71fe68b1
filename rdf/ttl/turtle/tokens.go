package turtle

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/repair"
)

// The bounds of what is looked at ahead.
const (
	nearAhead = 40               // tokens, where they show enough
	maxAhead  = 140              // tokens
	maxBytes  = lex.FarthestBack // behind the fault, and before it
)

// gather collects the tokens of a problem, up to so many behind the fault, and what is open before them. They begin at
// the last place where nothing was held back. Where that has left the window, false is returned, and they begin at the
// current token.
func (r *Reader) gather(p *repair.Problem, ahead int) (back bool) {
	p.Tokens, p.Open = p.Tokens[:0], p.Open[:0]
	fault := r.Tok.From
	m := r.Mark()
	from := &r.from
	state, depth := from.at, from.depth
	if back = r.Tok.To-from.before.Offset <= min(2*int64(r.MaxToken), lex.FarthestBack) && from.before.Offset <= fault; back {
		r.Keep = from.before.Offset
		r.Seek(from.before, from.before.Offset)
		r.Next()
	} else {
		state, depth = r.at, r.depth
	}
	p.State = state
	p.Left = r.graph.leftAt >= 0 && depth == 0 && !state.InGraph && from.before.Offset == r.graph.leftAt+1
	for i := range r.stack[:depth] {
		p.Open = append(p.Open, repair.Open{Frame: r.stack[i].kind, Role: r.stack[i].role})
	}
	r.habits.inside = r.habits.place(state.InGraph)
	p.Fault = -1
	for {
		n := len(p.Tokens)
		t := r.token(n == 0 && state.Expect == grammar.Tag || n > 0 && p.Tokens[n-1].Kind == lex.String)
		if p.Fault < 0 && t.To > fault || t.Kind == lex.EndOfText && p.Fault < 0 {
			p.Fault = len(p.Tokens)
		}
		p.Tokens = append(p.Tokens, t)
		if r.isEnough(p, &t, fault, ahead) {
			break
		}
		r.Next()
	}
	r.judge(p)
	r.Reset(m)
	return back
}

// judge weighs the tokens of a problem by what stands around them.
func (r *Reader) judge(p *repair.Problem) {
	if r.Rules.Holds(repair.TextBehind) {
		r.habits.learnAhead(p.Tokens[max(p.Fault, 0):], p.State.InGraph)
	}
	for i := range p.Tokens {
		if t := &p.Tokens[i]; t.Word.Hash != 0 {
			t.AsVerb, t.AsSubject = r.habits.asVerb(t.Word.Hash, t.Word.Space)
		}
	}
	p.Brace = lex.Stopped
	if p.Graphs || r.Tok.Kind == lex.OpenGraph {
		for n := len(p.Tokens); n < p.Fault+maxAhead && r.Tok.Kind != lex.OpenGraph && r.Tok.Kind != lex.CloseGraph && !r.Beyond(); n++ {
			r.Next() // by the text alone, it could be in a comment
		}
		p.Brace = r.nextBrace(false)
	}
	judgeTexts(p.Tokens)
	if r.Rules.Holds(repair.TagOfHTML) {
		judgeTags(p.Tokens)
	}
	if r.Rules.Holds(repair.Quotation) {
		joinQuotations(p)
	}
	if r.Rules.Holds(repair.TornText) {
		tear(p.Tokens, p.Fault)
	}
	if r.Rules.Holds(repair.LongText) {
		tearLong(p.Tokens)
	}
}

// isEnough says that no token behind t, the last one, is looked at. Far ahead, the last line is whole if it is short.
func (r *Reader) isEnough(p *repair.Problem, t *repair.Token, fault int64, ahead int) bool {
	if t.Column == 0 && ahead == maxAhead {
		ahead += nearAhead
	}
	return t.Kind == lex.EndOfText || t.Kind == lex.Stopped || r.Beyond() ||
		p.Fault >= 0 && (len(p.Tokens)-p.Fault > ahead || t.From-fault > maxBytes)
}

// judgeTexts judges texts in three quotes without a beginning: what may be lost with them.
func judgeTexts(tokens []repair.Token) {
	for i := 1; i < len(tokens); i++ {
		switch t, before := &tokens[i], &tokens[i-1]; {
		case t.Kind != lex.Unclosed || !t.Long:
		case before.Long: // which may end where another begins
			t.Brackets = t.Brackets || before.Brackets
		case t.Column > 0: // the line is lost, or its end, on which the text begins
			t.Brackets = true
		}
	}
}

// token is the current token, with what speaks against it. A name with signs right behind it that must be escaped is
// one broken term. A language may have the name of a directive.
func (r *Reader) token(behindText bool) repair.Token {
	t := repair.Token{Kind: r.Tok.Kind, Code: r.Tok.Code, From: r.Tok.From, To: r.Tok.To, Line: r.Tok.Pos.Line, Column: r.column(),
		Long: r.Tok.Quote == 3, Glued: r.Tok.From == r.Ended.Offset && r.Tok.From > 0}
	switch k := r.Tok.Kind; k {
	case lex.Name, lex.IRI:
		t.Word = repair.Word{Hash: r.hashToken(), Space: r.hashSpace()}
		text := r.Bytes(&r.Tok)
		if k == lex.Name && r.NamespaceOf(text[:r.Tok.Colon]) == nil && r.Rules.Holds(repair.UnknownPrefix) {
			t.AsTerm = repair.Strange / 2
		}
	case lex.Prefix, lex.Base, lex.Version:
		if t.Glued && behindText {
			t.Kind = lex.Language // of that name
		}
	case lex.String:
		t.Brackets, t.Braces = holdsBrackets(r.Bytes(&r.Tok))
	case lex.Unclosed:
		text := r.Bytes(&r.Tok)
		if r.Tok.Code != fault.SyntaxUnclosedIRI {
			t.Signs = signsAtEnd(text)
			t.Brackets, t.Braces = holdsBrackets(text)
		} else if i := bytes.IndexAny(text, ";,)]"); i > 1 { // what follows may be in it
			t.Kind, t.To = lex.Broken, t.From+int64(i)
			r.Seek(r.Tok.Pos, t.To)
		}
	case lex.Broken:
		if t.Code != fault.SyntaxWord {
			break
		}
		if end := r.endOfText(); end > 0 {
			t.Kind, t.To, t.Long = lex.Unclosed, end, true
			t.Brackets, t.Braces = holdsBrackets(r.Buf[t.From-r.Base : end-r.Base])
			r.Seek(r.Tok.Pos, end)
			return t
		}
	}
	if end := r.endOfBroken(); end > t.To {
		t.Kind, t.Code, t.To = lex.Broken, fault.SyntaxName, end
		r.Seek(r.Tok.Pos, end)
	}
	if end := r.endOfScrap(t.Kind, t.Code); end > t.To {
		t.Kind, t.Code, t.To = lex.Broken, fault.SyntaxWord, end
		r.Seek(r.Tok.Pos, end)
	}
	t.Noted = r.peek(t.To) == '#' && t.To > t.From
	t.Looks = r.lookOf(&t)
	return t
}

// lookOf is what a token looks like.
func (r *Reader) lookOf(t *repair.Token) repair.Look {
	text := r.Buf[t.From-r.Base : t.To-r.Base]
	switch {
	case t.Kind == lex.IRI && text[0] == '<' && looksLikeTag(text):
		return repair.LikeTag
	case isNaming(text):
		return repair.LikeNaming
	case t.Kind != lex.Symbol && t.Kind != lex.Broken:
	case bytes.HasPrefix(text, []byte("//")), bytes.HasPrefix(text, []byte("/*")), bytes.HasPrefix(text, []byte("--")):
		return repair.LikeComment
	case t.Glued && string(text) == "^" && (r.peek(t.To) == '<' || lex.Class[r.peek(t.To)]&lex.Letter != 0):
		return repair.LikeCarets
	}
	return 0
}

// isNaming says that text is what stood between the name of a graph and its { in TriG of 2007.
func isNaming(text []byte) bool {
	return string(text) == "=" || string(text) == "==" || string(text) == ":-"
}

// namesGraph says that one = or two are at an offset, and a { behind them.
func (r *Reader) namesGraph(at int64) bool {
	if r.peek(at+1) == '=' {
		at++
	}
	return r.startsGraph(at + 1)
}

// startsGraph says that the next sign behind an offset is a {.
func (r *Reader) startsGraph(at int64) bool {
	for end := at + maxDivider; at < end && lex.Class[r.peek(at)]&lex.White != 0; at++ {
	}
	return r.peek(at) == '{' && r.peek(at+1) != '|'
}

// endOfScrap is where words, numbers and signs that stand together without a space end, the current token being the
// first: N/A, 12/31/2020, ann@example.org. They were meant as one term. It is 0 if the current token is alone.
func (r *Reader) endOfScrap(k lex.Kind, code fault.Code) int64 {
	const longest = 256
	from := r.Tok.To
	isWord := k == lex.Broken && (code == fault.SyntaxWord || code == fault.SyntaxNumber)
	if !isWord && (k != lex.Symbol || r.peek(r.Tok.From) == '^' || !r.isScrap(from)) && (k != lex.Integer && k != lex.Decimal ||
		r.peek(from) != '/' && r.peek(from) != ':') {
		return 0
	}
	to := from
	for to-from < longest && r.isScrap(to) {
		to++
	}
	for to > from && r.peek(to-1) == '.' {
		to--
	}
	return to
}

// isUnseen says that a mark or space that can't be seen is at an offset.
func (r *Reader) isUnseen(at int64) bool {
	if r.peek(at) < 0xC2 {
		return false
	}
	r.peek(at + 2) // so that it is in the window
	return lex.Unseen(r.Buf[at-r.Base:]) > 0
}

// isScrap says that a byte that may be of a word is at an offset.
func (r *Reader) isScrap(at int64) bool {
	c := r.peek(at)
	return c > ' ' && !r.isUnseen(at) && bytes.IndexByte([]byte(";,[](){}<>\"'#|~`"), c) < 0
}

// endOfBroken is where the name that is the current token ends, if signs are right behind it that must be escaped in
// one; else 0.
func (r *Reader) endOfBroken() int64 {
	if k := r.Tok.Kind; k != lex.Name && !(k == lex.Broken && r.Tok.Code == fault.SyntaxName) {
		return 0
	}
	const longest = 256
	from := r.Tok.To
	to := from
	switch c := r.peek(from); {
	case c == '~' && r.isReifier(from+1), c == '=' && r.namesGraph(from), r.isUnseen(from):
		return 0
	case c == '(':
		for to++; lex.Class[r.peek(to)]&lex.NameInside != 0; to++ {
		}
		if r.peek(to) != ')' || lex.Class[r.peek(from+1)]&lex.Letter == 0 {
			return 0
		}
	case c < 0x80 && bytes.IndexByte([]byte("@/&?!$'*+=%|^`\\~"), c) < 0 || c == '^' && r.peek(from+1) == '^' || c == '@' &&
		lex.Class[r.peek(from+1)]&lex.Letter == 0:
		return 0
	}
	for ; to-from < longest; to++ {
		if c := r.peek(to); c <= ' ' || r.isUnseen(to) || bytes.IndexByte([]byte(";,[]{}<>\"#"), c) >= 0 {
			if c == '>' && bytes.Contains(r.Buf[r.Tok.From-r.Base:to-r.Base], []byte("://")) {
				return to + 1 // an IRI without its <
			}
			break
		}
	}
	for r.peek(to-1) == '.' {
		to--
	}
	return to
}

// maxText is how many bytes of a text without its beginning are looked at for its end.
const maxText = 16 << 10

// endOfText is where a text in three quotes ends, with its tag. The current token is a word of it, and its beginning is
// lost; else it is 0. Behind such quotes is what may follow an object.
func (r *Reader) endOfText() int64 {
	q := &r.quotes
	if r.Tok.To < q.from || r.Tok.To > q.to {
		*q = quoteless{r.Tok.To, r.Tok.To}
	}
	r.fill(r.Tok.To + maxText)
	end := max(q.to, min(r.Tok.To+maxText, r.Base+int64(len(r.Buf))))
	text := r.Buf[q.to-r.Base : end-r.Base]
	at := bytes.Index(text, []byte(`"""`))
	if other := bytes.Index(text[:max(at, 0)], []byte("'''")); other >= 0 {
		at = other
	} else if at < 0 {
		at = bytes.Index(text, []byte("'''"))
	}
	if at < 0 {
		q.to = max(q.to, q.to+int64(len(text))-2)
		return 0
	}
	text = text[at+3:]
	tag := tagLength(text)
	rest := bytes.TrimLeft(text[tag:], " \t")
	if len(rest) == 0 || bytes.IndexByte([]byte(";,.])}"), rest[0]) < 0 {
		return 0
	}
	return q.to + int64(at+3+tag)
}

// quoteless is a piece of the text in which no three quotation marks begin, by offsets.
type quoteless struct{ from, to int64 }

// fill makes the window hold the text from the current token up to an offset, or its end.
func (r *Reader) fill(to int64) {
	keep := r.Keep
	if keep < 0 || keep > r.Tok.From {
		r.Keep = r.Tok.From
	}
	for r.Base+int64(len(r.Buf)) < to && r.Refill() {
	}
	r.Keep = keep
}

// tagLength is how long the language or datatype is that text begins with.
func tagLength(text []byte) int {
	switch {
	case len(text) > 1 && text[0] == '@' && lex.Class[text[1]]&lex.Letter != 0:
		return 1 + lex.WordEnd(text[1:])
	case len(text) > 3 && text[0] == '^' && text[1] == '^' && text[2] == '<':
		if end := bytes.IndexAny(text, "> \t\r\n\""); end > 0 && text[end] == '>' {
			return end + 1
		}
	case len(text) > 3 && text[0] == '^' && text[1] == '^':
		if end, colon, _ := lex.PlainWord(text[2:], 0); colon > 0 {
			return 2 + end
		}
	}
	return 0
}

// isReifier says that what is at an offset, behind a ~, looks like an IRI, a name with a prefix, or a label.
func (r *Reader) isReifier(at int64) bool {
	if r.peek(at) == '<' {
		return true
	}
	for lex.Class[r.peek(at)]&lex.NameInside != 0 {
		at++
	}
	return r.peek(at) == ':'
}

// peek is the byte at an offset behind the current token, 0 if the text ends before it.
func (r *Reader) peek(offset int64) byte {
	if offset-r.Base >= int64(len(r.Buf)) {
		r.fill(offset + 1)
	}
	if i := offset - r.Base; i >= 0 && i < int64(len(r.Buf)) {
		return r.Buf[i]
	}
	return 0
}

// looksLikeTag says that the text of an IRI is that of a tag of HTML.
func looksLikeTag(text []byte) bool {
	text = text[1 : len(text)-1]
	if len(text) == 0 || bytes.IndexByte(text, ':') >= 0 {
		return false
	}
	if text[0] == '!' || text[0] == '/' && len(text) < 12 && !bytes.ContainsAny(text[1:], "/#.") {
		return true
	}
	name, _, more := bytes.Cut(text, []byte(" "))
	return more || tags[string(bytes.ToLower(name))]
}

var tags = map[string]bool{"html": true, "head": true, "body": true, "title": true, "br": true, "hr": true, "center": true, "div": true,
	"span": true, "table": true, "h1": true, "p": true, "a": true, "b": true, "tr": true, "td": true, "h2": true, "ul": true, "li": true,
	"pre": true}

// holdsBrackets says that brackets, or the end of a statement, and braces may be in the text of a string that is none.
func holdsBrackets(text []byte) (brackets, braces bool) {
	return bytes.ContainsAny(text, "[]") || endsWithin(text), bytes.ContainsAny(text, "{}")
}

// endsWithin says that a statement may end within the text of a string without an end, and another begin.
func endsWithin(text []byte) bool {
	for i := 1; i+1 < len(text); i++ {
		if next := text[i+1]; text[i] == '.' && (next == ' ' && i+2 < len(text) || next == '<' || next == '_' ||
			lex.Class[next]&lex.Letter != 0) && bytes.IndexByte(text[i+1:], ':') > 0 {
			return true
		}
	}
	return false
}

// judgeTags judges what looks like tags of HTML: they are such where nothing on their line is of the format.
func judgeTags(tokens []repair.Token) {
	for i := 0; i < len(tokens); {
		end, tags, others, junk := i, 0, 0, false
		for ; end < len(tokens) && tokens[end].Line == tokens[i].Line; end++ {
			switch t := &tokens[end]; {
			case t.Looks == repair.LikeTag:
				tags++
			case isWord(t), t.Kind == lex.Unclosed:
				junk = true
			default:
				others++
			}
		}
		last := tokens[end-1].Kind
		// Lines of the format end so.
		ends := last == lex.Dot || last == lex.CloseGraph || last == lex.Semicolon || last == lex.Comma
		ends = ends || isTriple(tokens[i:end]) && isTriple(tokens[end:]) && len(tokens) > end+3 && tokens[end+3].Kind == lex.Dot
		for ; i < end; i++ {
			if tokens[i].Looks == repair.LikeTag && (junk || others == 0 || tags > 1 && !ends) {
				tokens[i].AsTerm = repair.Tagged
			}
		}
	}
}

// isTriple says that a line begins with three IRIs, and that its dot may be behind them.
func isTriple(tokens []repair.Token) bool {
	for i := range tokens[:min(len(tokens), 3)] {
		if tokens[i].Kind != lex.IRI || tokens[i].Line != tokens[0].Line {
			return false
		}
	}
	return len(tokens) == 3 || len(tokens) > 3 && (tokens[3].Kind == lex.Dot || tokens[3].Line != tokens[0].Line)
}

// signs are those with which a line may end.
var signs = map[byte]lex.Kind{'.': lex.Dot, ',': lex.Comma, ';': lex.Semicolon, ']': lex.CloseProperties, ')': lex.CloseList,
	'}': lex.CloseGraph}

// signsAtEnd are the signs at the end of the line of a string without an end.
func signsAtEnd(text []byte) (found []lex.Kind) {
	if i := bytes.LastIndex(text, []byte(" #")); i > 0 && bytes.IndexByte(text[i:], '"') < 0 {
		text = text[:i]
	}
	for end := len(text) - 1; end > 0 && len(found) < 4; end-- {
		if k, is := signs[text[end]]; is {
			found = append([]lex.Kind{k}, found...)
		} else if text[end] > ' ' {
			break
		}
	}
	return found
}

// tear marks the tokens that may be pieces of a string whose end is not known. That is so if a string without an
// end is on the line of the fault, or one with a word right at it. They go from the fault to the end of the line.
func tear(tokens []repair.Token, at int) {
	if at < 0 || at >= len(tokens) {
		return
	}
	line := tokens[at].Line
	first := at
	for first > 0 && tokens[first-1].Line == line && (tokens[first-1].Kind == lex.String || tokens[first-1].Kind == lex.Broken) {
		first--
	}
	torn := false
	for i := first; i < len(tokens) && tokens[i].Line == line; i++ {
		t := &tokens[i]
		if t.Kind == lex.Unclosed || t.Glued && i > 0 && (isWord(t) && tokens[i-1].Kind == lex.String || t.Kind == lex.String &&
			isWord(&tokens[i-1])) {
			torn = true
		}
	}
	for i := first; torn && i < len(tokens) && tokens[i].Line == line; i++ {
		if k := tokens[i].Kind; k.IsTerm() || k.Opens() {
			tokens[i].Torn = true
		}
	}
}

// tearLong finds the text of strings in three quotes without an end. It goes up to the last word that is none of the
// format, before other such quotes, or a line without such a word.
func tearLong(tokens []repair.Token) {
	for i := range tokens {
		if tokens[i].Kind != lex.Unclosed || !tokens[i].Long {
			continue
		}
		last, line := 0, tokens[i].Line
		for j := i + 1; j < len(tokens) && !tokens[j].Long && tokens[j].Line <= line+1; j++ {
			if isWord(&tokens[j]) {
				last, line = j, tokens[j].Line
			}
		}
		for last > 0 && last < len(tokens) && !tokens[last].Long && tokens[last].Kind.IsTerm() {
			last++
		}
		tokens[i].TextEnd = last
	}
}

func isWord(t *repair.Token) bool {
	return t.Kind == lex.Broken && t.Code == fault.SyntaxWord
}
