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
