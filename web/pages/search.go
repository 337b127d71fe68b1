package pages

import (
	"net/http"
	"strings"

	"laundromat/web"
)

// searchPage is what words, or the beginning of a URI or hash, lead to.
type searchPage struct {
	Typed string
	Found web.Found // by URI, hash and host
	More  string    // the address of the next stretch of these; "" at the end
	Texts web.Searched
	// Why says why nothing was looked for by words; "" if it was.
	Why string
}

// textsShown is how many texts a page shows.
const textsShown = 50

// search shows what was typed leads to.
func (s *site) search(r *http.Request) (page, error) {
	query := r.URL.Query()
	p := searchPage{Typed: strings.TrimSpace(query.Get("q"))}
	shown := page{title: "Search", template: "search.html", typed: p.Typed}
	if p.Typed == "" {
		shown.data = p
		return shown, nil
	}
	var err error
	if p.Found, err = s.read.Find(r.Context(), p.Typed, strings.TrimSpace(query.Get("cursor"))); err != nil {
		return page{}, err
	}
	if p.Found.Next != "" {
		p.More = address("/search", "q", p.Typed, "cursor", p.Found.Next)
	}
	if p.Texts, err = s.read.Search(r.Context(), p.Typed, textsShown); err != nil {
		problem := web.ProblemOf(err)
		if problem.Status == http.StatusInternalServerError {
			return page{}, err
		}
		p.Why = problem.Detail
	}
	shown.data = p
	return shown, nil
}
