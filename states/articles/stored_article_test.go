package articles_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/states/articles"
)

func TestStoredArticlesAreReadByTheirNumbers(t *testing.T) {
	lines := `{"id":"1","title":"One","text":"Äbc def","attributes":{"blocks":[[0,3,"heading",{"level":2,"part":"main","bytes":[7,9]}],` +
		`[4,7,"paragraph",{"part":"main","bytes":[10,14]}]],"links":[[4,7,"http://example.org/"],[-1,-1,"http://example.org/t"]],` +
		`"quotes":[[0,3,"Äbc"]]},"metadata":{"languages":[["en",0.9],["de",0.1]],"kind":"article","author":{"value":"A","from":"meta"}}}` + "\n" +
		`{"id":"2","text":"second","attributes":{"blocks":[[0,6,"paragraph",{"bytes":[1,2]}]],"links":[],"quotes":[]},"metadata":{}}` + "\n" +
		`{"id":"3","text":"","attributes":{"links":[],"quotes":[]}}`
	for _, c := range []struct {
		from  int64
		limit int
		wants string
	}{
		{1, 1, "1 One 7 def [en de] article A 2 links 1 quotes 2 blocks; "},
		{1, 9, "1 One 7 def [en de] article A 2 links 1 quotes 2 blocks; 2  6 second []   0 links 0 quotes 1 blocks; " +
			"3  0  []   0 links 0 quotes 0 blocks; "},
		{2, 1, "2  6 second []   0 links 0 quotes 1 blocks; "},
		{3, 9, "3  0  []   0 links 0 quotes 0 blocks; "},
		{4, 9, ""},
	} {
		got, n := "", 0
		err := articles.EachStored(t.Context(), strings.NewReader(lines), c.from, func(number int64, s *articles.Stored) (bool, error) {
			if n++; n > c.limit {
				return false, nil
			}
			got += fmt.Sprintf("%d %s %d %s %v %s %s %d links %d quotes %d blocks; ", number, s.Title, s.Characters(), beginning(s, 200),
				s.LanguageNames(), s.Metadata.Kind, s.Metadata.Author.Value, len(s.Attributes.Links), len(s.Attributes.Quotes),
				len(s.Attributes.Blocks))
			return true, nil
		})
		if err != nil || got != c.wants {
			t.Errorf("from %d: %s, %v\nwant %s", c.from, got, err, c.wants)
		}
	}
	all := func(int64, *articles.Stored) (bool, error) { return true, nil }
	err := articles.EachStored(t.Context(), strings.NewReader(lines+"\n{\n"), 4, all)
	if err == nil || !strings.Contains(err.Error(), "line 4") {
		t.Errorf("a line that is no article: %v", err)
	}
}

func TestTheBeginningOfAnArticleIsThatOfItsMainContent(t *testing.T) {
	for _, c := range []struct {
		text, blocks string
		characters   int
		wants        string
	}{
		{"nav\n\nMain text", `[[0,3,"navigation",{"part":"navigation"}],[5,14,"paragraph",{"part":"main"}]]`, 4, "Main…"},
		{"Head\n\nMain text", `[[0,4,"heading",{"part":"main"}],[6,15,"paragraph",{"part":"main"}]]`, 100, "Main text"},
		{"Äöü main", `[[4,8,"paragraph",{"part":"main"}]]`, 2, "ma…"},
		{"no main at all", `[]`, 7, "no main…"},
		{"", `[]`, 7, ""},
		{"ab", `[[0,2,"paragraph",{}]]`, 2, "ab"},
		{"ab", `[[2,2,"paragraph",{"part":"main"}]]`, 2, ""},
	} {
		var s articles.Stored
		line := fmt.Sprintf(`{"text":%q,"attributes":{"blocks":%s}}`, c.text, c.blocks)
		if err := articles.EachStored(t.Context(), strings.NewReader(line), 1, func(_ int64, one *articles.Stored) (bool, error) {
			s = *one
			return false, nil
		}); err != nil {
			t.Fatal(err)
		}
		if got := beginning(&s, c.characters); got != c.wants {
			t.Errorf("%q: %q", c.text, got)
		}
	}
}

func beginning(s *articles.Stored, characters int) string {
	text, more := s.Begins(characters)
	if more {
		text += "…"
	}
	return text
}
