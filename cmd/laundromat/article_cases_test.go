//go:build !race

package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/rdftest"
)

// articleCase is what is right of a page, feed or text that somebody met with another program.
type articleCase struct {
	Runs []struct {
		Args          []string
		File, In, Hex string
		Ext           string
		Checks        []articleCheck
	}
}

// articleCheck is what articles are held against. What is absent isn't looked at.
type articleCheck struct {
	Name     string      `json:"n"`
	Index    int         `json:"i"`
	Text     *string     `json:"text"`
	Title    *string     `json:"title"`
	URL      *string     `json:"url"`
	Created  []any       `json:"created_i"`
	Links    [][]*string `json:"links"`
	Has      []string    `json:"has"`
	Lacks    []string    `json:"lacks"`
	NotAll   []string    `json:"not_all"`
	Order    []string    `json:"order"`
	Marked   []string    `json:"marked"`
	Titles   []string    `json:"titles"`
	URLs     []string    `json:"urls"`
	TextsHas []string    `json:"texts_has"`
	Articles *int        `json:"articles"`
	Quotes   []string    `json:"quotes"`
	Tokens   []string    `json:"tokens"`
	Stderr   []string    `json:"stderr_has"`
	Output   string      `json:"out_re"`
}

// readArticle is an article as the program writes it.
type readArticle struct {
	Title, URL, Text string
	Created          *string
	Attributes       struct {
		Links  [][3]any
		Blocks [][]any
		Quotes [][2]any
		Tokens [][3]any
	}
}

// cut is a stretch of the text.
func (a *readArticle) cut(from, to any) string {
	start, end := int(from.(float64)), int(to.(float64))
	if start < 0 {
		return ""
	}
	return string([]rune(a.Text)[start:end])
}

// isMarked says that a text is absent, or in a block of a kind.
func (a *readArticle) isMarked(said, kind string) bool {
	at := strings.Index(a.Text, said)
	if at < 0 {
		return true
	}
	at = len([]rune(a.Text[:at]))
	return slices.ContainsFunc(a.Attributes.Blocks, func(b []any) bool {
		return int(b[0].(float64)) <= at && at < int(b[1].(float64)) && b[2] == kind
	})
}

func (a *readArticle) hasLink(want []*string) bool {
	return slices.ContainsFunc(a.Attributes.Links, func(l [3]any) bool {
		if l[2] != *want[1] {
			return false
		}
		if want[0] == nil {
			return l[0].(float64) < 0
		}
		return l[0].(float64) >= 0 && a.cut(l[0], l[1]) == *want[0]
	})
}

// holds says what of a check fails.
func (c *articleCheck) holds(articles []readArticle, out, messages string) (wrong []string) {
	check := func(name string, is bool) {
		if !is {
			wrong = append(wrong, c.Name+": "+name)
		}
	}
	var a readArticle
	if c.Index < len(articles) {
		a = articles[c.Index]
	}
	var titles, urls, texts []string
	for _, a := range articles {
		titles, urls, texts = append(titles, a.Title), append(urls, a.URL), append(texts, a.Text)
	}
	check("text "+a.Text, c.Text == nil || *c.Text == a.Text)
	check("title "+a.Title, c.Title == nil || *c.Title == a.Title)
	check("url "+a.URL, c.URL == nil || *c.URL == a.URL)
	check("titles "+strings.Join(titles, "|"), c.Titles == nil || slices.Equal(c.Titles, titles))
	check("urls "+strings.Join(urls, "|"), c.URLs == nil || slices.Equal(c.URLs, urls))
	check("articles", c.Articles == nil || *c.Articles == len(articles))
	for _, s := range c.Has {
		check("has "+s, strings.Contains(a.Text, s))
	}
	for _, s := range c.Lacks {
		check("lacks "+s, !strings.Contains(a.Text, s))
	}
	check("not all", c.NotAll == nil || slices.ContainsFunc(c.NotAll, func(s string) bool { return !strings.Contains(a.Text, s) }))
	rest := a.Text
	for _, s := range c.Order {
		_, after, found := strings.Cut(rest, s)
		check("order "+s, found)
		rest = after
	}
	check("marked", c.Marked == nil || a.isMarked(c.Marked[0], c.Marked[1]))
	for _, s := range c.TextsHas {
		check("texts have "+s, strings.Contains(strings.Join(texts, "\n"), s))
	}
	var quotes, tokens []string
	for _, q := range a.Attributes.Quotes {
		quotes = append(quotes, a.cut(q[0], q[1]))
	}
	for _, k := range a.Attributes.Tokens {
		tokens = append(tokens, k[2].(string))
	}
	check("quotes "+strings.Join(quotes, "|"), c.Quotes == nil || slices.Equal(c.Quotes, quotes))
	check("tokens "+strings.Join(tokens, " "), c.Tokens == nil || slices.Equal(c.Tokens, tokens))
	for _, l := range c.Links {
		check("link "+*l[1], a.hasLink(l))
	}
	if c.Created != nil {
		at := int(c.Created[0].(float64))
		want, isText := c.Created[1].(string)
		is := at < len(articles) && (articles[at].Created != nil) == isText && (!isText || *articles[at].Created == want)
		check("created", is)
	}
	for _, s := range c.Stderr {
		check("told "+s, strings.Contains(messages, s))
	}
	if pattern, found := strings.CutPrefix(c.Output, "^(?!.*"); found { // Go's expressions look at nothing ahead
		check("output", !regexp.MustCompile(strings.TrimSuffix(pattern, ").*$")).MatchString(out))
	} else {
		check("output", regexp.MustCompile(c.Output).MatchString(out))
	}
	return wrong
}

// articleCases are the cases of markup, feeds, dates, tokens and quotations.
var articleCases = []string{"60-", "62-", "70-", "05-", "06-", "13-", "33-", "43-", "53-", "97-", "39-", "100-", "101-", "102-", "104-",
	"105-", "106-", "107-", "108-", "103-",
	"109-", "110-", "111-", "112-", "113-", "114-", "115-", "116-", "117-", "90-"}

// TestArticlesThatPeopleReported: the faults that people met in pages and feeds with other programs come out right.
func TestArticlesThatPeopleReported(t *testing.T) {
	folder := rdftest.Shared(t, "cases", "text")
	for _, prefix := range articleCases {
		files, err := filepath.Glob(filepath.Join(folder, prefix+"*.expect.json"))
		if err != nil || len(files) != 1 {
			t.Fatal(prefix, files, err)
		}
		source, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		var c articleCase
		if err := json.Unmarshal(source, &c); err != nil {
			t.Fatal(err)
		}
		for _, run := range c.Runs {
			t.Run(filepath.Base(files[0]), func(t *testing.T) {
				input := filepath.Join(folder, run.File)
				if run.File == "" {
					body := []byte(run.In)
					if run.Hex != "" {
						if body, err = hex.DecodeString(run.Hex); err != nil {
							t.Fatal(err)
						}
					}
					input = filepath.Join(t.TempDir(), "doc."+run.Ext)
					if err := os.WriteFile(input, body, 0o666); err != nil {
						t.Fatal(err)
					}
				}
				command := process(t, t.TempDir(), append(append([]string{"text"}, run.Args...), input)...)
				var stdout, stderr bytes.Buffer
				command.Stdout, command.Stderr = &stdout, &stderr
				if code := exitCodeOf(t, command.Run()); code != exitOK {
					t.Errorf("exit %d", code)
				}
				var articles []readArticle
				for line := range bytes.Lines(stdout.Bytes()) {
					var a readArticle
					if json.Unmarshal(line, &a) == nil {
						articles = append(articles, a)
					}
				}
				for _, check := range run.Checks {
					if wrong := check.holds(articles, stdout.String(), stderr.String()); len(wrong) > 0 {
						t.Errorf("%v\n%s\n%s", wrong, stdout.Bytes(), stderr.Bytes())
					}
				}
			})
		}
	}
}
