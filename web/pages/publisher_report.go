package pages

import (
	"context"
	"encoding/csv"
	"iter"
	"net/http"
	"strconv"

	"laundromat/seedlist"
	"laundromat/web"
)

// failures are the documents of a publisher that failed. A report names each, however many there are: they are read
// some at a time, while what came before them is sent.
type failures struct {
	first web.SeedPage
	more  func(cursor string) (web.SeedPage, error)
	err   error // that of a page; it ends the documents
}

const failuresRead = 500 // at a time

// failing reads the first of the documents that failed.
func (s publisherSite) failing(ctx context.Context, p *publisherPage) (f *failures, err error) {
	f = &failures{more: func(cursor string) (web.SeedPage, error) {
		q := p.listed()
		q.State, q.Limit, q.Cursor = string(seedlist.Failed), failuresRead, cursor
		return s.read.List(ctx, q)
	}}
	f.first, err = f.more("")
	return f, err
}

// HasAny says that there are some, or may be: a page may end before it is full.
func (f *failures) HasAny() bool { return len(f.first.Seeds) > 0 || f.first.Next != "" }

// All goes through them, and sets err.
func (f *failures) All() iter.Seq[seedlist.Seed] {
	return func(yield func(seedlist.Seed) bool) {
		page := f.first
		for {
			for i := range page.Seeds {
				if !yield(page.Seeds[i]) {
					return
				}
			}
			if page.Next == "" {
				return
			}
			if page, f.err = f.more(page.Next); f.err != nil {
				return
			}
		}
	}
}

// sentReport is what the template of a report needs.
type sentReport struct {
	publisherPage
	Failures *failures
	Base     string // of the addresses of what the daemon has; "" where others can't reach it
}

// reported is what a report says; its address takes the value alone.
func (s publisherSite) reported(r *http.Request) (publisherPage, error) {
	if err := web.Unknown(r.URL.Query(), []string{"value"}); err != nil {
		return publisherPage{}, err
	}
	return s.publisherOf(r)
}

// sent says that a file is to be kept, of what type and by which name.
func sent(w http.ResponseWriter, contentType, name string) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Security-Policy", policy)
}

// publisherReport gives one file to send: all that the page says, with every document that failed.
func (s publisherSite) publisherReport(w http.ResponseWriter, r *http.Request) {
	p, err := s.reported(r)
	if err == nil {
		p.Mends, err = s.samples(r.Context(), &p)
	}
	report := sentReport{publisherPage: p}
	if base := web.BaseOf(r); web.IsForOthers(base) {
		report.Base = base
	}
	if err == nil {
		report.Failures, err = s.failing(r.Context(), &report.publisherPage)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	sent(w, "text/html; charset=utf-8", "report.html")
	err = templates()["publisher_report.html"].ExecuteTemplate(w, "publisher_report.html", report)
	if err != nil || report.Failures.err != nil {
		panic(http.ErrAbortHandler) // the reader must not take what came for all
	}
}

// publisherCSV gives the notices and the documents that failed as a table.
func (s publisherSite) publisherCSV(w http.ResponseWriter, r *http.Request) {
	p, err := s.reported(r)
	var failed *failures
	if err == nil {
		p.Mends, err = s.samples(r.Context(), &p)
	}
	if err == nil {
		failed, err = s.failing(r.Context(), &p)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	sent(w, "text/csv; charset=utf-8", "report.csv")
	table := csv.NewWriter(w)
	table.Write([]string{"what", "code", "severity", "documents", "times", "document", "message", "line"})
	for i := range p.Mends {
		m := &p.Mends[i]
		name, line := "", ""
		if m.Sample != nil {
			name = m.Sample.Name
			if n := m.Sample.Notice; n != nil && n.Line > 0 {
				line = strconv.FormatInt(n.Line, 10)
			}
		}
		table.Write([]string{"notice", string(m.Code), m.Severity.String(), strconv.FormatInt(m.ToMend.Documents, 10),
			strconv.FormatInt(m.Times, 10), cellText(name), m.Title, line})
	}
	for one := range failed.All() {
		name, code, message := one.Hash, "", ""
		if one.URI != "" {
			name = seedlist.Shown(one.URI)
		} else if one.Archive != nil {
			name = one.Archive.Entry
		}
		if one.Error != nil {
			code, message = string(one.Error.Code), seedlist.ShownIn(one.Error.Message)
		}
		table.Write([]string{"failed", code, "", "1", "", cellText(name), cellText(message), ""})
	}
	if table.Flush(); failed.err != nil {
		panic(http.ErrAbortHandler) // the reader must not take what came for all
	}
}
