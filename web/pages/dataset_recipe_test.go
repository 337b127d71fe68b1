package pages_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"laundromat/internal/digest"
	"laundromat/seedlist"
	"laundromat/states/recipe"
	"laundromat/web"
	"laundromat/web/pages"
)

// The page of a document says which recipe it was washed by, and whether that is still the one in force. A form of it
// washes the stored bytes again.
func TestADocumentNamesTheRecipeThatItWasWashedBy(t *testing.T) {
	s := newSite(t)
	parse := func(text string) *recipe.Recipe {
		r, err := recipe.Parse("recipe", []byte(text), "")
		s.must(err)
		return r
	}
	put := func(r *recipe.Recipe) {
		_, err := s.seeds.PutRecipe(t.Context(), seedlist.Recipe{Name: r.Name, Body: r.Body()}, "")
		s.must(err)
	}
	prices := parse("name: prices\nmatch: {uri: '*'}\nproducts: [records]\n")
	put(prices)
	uri := "http://host.example/a.csv"
	_, err := s.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: uri}, {URI: "http://host.example/b.csv"}})
	s.must(err)
	claims, err := s.seeds.Claim(t.Context(), seedlist.Downloading, "test", 2)
	s.must(err)
	for _, claim := range claims {
		s.must(s.seeds.CompleteAll(t.Context(), claim, []seedlist.Outcome{
			{Next: seedlist.Filed, Update: func(r *seedlist.Record) { r.Content = &digest.Content{NumberOfBytes: 5} }},
			{Next: seedlist.Unarchived, Update: func(*seedlist.Record) {}},
			{Next: seedlist.Guessed, Update: func(r *seedlist.Record) {
				if r.Format = "CSV"; claim.Seed.URI == uri {
					r.Recipe = &seedlist.RecipeUse{Name: prices.Name, SHA256: prices.SHA256}
				}
			}},
			{Next: seedlist.Parsed, Update: func(*seedlist.Record) {}},
		}))
	}
	var asked []web.AgainRequest
	mine := *s
	mine.handler = web.New(web.Options{
		Seeds: s.seeds, Version: "1.0", Writable: true,
		Again: func(_ context.Context, request web.AgainRequest, seeds []seedlist.Seed) ([]web.ActedOn, error) {
			asked = append(asked, request)
			return []web.ActedOn{{Hash: seeds[0].Hash}}, nil
		},
		Pages: func(reader *web.Reader, otherwise http.Handler) http.Handler {
			return pages.New(reader, pages.Options{}, otherwise)
		},
	})
	at := "/seeds/" + seedlist.Key(uri)
	for _, c := range []struct {
		what           string
		change         func()
		says, saysNot  string
		isLink, isForm bool
	}{
		{"the form in force", func() {}, "prices", "older", true, true},
		{"another form", func() { put(parse("name: prices\nmatch: {uri: '*'}\nproducts: [records, articles]\n")) },
			"prices, an older form of it", "not there", true, true},
		{"removed", func() { s.must(s.seeds.RemoveRecipe(t.Context(), "prices")) }, "prices, which is not there any more", "older",
			false, false},
	} {
		c.change()
		for name, to := range map[string]*site{"who may only read": s, "who may write": &mine} {
			root := to.page(at)
			holdInert(t, at, root)
			isLink, form := false, map[string]string{}
			each(root, func(n *html.Node) {
				isLink = isLink || n.Data == "a" && attribute(n, "href") == "/recipes/prices"
				if n.Data == "form" && attribute(n, "action") == at+"/again" && strings.Contains(textOf(n), "Wash again by prices") {
					form["method"] = attribute(n, "method")
					each(n, func(input *html.Node) {
						if input.Data == "input" {
							form[attribute(input, "name")] = attribute(input, "value")
						}
					})
				}
			})
			text := textOf(root)
			if !strings.Contains(text, c.says) || strings.Contains(text, c.saysNot) || isLink != c.isLink ||
				(form["how"] == "rewash" && form["method"] == "post") != (c.isForm && to == &mine) {
				t.Errorf("%s, %s: link %v, form %v: %s", c.what, name, isLink, form, text)
			}
		}
	}
	if text := textOf(mine.page("/seeds/" + seedlist.Key("http://host.example/b.csv"))); strings.Contains(text, "Wash again by") {
		t.Errorf("a document without a recipe: %s", text)
	}
	reply := mine.send(at+"/again", urlencoded, "how=rewash")
	if reply.Code != http.StatusSeeOther || reply.Header().Get("Location") != at || len(asked) != 1 || asked[0].Asked != seedlist.Rewash {
		t.Errorf("%d, to %s: %v", reply.Code, reply.Header().Get("Location"), asked)
	}
	if reply := s.send(at+"/again", urlencoded, "how=rewash"); reply.Code != http.StatusUnauthorized || len(asked) != 1 {
		t.Errorf("without a token: %d", reply.Code)
	}
}
