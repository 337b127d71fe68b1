package story

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"laundromat/seedlist/quality"
	"laundromat/web"
)

// WritePublishers writes publishers with their scores, a row each. Each share has what it is of.
func WritePublishers(w io.Writer, by string, all []web.Publisher) error {
	out := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(out, "score\tread\tkept\tsound terms\tas told\tdropped\tage\t%s\n", by)
	for i := range all {
		p := &all[i]
		score, age := "–", "–"
		if p.Score.Score != nil {
			score = fmt.Sprintf("%.1f", *p.Score.Score)
		}
		if p.Age != nil {
			age = fmt.Sprintf("%.0f d", *p.Age)
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\n", score, partOf(p.Reach), partOf(p.Syntax), partOf(p.Terms), partOf(p.Honesty),
			p.Statements.Dropped, age, p.Name)
	}
	return out.Flush()
}

func partOf(p quality.Part) string { return fmt.Sprintf("%d of %d", p.Good, p.Of) }

// WriteCompared writes what became of documents since a day, a row for each value of a facet; by is "" for all of them.
func WriteCompared(w io.Writer, by string, all []web.Compared) error {
	out := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	if len(all) > 0 {
		since := all[0].Since
		fmt.Fprintf(w, "since %s", since.Format(time.DateOnly))
		if known := all[0].RemovedSince; known.After(since) {
			fmt.Fprintf(w, "; removed documents since %s", known.Format("2006-01-02 15:04"))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(out, "added\tremoved\tbroken\tmended\trewritten\tstatements added\tstatements removed\tdropped\t%s\n", by)
	for i := range all {
		c := &all[i]
		fmt.Fprintf(out, "%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d → %d\t%s\n", c.Added, c.Removed, c.Broken, c.Mended, c.Rewritten,
			c.StatementsAdded, c.StatementsRemoved, c.Then.Dropped, c.Now.Dropped, c.Name)
	}
	return out.Flush()
}
