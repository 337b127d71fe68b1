package pages

import (
	"net/http"
	"strings"
	"time"

	"laundromat/seedlist/quality"
	"laundromat/web"
)

// comparison is what became of documents since a day.
type comparison struct {
	web.Compared
	Day   string
	Wrong string // why it is none; "" where it is one
	Turns []turnRow
	Rows  []comparedRow
}

// turnRow is how many documents turned in a way; List is their list.
type turnRow struct {
	Words, List string
	N           int64
}

// comparedRow is a number then and now.
type comparedRow struct {
	Words     string
	Then, Now int64
}

// Change is how much it grew.
func (r comparedRow) Change() int64 { return r.Now - r.Then }

// compare shows what became of documents since a day.
func (s publisherSite) compare(r *http.Request) (page, error) {
	query := r.URL.Query()
	q := web.CompareQuery{By: query.Get("by"), Value: query.Get("value"), Since: strings.TrimSpace(query.Get("since"))}
	is, err := s.read.Compare(r.Context(), q)
	wrong := wrongIn(err)
	if wrong != "" && q.Since != "" {
		wrong += ": this is since a month ago"
		q.Since = ""
		is, err = s.read.Compare(r.Context(), q)
	}
	if err != nil {
		return page{}, err
	}
	c := comparison{Compared: is, Day: is.Since.Format(time.DateOnly), Wrong: wrong}
	for i, n := range []int64{is.Added, is.Broken, is.Mended, is.Rewritten} {
		turn := quality.TurnNames()[i]
		list := address("/seeds", "turn", turn, "since", c.Day, is.By, is.Value)
		c.Turns = append(c.Turns, turnRow{turnWords[turn], list, n})
	}
	words := "left the list"
	if is.By != "" {
		words = "left the list, or this " + is.By
	}
	c.Turns = append(c.Turns, turnRow{words, address("/removed", "since", c.Day, "by", is.By, "value", is.Value), is.Removed})
	then, now := &is.Then, &is.Now
	c.Rows = []comparedRow{
		{"documents with a clean file", then.Clean, now.Clean}, {"documents that fail", then.Failed, now.Failed},
		{"statements read", then.Read, now.Read}, {"statements repaired", then.Repaired, now.Repaired},
		{"statements dropped", then.Dropped, now.Dropped},
	}
	title := "Since " + c.Day
	if is.Name != "" {
		title = is.Name + " since " + c.Day
	}
	return page{title: title, template: "compare.html", data: c, listens: wrong == "", status: statusOf(wrong)}, nil
}

// removedPage is a page of the documents that were removed since a day.
type removedPage struct {
	web.Removed
	Day, Compare, NextPage string
}

// removed shows the documents that were removed since a day.
func (s publisherSite) removed(r *http.Request) (page, error) {
	query := r.URL.Query()
	q := web.RemovedQuery{Cursor: query.Get("cursor"), Limit: documentsShown}
	q.By, q.Value, q.Since = query.Get("by"), query.Get("value"), strings.TrimSpace(query.Get("since"))
	is, err := s.read.Removed(r.Context(), q)
	if err != nil {
		return page{}, err
	}
	p := removedPage{Removed: is, Day: is.Since.Format(time.DateOnly)}
	p.Compare = address("/compare", "since", q.Since, "by", is.By, "value", is.Value)
	if is.Next != "" {
		p.NextPage = address("/removed", "since", q.Since, "by", is.By, "value", is.Value, "cursor", is.Next)
	}
	title := "Removed since " + p.Day
	if is.Name != "" {
		title = is.Name + ": removed since " + p.Day
	}
	return page{title: title, template: "removed.html", data: p}, nil
}
