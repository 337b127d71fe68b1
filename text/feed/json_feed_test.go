package feed_test

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/text/feed"
)

func jsonFeedOf(items string) string {
	return `{"version": "https://jsonfeed.org/version/1.1", "title": "Feed", "items": [` + items + `]}`
}

// TestItemsOfJSONFeedsAreArticles: texts without their escapes, at the places where they stand.
func TestItemsOfJSONFeedsAreArticles(t *testing.T) {
	for source, want := range map[string]string{
		jsonFeedOf(`{"id":"1","content_text":"One."}`):                                                     "One.",
		jsonFeedOf(`{"id":"1","content_html":"<p>One.</p><p>Two &amp; three.<\/p>"}`):                      "One.|Two & three.",
		jsonFeedOf(`{"id":"1","content_text":"a < b &amp; c"}`):                                            "a < b &amp; c",
		jsonFeedOf(`{"id":"1","content_text":"Zo\u00eb \ud83d\ude00 \"x\" \\ \/"}`):                        "Zoë 😀 \"x\" \\ /",
		jsonFeedOf(`{"id":"1","content_text":"half \ud83d of one"}`):                                       "half \uFFFD of one",
		jsonFeedOf(`{"id":"1","summary":"short","content_html":"<p>long</p>","content_text":"plain"}`):     "long",
		jsonFeedOf(`{"id":"1","summary":"short","content_text":"plain"}`):                                  "plain",
		jsonFeedOf(`{"id":"1","summary":"short","content_html":"<img src=x>"}`):                            "short",
		jsonFeedOf(`{"id":1,"content_text":null,"summary":"short","tags":["a",{"b":[1]}],"authors":[{}]}`): "short",
		jsonFeedOf(`{"content_text":"a"},{"content_text":"b"}, {"content_text":"c"}`):                      "a; b; c",
		jsonFeedOf(`{"content_text":"a"},5,[],null,{"content_text":"b"}`):                                  "a; b",
		"\uFEFF\n" + jsonFeedOf(`{"content_text":"a"}`):                                                    "a",
		`{"items":[{"content_text":"a"}],"version":"https:\/\/jsonfeed.org\/version\/1"}`:                  "a",
		strings.TrimSuffix(jsonFeedOf(`{"content_text":"a"},{"content_text":"b","title":"c`), `]}`):        "a; b",
		strings.TrimSuffix(jsonFeedOf(`{"content_text":"a"}`), `]}`):                                       "a",
		jsonFeedOf(`{"content_text":"a"} x {"content_text":"b"}`):                                          "a",
	} {
		if got := jsonTexts(t, source); got != want {
			t.Errorf("%s:\n%q, want %q", source, got, want)
		}
	}
}

// jsonTexts are the texts of all articles, "; " between them. What stands in the source for each stretch is that
// stretch, as it is or with the escapes of JSON or HTML.
func jsonTexts(t *testing.T, source string) string {
	t.Helper()
	articles, _, _ := read(t, source)
	var all []string
	for _, a := range articles {
		all = append(all, strings.ReplaceAll(a.Text, "\n\n", "|"))
		for _, r := range a.Places {
			said, raw := a.Text[r.Text:r.Text+r.Length], source[r.Source:r.Source+r.SourceLength]
			var plain string
			if err := json.Unmarshal([]byte(`"`+raw+`"`), &plain); err != nil || plain != said && html.UnescapeString(plain) != said &&
				strings.TrimSpace(said) != "" {
				t.Errorf("%q stands for %q: %v", raw, said, err)
			}
		}
	}
	return strings.Join(all, "; ")
}

func TestItemsOfJSONFeedsHaveTitlesAddressesAndDates(t *testing.T) {
	articles, _, _ := read(t,
		jsonFeedOf(`{"id":"https://x.example/1","title":"A &amp; \"B\" \u00e9","content_text":"a","date_modified":"2021-01-02T03:04:05Z","date_published":"2020-02-03T04:05:06+01:00"},
		{"id":"2","url":"/two","external_url":"https://y.example/","content_text":"b","date_modified":"2021-01-02T03:04:05Z"},
		{"id":"3","external_url":"https://y.example/three","content_html":"<p><a href='http://z.example/l'>c</a></p>"}`))
	if len(articles) != 3 {
		t.Fatal(articles)
	}
	if a := articles[0]; a.Title != `A &amp; "B" é` || a.URL != "https://x.example/1" || a.Created != "2020-02-03T03:05:06Z" {
		t.Errorf("%+v", a)
	}
	if a := articles[1]; !strings.HasSuffix(a.URL, "/two") || a.Created != "2021-01-02T03:04:05Z" {
		t.Errorf("%+v", a)
	}
	if a := articles[2]; a.URL != "https://y.example/three" || len(a.Links) != 1 || a.Links[0].URL != "http://z.example/l" {
		t.Errorf("%+v", a)
	}
}

func TestWhatAJSONFeedLacksIsTold(t *testing.T) {
	for source, want := range map[string]fault.Code{
		jsonFeedOf(``): fault.TextEmpty, jsonFeedOf(`{"id":"1","url":"http://x.example/"}`): fault.TextEmpty,
		jsonFeedOf(`{"content_text":"a"}`):                         fault.TextNoDate,
		jsonFeedOf(`{"content_text":"a","date_published":"soon"}`): fault.TextNoDate, jsonFeedOf(`{"content_text":"a"`): fault.TextCut,
		jsonFeedOf(`{"content_text":"a`):                            fault.TextCut,
		`{"version":"https://jsonfeed.org/version/1.1"}`:            fault.TextEmpty,
		`{"version":"https://jsonfeed.org/version/1.1","items":{}}`: fault.TextEmpty,
		`{"version":"https://jsonfeed.org/version/1.1",`:            fault.TextCut,
		jsonFeedOf("{\"content_text\":\"a\nb\"}"):                   fault.TextCut,
	} {
		_, told, _ := read(t, source)
		if !strings.Contains(fmt.Sprint(told), string(want)) {
			t.Errorf("%s: %v, want %s", source, told, want)
		}
	}
	for source, want := range map[string]bool{
		jsonFeedOf(``): true, `{"version":"1.1","items":[]}`: false, `[{"version":"https://jsonfeed.org/version/1"}]`: false,
		`{"a":"jsonfeed.org/version/1"}`: false, ``: false, `<rss>`: false,
	} {
		if got := feed.IsJSON([]byte(source)); got != want {
			t.Errorf("%s: %v", source, got)
		}
	}
}
