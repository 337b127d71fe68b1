package spinn3r

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"laundromat/text"
)

// Language is a language with its probability, as S has them.
type Language struct{ Tag, Probability string }

// Languages are those of S.
func (r *Record) Languages() (out []Language) {
	for i := range r.Fields {
		if r.Fields[i].Letter == 'S' {
			tag, p, _ := strings.Cut(r.Fields[i].Value, string(r.Form.separator()))
			out = append(out, Language{tag, strings.TrimRight(p, "\t:")})
		}
	}
	return out
}

// Garbled says whether the text is garbled, and the share of useful characters as it is written; known says whether
// anything is said of it. Older files have T for a share above 0.8, and F: T is good.
func (r *Record) Garbled() (garbled bool, share string, known bool) {
	value, ok := r.Value('G')
	if !ok {
		return false, "", false
	}
	word, share, _ := strings.Cut(value, string(r.Form.separator()))
	share = strings.TrimRight(share, "\t:")
	switch word {
	case "true", "F":
		return true, share, true
	case "false", "T":
		return false, share, true
	}
	return false, share, false
}

// Source is H with its newlines, as far as the form knows of them: the page that C is made of.
func (r *Record) Source() string {
	h, _ := r.Value('H')
	if r.Form == F5 {
		h = strings.ReplaceAll(h, newline, "\n")
	}
	return h
}

// Article is a record as an article: its text is C, in tokens as they stand there. Links and quotes whose places C
// does not have are left out; the reader has told them.
func (r *Record) Article() *text.Article {
	a := &text.Article{}
	a.ID, _ = r.Value('I')
	a.URL, _ = r.Value('U')
	if d, ok := r.Value('D'); ok {
		if t, ok := Date(d); ok {
			a.Created, a.CreatedFrom = t.Format(f5Date), "file"
		}
	}
	a.Title, _ = r.Value('F')
	if a.Title == "" {
		a.Title, _ = r.Value('T')
		a.TitleTokens = split(a.Title)
	}
	a.Text, _ = r.Value('C')
	a.Tokens = split(a.Text)
	r.block(a)
	content := newIndex(a.Text)
	for i := range r.Fields {
		f := &r.Fields[i]
		if f.Letter != 'L' && f.Letter != 'Q' {
			continue
		}
		p, rest, ok := place(f.Value, r.Form.separator(), content)
		if !ok {
			continue
		}
		rest = r.plain(rest)
		if f.Letter == 'L' && p.Start < 0 {
			a.Links = append(a.Links, text.Link{URL: rest, InTitle: true})
			continue
		}
		if p.Length < 0 && f.Letter == 'Q' {
			p.Length = utf8.RuneCountInString(rest)
		}
		from, to, ok := content.span(Place{p.Start, max(p.Length, 0)})
		if !ok {
			continue
		}
		span := text.Span{Start: from, End: to}
		if f.Letter == 'L' {
			a.Links = append(a.Links, text.Link{Span: span, URL: rest})
		} else {
			a.Quotes = append(a.Quotes, text.Quote{Span: span, Text: rest})
		}
	}
	for _, l := range r.Languages() {
		if p, err := strconv.ParseFloat(l.Probability, 64); err == nil {
			a.Metadata.Languages = append(a.Metadata.Languages, text.Language{Tag: l.Tag, Probability: p})
		}
	}
	a.Metadata.Phase, _ = r.Value('V')
	garbled, share, known := r.Garbled()
	a.Metadata.Garbled, a.Metadata.IsJudged = garbled, known
	if useful, err := strconv.ParseFloat(share, 64); err == nil {
		a.Metadata.Useful, a.Metadata.HasUseful = useful, true
	}
	return a
}

// block makes one block of C, since nothing says more of it.
func (r *Record) block(a *text.Article) {
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Letter == 'C' && a.Text != "" {
			all := text.Span{Start: 0, End: len(a.Text)}
			a.Places = text.Places{{Text: 0, Length: len(a.Text), Source: int(f.pos.Offset) + len("C:"), SourceLength: len(f.Value)}}
			a.Blocks = []text.Block{{Span: all, Kind: text.Paragraph, Bytes: a.Places.Source(all)}}
			return
		}
	}
}

// split makes tokens of a text in which spaces stand between them.
func split(s string) (out []text.Token) {
	start := 0
	for i := 0; i <= len(s); i++ {
		if i == len(s) || s[i] == ' ' {
			if i > start {
				out = append(out, text.Token{Start: start, End: i, Text: s[start:i]})
			}
			start = i + 1
		}
	}
	return out
}

// Complete adds the fields that a record lacks and an article has: T, C, L and Q. Without C, links and quotes that
// are there have no meaning, so they are left as they are and none are added.
func (r *Record) Complete(a *text.Article) {
	hadContent := r.Has('C')
	if !r.Has('T') && len(a.TitleTokens) > 0 {
		r.Add('T', joined(a.TitleTokens))
	}
	if hadContent {
		return
	}
	l := layout(a.Tokens)
	r.Add('C', l.content)
	index := newIndex(l.content)
	if !r.Has('L') {
		for _, link := range a.Links {
			p := Place{-1, -1}
			if !link.InTitle {
				p = l.place(link.Start, link.End)
			}
			r.addPlaced('L', p, link.URL)
		}
	}
	if !r.Has('Q') {
		for _, q := range a.Quotes {
			p := l.place(q.Start, q.End)
			r.addPlaced('Q', p, index.cut(p))
		}
	}
	r.sort()
}

// FromArticle makes a record of an article. Source is H, the content as it was.
func FromArticle(a *text.Article, source string, form Form) *Record {
	r := &Record{Form: form, made: true}
	if a.ID != "" {
		r.Add('I', a.ID)
	}
	if a.Metadata.Phase != "" {
		r.Add('V', a.Metadata.Phase)
	}
	r.AddLanguages(a)
	r.Add('U', a.URL)
	r.addRaw('D', date(a.Created, form))
	title := a.TitleSource
	if title == "" {
		title = a.Title
	}
	r.Add('F', title)
	r.Add('H', source)
	r.Complete(a)
	return r
}

// AddLanguages adds the languages of an article, and the share of its useful characters, where the record has none.
func (r *Record) AddLanguages(a *text.Article) {
	s := string(r.Form.separator())
	if !r.Has('S') {
		for _, l := range a.Metadata.Languages {
			r.addRaw('S', l.Tag+s+strconv.FormatFloat(l.Probability, 'g', -1, 64))
		}
	}
	if !r.Has('G') && a.Metadata.IsJudged {
		g := strconv.FormatBool(a.Metadata.Garbled)
		if a.Metadata.HasUseful {
			g += s + strconv.FormatFloat(a.Metadata.Useful, 'g', -1, 64)
		}
		if r.Form == Full5 {
			g += s
		}
		r.addRaw('G', g)
	}
}

// addRaw appends a field whose value is written as the form has it.
func (r *Record) addRaw(letter byte, value string) {
	r.Fields = append(r.Fields, Field{Letter: letter, Value: value})
	r.raw = nil
}

// addPlaced appends a link or a quote.
func (r *Record) addPlaced(letter byte, p Place, value string) {
	w := writer{record: r, form: r.Form}
	r.addRaw(letter, w.place(p)+written(value, letter, r.Form))
}

// sort puts the fields into the order of their form; those of unknown letters stay behind.
func (r *Record) sort() {
	order := letters
	if r.Form == F5 {
		order = "UDTFCHLQIVSG"
	}
	var sorted []Field
	for _, letter := range []byte(order) {
		for _, f := range r.Fields {
			if f.Letter == letter {
				sorted = append(sorted, f)
			}
		}
	}
	for _, f := range r.Fields {
		if f.Letter == 0 || strings.IndexByte(order, f.Letter) < 0 {
			sorted = append(sorted, f)
		}
	}
	r.Fields = sorted
}

// plan is the content in tokens, and where each token stands in it.
type plan struct {
	content string
	tokens  []text.Token
	starts  []int // in code points
	length  int
}

// layout writes tokens with spaces between them.
func layout(tokens []text.Token) plan {
	l := plan{tokens: tokens, starts: make([]int, len(tokens))}
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 {
			b.WriteByte(' ')
			l.length++
		}
		l.starts[i] = l.length
		s := toSpaces.Replace(t.Text)
		b.WriteString(s)
		l.length += utf8.RuneCountInString(s)
	}
	l.content = b.String()
	return l
}

func joined(tokens []text.Token) string { return layout(tokens).content }

// place is where a stretch of the text stands in the content: from its first token to its last. An empty one, and one
// without tokens, stands at the next token.
func (l *plan) place(start, end int) Place {
	first := sort.Search(len(l.tokens), func(i int) bool { return l.tokens[i].End > start })
	if start >= end && first < len(l.tokens) && l.tokens[first].Start < start {
		first++ // it stands within a token
	}
	if first == len(l.tokens) {
		return Place{l.length, 0}
	}
	last := first
	for last < len(l.tokens) && l.tokens[last].Start < end {
		last++
	}
	if last == first {
		return Place{l.starts[first], 0}
	}
	return Place{l.starts[first], l.starts[last-1] + utf8.RuneCountInString(l.tokens[last-1].Text) - l.starts[first]}
}
