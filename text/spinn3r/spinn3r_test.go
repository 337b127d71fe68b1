package spinn3r_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/text"
	"laundromat/text/article"
	"laundromat/text/quote"
	"laundromat/text/spinn3r"
	"laundromat/text/token"
)

// told lists notices as code, line, column and message.
type told []string

func (t *told) notice(n fault.Notice) {
	*t = append(*t, fmt.Sprintf("%s %d:%d %s", n.Code, n.Line, n.Column, n.Message))
}

func read(t testing.TB, s string, form spinn3r.Form, notices *told) ([]*spinn3r.Record, spinn3r.Count) {
	t.Helper()
	r := spinn3r.NewReader(strings.NewReader(s), form, notices.notice)
	var records []*spinn3r.Record
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			return records, r.Articles
		}
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, record)
	}
}

// convert reads records of one form and writes them in another.
func convert(t testing.TB, s string, from, to spinn3r.Form, extra bool) (string, told) {
	t.Helper()
	var notices told
	records, _ := read(t, s, from, &notices)
	var out []byte
	for _, r := range records {
		out = r.Append(out, to, spinn3r.Options{Extra: extra, Notice: notices.notice})
	}
	return string(out), notices
}

func sample(t testing.TB, name string) string {
	data, err := os.ReadFile(rdftest.Shared(t, "text", "spinn3r", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestTheSampleIsTheSameInBothForms(t *testing.T) {
	f5, full5 := sample(t, "article.f5"), sample(t, "article.full5")
	for _, c := range []struct {
		name, in, want string
		from, to       spinn3r.Form
	}{
		{"f5", f5, f5, spinn3r.F5, spinn3r.F5},
		{"full5", full5, full5, spinn3r.Full5, spinn3r.Full5},
		{"f5 as full5", f5, full5, spinn3r.F5, spinn3r.Full5},
		{"full5 as f5", full5, f5, spinn3r.Full5, spinn3r.F5},
	} {
		got, notices := convert(t, c.in, c.from, c.to, false)
		if strings.TrimRight(got, "\n") != strings.TrimRight(c.want, "\n") {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
		if len(notices) > 0 {
			t.Errorf("%s: %q", c.name, notices)
		}
		if form, ok := spinn3r.Guess([]byte(c.in)); !ok || form != c.from {
			t.Errorf("%s: taken for %v %v", c.name, form, ok)
		}
	}
}

// TestTheSampleComesOfItsOwnSource makes C, T, the links and the quote of the sample of its F and H.
func TestTheSampleComesOfItsOwnSource(t *testing.T) {
	records, _ := read(t, sample(t, "article.f5"), spinn3r.F5, &told{})
	html := []byte(records[0].Source())
	a, err := article.FromPage(context.Background(), html, article.Options{}, discard{})
	if err != nil {
		t.Fatal(err)
	}
	quote.Complete(a, html, discard{})
	a.Title, _ = records[0].Value('F')
	a.TitleTokens = token.Append(nil, a.Title, token.Options{})
	a.Tokens = token.Append(nil, a.Text, token.Options{})

	var lean []string
	for column := range strings.SplitSeq(sample(t, "article.f5"), "\t") {
		if strings.IndexByte("UDFH", column[0]) >= 0 {
			lean = append(lean, column)
		}
	}
	records, _ = read(t, strings.Join(lean, "\t")+"\n", spinn3r.F5, &told{})
	records[0].Complete(a)
	got := string(records[0].Append(nil, spinn3r.F5, spinn3r.Options{}))
	// The second address of the sample ends in a word that its H does not have.
	want := strings.Replace(sample(t, "article.f5"), "8633649274/with", "8633649274/", 1)
	if strings.TrimRight(got, "\n") != strings.TrimRight(want, "\n") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	content, _ := records[0].Value('C')
	if content != sample(t, "article.C.txt") {
		t.Errorf("C is %q", content)
	}
}

type discard struct{}

func (discard) Notice(fault.Notice) {}

func TestFormsTurnIntoEachOther(t *testing.T) {
	for _, c := range []struct {
		name        string
		f5, full5   string
		extra, back bool // back: full5 makes the same f5 again
	}{
		{"a short article", "U:http://a.example/\tD:2013-04-09T02:26:00Z\tT:A\tF:A\tC:b\tH:<p>b\n",
			"U\thttp://a.example/\nD\t2013-04-09 02:26:00\nT\tA\nF\tA\nC\tb\nH\t<p>b\n\n", false, true},
		{"a date of the other form", "U:u\tD:2013-04-09 02:26:00\n", "U\tu\nD\t2013-04-09 02:26:00\n\n", false, false},
		{"a link of the title", "U:u\tL:::http://b.example/\n", "U\tu\nL\t-1\t-1\thttp://b.example/\n\n", false, true},
		{"a link without length", "U:u\tC:ab cd\tL:3:http://b.example:80/\n", "U\tu\nC\tab cd\nL\t3\thttp://b.example:80/\n\n", false,
			true},
		{"a quote without length that begins with a number", "U:u\tC:he is 4 : b\tQ:6:4 : b\n", "U\tu\nC\the is 4 : b\nQ\t6\t4 : b\n\n",
			false, true},
		{"a quote with length", "U:u\tC:he is 4 : b\tQ:6:5:4 : b\n", "U\tu\nC\the is 4 : b\nQ\t6\t5\t4 : b\n\n", false, true},
		{"newlines in H", "U:u\tH:a*NL*b\n", "U\tu\nH\ta&#10;b\n\n", false, true},
		{"the extra columns", "U:u\tC:c\tI:7\tV:E\tS:en:0.98\tS:de:0.01\tG:false:0.97:\n",
			"I\t7\nV\tE\nS\ten\t0.98\nS\tde\t0.01\nG\tfalse\t0.97\t\nU\tu\nC\tc\n\n", true, true},
		{"an unknown letter", "U:u\tX:x:y\n", "U\tu\nX\tx:y\n\n", false, true},
		{"characters beyond U+FFFF", "U:u\tC:👍 ab\tL:2:2:v\tQ:0:1:👍\n", "U\tu\nC\t👍 ab\nL\t2\t2\tv\nQ\t0\t1\t👍\n\n", false, true},
		{"empty values", "U:\tD:\tT:\n", "U\t\nD\t\nT\t\n\n", false, true},
		{"several articles", "U:a\tC:x\nU:b\tC:y\n", "U\ta\nC\tx\n\nU\tb\nC\ty\n\n", false, true},
	} {
		got, _ := convert(t, c.f5, spinn3r.F5, spinn3r.Full5, c.extra)
		if got != c.full5 {
			t.Errorf("%s: f5 as full5\n got %q\nwant %q", c.name, got, c.full5)
		}
		back, _ := convert(t, c.full5, spinn3r.Full5, spinn3r.F5, c.extra)
		if c.back && back != c.f5 {
			t.Errorf("%s: full5 as f5\n got %q\nwant %q", c.name, back, c.f5)
		}
	}
}

func TestWhatAFormCantHoldIsTold(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		from, to       spinn3r.Form
		told           []string
	}{
		{"tabs and newlines in H", "U\tu\nH\ta&#9;b&#10;&#10;c\n", "U:u\tH:ab*NL*c\n", spinn3r.Full5, spinn3r.F5,
			[]string{"text/format-loss 2:1 f5 can't hold tabs, nor the number of newlines in a row"}},
		{"newlines in the title", "U\tu\nF\ta&#10;b\n", "U:u\tF:a b\n", spinn3r.Full5, spinn3r.F5,
			[]string{"text/format-loss 2:1 f5 can't hold tabs, nor the number of newlines in a row"}},
		{"the extra fields", "I\t7\nS\ten\t1\nU\tu\n", "U:u\n", spinn3r.Full5, spinn3r.F5,
			[]string{"text/format-loss 1:0 f5 without its extra columns does not hold I, S"}},
		{"a column without a letter", "U:u\tstray\n", "U\tu\n\n", spinn3r.F5, spinn3r.Full5,
			[]string{"text/unknown-field 1:5 a field of an unknown letter",
				"text/format-loss 1:5 full5 can't hold a column without a letter"}},
		{"a reference in the text itself", "U:u\tF:a&#10;b\n", "U\tu\nF\ta&#10;b\n\n", spinn3r.F5, spinn3r.Full5,
			[]string{"text/format-loss 1:5 a reference that the text itself holds is read as a tab or newline in full5"}},
		{"a place that is none", "U:u\tL:x:y\n", "U\tu\nL\tx:y\n\n", spinn3r.F5, spinn3r.Full5,
			[]string{"text/bad-offset 1:5 a place that isn't a number", "text/format-loss 1:5 a place that isn't a number stays as it is"}},
	} {
		got, notices := convert(t, c.in, c.from, c.to, false)
		if got != c.want || fmt.Sprint([]string(notices)) != fmt.Sprint(c.told) {
			t.Errorf("%s: got %q\nwant %q\ntold %q\nwant %q", c.name, got, c.want, notices, c.told)
		}
	}
}

func TestDoubtfulAndBrokenLinesAreTold(t *testing.T) {
	for _, c := range []struct {
		name, in string
		form     spinn3r.Form
		kept     string
		count    spinn3r.Count
		told     []string
	}{
		{"a link behind the content", "U:u\tC:ab\tL:1:2:v\n", spinn3r.F5, "U:u\tC:ab\tL:1:2:v\n", spinn3r.Count{Read: 1, Kept: 1},
			[]string{"text/bad-offset 1:10 a place that the content does not have"}},
		{"a place beyond all numbers", "U:u\tC:ab\tL:99999999999999999999:2:v\n", spinn3r.F5, "U:u\tC:ab\tL:99999999999999999999:2:v\n",
			spinn3r.Count{Read: 1, Kept: 1},
			[]string{"text/bad-offset 1:10 a place that isn't a number"}},
		{"a quote that is something else", "U\tu\nC\tab cd\nQ\t0\t2\tcd\n", spinn3r.Full5, "U\tu\nC\tab cd\nQ\t0\t2\tcd\n",
			spinn3r.Count{Read: 1, Kept: 1},
			[]string{"text/bad-offset 3:1 the text of a quote is not what is at its place"}},
		{"a quote of the title", "U\tu\nQ\t-1\t-1\tcd\n", spinn3r.Full5, "U\tu\nQ\t-1\t-1\tcd\n", spinn3r.Count{Read: 1, Kept: 1},
			[]string{"text/bad-offset 2:1 a quote without a place"}},
		{"a date in words", "U:u\tD:April 2013\n", spinn3r.F5, "U:u\tD:April 2013\n", spinn3r.Count{Read: 1, Kept: 1},
			[]string{"text/unknown-field 1:5 a date in neither of the two ways"}},
		{"an unknown letter", "Z:1\tU:u\n", spinn3r.F5, "Z:1\tU:u\n", spinn3r.Count{Read: 1, Kept: 1},
			[]string{"text/unknown-field 1:1 a field of an unknown letter"}},
		{"a broken line of f5", "U:a\nbroken\nU:b\n", spinn3r.F5, "U:a\nU:b\n", spinn3r.Count{Read: 3, Kept: 2, Dropped: 1},
			[]string{"text/broken-line 2:1 a line without a column of a letter and a colon"}},
		{"a broken line of full5", "U\ta\nbroken\nC\tc\n\nU\tb\n", spinn3r.Full5, "U\ta\nC\tc\n\nU\tb\n", spinn3r.Count{Read: 2, Kept: 2},
			[]string{"text/broken-line 2:1 a line without a letter and a tab at its beginning"}},
		{"an article of broken lines", "x\ny\n\nU\tb\n", spinn3r.Full5, "U\tb\n", spinn3r.Count{Read: 2, Kept: 1, Dropped: 1},
			[]string{"text/broken-line 1:1 a line without a letter and a tab at its beginning",
				"text/broken-line 2:1 a line without a letter and a tab at its beginning"}},
		{"line ends of Windows, empty lines, no end", "\r\nU\ta\r\n\r\n\r\nU\tb", spinn3r.Full5, "\r\nU\ta\r\n\r\n\r\nU\tb",
			spinn3r.Count{Read: 2, Kept: 2}, nil},
		{"nothing", "", spinn3r.F5, "", spinn3r.Count{}, nil},
		{"the place of a column beyond ASCII", "U:é👍\tL:q\n", spinn3r.F5, "U:é👍\tL:q\n", spinn3r.Count{Read: 1, Kept: 1},
			[]string{"text/bad-offset 1:6 a place that isn't a number"}},
	} {
		var notices told
		records, count := read(t, c.in, c.form, &notices)
		var out []byte
		for _, r := range records {
			out = r.Append(out, c.form, spinn3r.Options{})
		}
		if string(out) != c.kept || count != c.count || fmt.Sprint([]string(notices)) != fmt.Sprint(c.told) {
			t.Errorf("%s: kept %q\n want %q\ncount %v, want %v\n told %q\n want %q", c.name, out, c.kept, count, c.count, notices, c.told)
		}
	}
}

func TestALineOverTheLimitCostsItself(t *testing.T) {
	for _, form := range []spinn3r.Form{spinn3r.F5, spinn3r.Full5} {
		in := map[spinn3r.Form]string{spinn3r.F5: "U:a\nU:" + strings.Repeat("x", 9999) + "\nU:b\n",
			spinn3r.Full5: "U\ta\n\nH\t" + strings.Repeat("x", 9999) + "\n\nU\tb\n"}[form]
		var notices told
		r := spinn3r.NewReader(strings.NewReader(in), form, notices.notice)
		r.Limit = 1000
		var urls []string
		for record, err := r.Next(); err == nil; record, err = r.Next() {
			u, _ := record.Value('U')
			urls = append(urls, u)
		}
		if fmt.Sprint(urls) != "[a b]" || len(notices) != 1 || r.Articles.Dropped != 1 {
			t.Errorf("%v: %q, told %q, %+v", form, urls, notices, r.Articles)
		}
	}
}

func TestArticlesOfRecords(t *testing.T) {
	records, _ := read(t,
		"I:7\tU:u\tD:2013-04-09 02:26:00\tT:A b\tF:A b\tC:é `` cd '' e\tL:2:2:v\tL:::w\tL:40:1:x\tQ:5:2:cd\tS:en:0.5\tV:E\tG:T:0.9\n",
		spinn3r.F5, &told{})
	a := records[0].Article()
	want := `{"id":"7","url":"u","created":"2013-04-09T02:26:00Z","created_from":"file","title":"A b","text":"é ` + "``" +
		` cd '' e","attributes":{"blocks":[[0,12,"paragraph",{"bytes":[44,57]}]],"tokens":` +
		`[[0,1,"é"],[2,4,"` + "``" + `"],[5,7,"cd"],[8,10,"''"],[11,12,"e"]],"links":[[2,4,"v"],[-1,-1,"w"]],"quotes":[[5,7,"cd"]]},` +
		`"metadata":{"languages":[["en",0.5]],"phase":"E","useful":0.9,"garbled":false}}`
	if got := string(a.AppendJSON(nil, text.CodePoints)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for value, garbled := range map[string]bool{"T": false, "F": true, "true:0.1": true, "false:0.9:": false} {
		records, _ := read(t, "U:u\tG:"+value+"\n", spinn3r.F5, &told{})
		if got, _, known := records[0].Garbled(); got != garbled || !known {
			t.Errorf("G:%s is %v %v", value, got, known)
		}
	}
}

// TestMadeRecordsAreReadAgain makes articles at random and writes them in both forms. Read again they must be the
// same, and every link and quote must stand at the words that it had in the text.
func TestMadeRecordsAreReadAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 26))
	words := []string{"Karamat", "won't", "(b)", "👍", "Corp.", "é", "\"x\"", "...", "5 7/8", "a\tb", "\n\n", "http://a.example/",
		"ship\u00adping", "4"}
	for range 300 {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString(words[r.IntN(len(words))])
			b.WriteString(" ")
		}
		a := &text.Article{URL: "http://a.example/", Created: "2020-01-02T03:04:05Z", Title: "T\tt", Text: b.String()}
		a.Tokens = token.Append(nil, a.Text, token.Options{})
		a.TitleTokens = token.Append(nil, a.Title, token.Options{})
		var want []string
		for range r.IntN(4) {
			if len(a.Tokens) == 0 {
				break
			}
			i := r.IntN(len(a.Tokens))
			j := min(i+r.IntN(4), len(a.Tokens)-1)
			span := text.Span{Start: a.Tokens[i].Start, End: a.Tokens[j].End}
			if i > 0 && a.Tokens[i-1].End > span.Start || j+1 < len(a.Tokens) && a.Tokens[j+1].Start < span.End {
				continue // half an emoji
			}
			a.Links = append(a.Links, text.Link{Span: span, URL: "http://b.example/"})
			a.Quotes = append(a.Quotes, text.Quote{Span: span})
			var in []string
			for _, k := range a.Tokens[i : j+1] {
				in = append(in, k.Text)
			}
			want = append(want, strings.Join(in, " "))
		}
		for _, form := range []spinn3r.Form{spinn3r.F5, spinn3r.Full5} {
			made := spinn3r.FromArticle(a, "<p>h\n", form)
			out := made.Append(nil, form, spinn3r.Options{})
			var notices told
			records, _ := read(t, string(out), form, &notices)
			if len(records) != 1 || len(notices) > 0 {
				t.Fatalf("%q: %d records, told %q", out, len(records), notices)
			}
			back := records[0].Article()
			for i, w := range want {
				l, q := back.Links[i], back.Quotes[i]
				if got := back.Text[l.Start:l.End]; got != w || q.Text != w {
					t.Fatalf("%q: link %q, quote %q, want %q", out, got, q.Text, w)
				}
			}
		}
	}
}

func FuzzRecordsComeOutAsTheyWere(f *testing.F) {
	f.Add("U:u\tC:ab cd\tL:3:2:v\tQ:3:cd\n", false)
	f.Add("\nI\t7\nU\tu\n\n\nU\tv", true)
	f.Add("U\tu\r\nH\ta&#10;b\nL\t-1\t-1\tv\nG\tT\n", true)
	f.Fuzz(func(t *testing.T, s string, full bool) {
		form, other := spinn3r.F5, spinn3r.Full5
		if full {
			form, other = other, form
		}
		dropped := false
		notice := func(n fault.Notice) { dropped = dropped || n.Severity == fault.Drop }
		var out, back []byte
		r := spinn3r.NewReader(iotestOneByte{strings.NewReader(s)}, form, notice)
		n := 0
		for record, err := r.Next(); err == nil; record, err = r.Next() {
			out = record.Append(out, form, spinn3r.Options{})
			back = record.Append(back, other, spinn3r.Options{Extra: true})
			record.Article()
			n++
		}
		if !dropped && n > 0 && string(out) != s {
			t.Fatalf("%q came out as %q", s, out)
		}
		var again told
		records, _ := read(t, string(back), other, &again)
		if len(records) > n || len(records) < n && !bytes.Contains(back, []byte("\n\n")) {
			t.Fatalf("%q: %d records, %d when read again as %v: %q", s, n, len(records), other, back)
		}
	})
}

// iotestOneByte hands out a text in small pieces.
type iotestOneByte struct{ r io.Reader }

func (r iotestOneByte) Read(p []byte) (int, error) { return r.r.Read(p[:min(len(p), 3)]) }
