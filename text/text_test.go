package text_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"unicode/utf16"

	"laundromat/text"
)

// An article with all that there is is written as one line, in which nothing controls a terminal.
func TestArticlesAreJSON(t *testing.T) {
	a := &text.Article{
		ID: "k", Source: "s", URL: "u", Created: "2013-04-09T02:26:00Z", CreatedFrom: "feed", Added: "2013-05-01T00:00:00Z",
		Title:       "Ä\x1b[31m\u202e",
		TitleTokens: []text.Token{{Start: 0, End: 2, Text: "Ä"}},
		Text:        "é😀 \"x\"\u2028",
		Blocks: []text.Block{{Span: text.Span{Start: 0, End: 13}, Kind: text.Heading, Level: 2, Bytes: text.Span{Start: 5, End: 20},
			Part: "main", Score: 0.9, Reason: "r"}},
		Tokens:    []text.Token{{Start: 0, End: 2, Text: "é"}, {Start: 2, End: 6, Text: "😀"}},
		Links:     []text.Link{{URL: "t", InTitle: true}, {Span: text.Span{Start: 7, End: 10}, URL: "v"}},
		Quotes:    []text.Quote{{Span: text.Span{Start: 8, End: 9}, Text: "x"}},
		Languages: []text.LanguageSpan{{Span: text.Span{Start: 0, End: 10}, Language: "en", Probability: 0.98}},
		Metadata: text.Metadata{Languages: []text.Language{{Tag: "en", Probability: 0.98}}, Phase: "E", Useful: 0.5, HasUseful: true,
			IsJudged:    true,
			DuplicateOf: &text.Duplicate{ID: "d", Likeness: 1}},
	}
	const head = `{"id":"k","source":"s","url":"u","created":"2013-04-09T02:26:00Z","created_from":"feed","added":"2013-05-01T00:00:00Z","title":"Ä\u001b[31m\u202e",` +
		`"title_tokens":[[0,1,"Ä"]],"text":"é😀 \"x\"\u2028",`
	const tail = `"metadata":{"languages":[["en",0.98]],"phase":"E","useful":0.5,"garbled":false,"duplicate_of":{"id":"d","likeness":1}}}`
	for offsets, want := range map[text.Offsets]string{
		text.CodePoints: `"attributes":{"blocks":[[0,7,"heading",{"level":2,"part":"main","score":0.9,"reason":"r","bytes":[5,20]}]],"tokens":[[0,1,"é"],[1,2,"😀"]],` +
			`"links":[[-1,-1,"t"],[3,6,"v"]],"quotes":[[4,5,"x"]],"languages":[[0,6,"en",0.98]]},`,
		text.UTF16: `"attributes":{"blocks":[[0,8,"heading",{"level":2,"part":"main","score":0.9,"reason":"r","bytes":[5,20]}]],"tokens":[[0,1,"é"],[1,3,"😀"]],` +
			`"links":[[-1,-1,"t"],[4,7,"v"]],"quotes":[[5,6,"x"]],"languages":[[0,7,"en",0.98]]},`,
	} {
		if got := string(a.AppendJSON(nil, offsets)); got != head+want+tail {
			t.Errorf("%s\nwant\n%s", got, head+want+tail)
		}
	}
}

// What is unknown is absent.
func TestAnEmptyArticle(t *testing.T) {
	if got := string((&text.Article{}).AppendJSON([]byte("x"),
		text.CodePoints)); got != `x{"text":"","attributes":{"blocks":[],"links":[],"quotes":[]},"metadata":{}}` {
		t.Error(got)
	}
}

// The reader of the standard library is the judge. It gives back the text, whatever is in it, and offsets count what
// Go and JavaScript count.
func FuzzJSON(f *testing.F) {
	f.Add("a\x00\x1b\u202e\ud7ff\"\\\x7f\u0085", 1, 3)
	f.Add("\xff\xed\xa0\x80é😀", 2, 8)
	f.Fuzz(func(t *testing.T, s string, start, end int) {
		valid := strings.ToValidUTF8(s, "\ufffd")
		start, end = min(max(start, 0), len(s)), min(max(end, 0), len(s))
		a := &text.Article{Text: s, Links: []text.Link{{Span: text.Span{Start: start, End: end}, URL: s}}}
		for _, offsets := range []text.Offsets{text.CodePoints, text.UTF16} {
			line := a.AppendJSON(nil, offsets)
			var got struct {
				Text       string
				Attributes struct{ Links [][3]any }
			}
			if err := json.Unmarshal(line, &got); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if s == valid && got.Text != s || strings.ContainsAny(string(line), "\x1b\n\r\u0085\u2028\u202e") {
				t.Fatalf("%q: %q", s, line)
			}
			if s != valid || !isStart(s, start) || !isStart(s, end) {
				continue
			}
			want := len([]rune(s[:start]))
			if offsets == text.UTF16 {
				want = len(utf16.Encode([]rune(s[:start])))
			}
			if got.Attributes.Links[0][0] != float64(want) {
				t.Fatalf("%q: %d is %v, want %d", s, start, got.Attributes.Links[0][0], want)
			}
		}
	})
}

func isStart(s string, i int) bool { return i == len(s) || s[i]&0xC0 != 0x80 }

// places makes the places of a random text over a random document: copies, references, and what was made.
func places(random *rand.Rand, document int) (p text.Places, length int) {
	for source := 0; ; {
		source += random.Intn(3)
		if random.Intn(3) == 0 {
			length++ // a space that was made
		}
		n, m := 1+random.Intn(4), 0
		if m = n; random.Intn(3) == 0 {
			m = n + 1 + random.Intn(4)
		}
		if source+m > document {
			return p, length
		}
		p = p.Append(text.Run{Text: length, Length: n, Source: source, SourceLength: m})
		length += n
		source += m
	}
}

func TestPlacesRiseWithTheText(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 2000 {
		p, length := places(random, 40)
		before := text.Span{}
		for i := range length {
			s := p.Source(text.Span{Start: i, End: i + 1})
			if s.Start < before.Start || s.End < before.End || s.End < s.Start {
				t.Fatalf("%+v: %d is at %+v, behind %+v", p, i, s, before)
			}
			before = s
		}
		for _, r := range p {
			if got := p.Text(r.Source); got != r.Text && (r.Length == r.SourceLength || got > r.Text) {
				t.Fatalf("%+v: %d is %d", p, r.Source, got)
			}
			if s := p.Source(text.Span{Start: r.Text, End: r.Text + r.Length}); s != (text.Span{Start: r.Source, End: r.Source +
				r.SourceLength}) {
				t.Fatalf("%+v: %+v is at %+v", p, r, s)
			}
		}
	}
}

// Byte for byte, places through others are what the two say one after the other.
func TestPlacesThroughOthers(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	for range 2000 {
		outer, length := places(random, 60)
		inner, n := places(random, length)
		through := inner.Through(outer)
		for i := range n {
			one := text.Span{Start: i, End: i + 1}
			covered := false
			for _, r := range inner {
				covered = covered || r.Text <= i && i < r.Text+r.Length
			}
			if !covered {
				continue
			}
			middle := inner.Source(one)
			want := outer.Source(middle)
			got := through.Source(one)
			if got != want && !isMade(outer, middle) {
				t.Fatalf("%+v through %+v: %d is at %+v, want %+v (%s)", inner, outer, i, got, want, fmt.Sprint(through))
			}
		}
	}
}

// isMade says that nothing of a stretch stands in the document as written.
func isMade(p text.Places, s text.Span) bool {
	for i := s.Start; i < s.End; i++ {
		covered := false
		for _, r := range p {
			covered = covered || r.Text <= i && i < r.Text+r.Length
		}
		if !covered {
			return true
		}
	}
	return false
}
