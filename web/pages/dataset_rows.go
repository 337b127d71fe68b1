package pages

import (
	"net/http"
	"strings"

	"laundromat/web"
)

// rowsShown is how many lines of a clean file a page has, and mostSubjectRows up to where those of one
// subject are shown.
const (
	rowsShown       = 50
	mostSubjectRows = 10_000
)

// rowPage is a page of the lines of a clean file, or of those about one subject.
type rowPage struct {
	Hash, Name string
	Clean      string
	Subject    string
	Rows       []web.Row
	From, To   int64
	Total      int64 // 0 if not known
	Next, Prev int64 // where the pages beside it begin; 0 if there is none
	IsCut      bool  // there are more of the subject than are shown here
}

// rowsPage shows lines of a clean file.
func (s *site) rowsPage(r *http.Request) (page, error) {
	ctx := r.Context()
	_, document, err := s.find(r)
	if err != nil {
		return page{}, err
	}
	document = document.Served()
	p := rowPage{Hash: document.Hash, Name: s.read.Name(ctx, &document), Subject: subjectIn(r)}
	if p.From, err = numberIn(r, "from", 1); err != nil {
		return page{}, err
	}
	shown := page{title: "Clean lines of " + p.Name, template: "dataset_rows.html"}
	if p.From > 1 {
		p.Prev = max(1, p.From-rowsShown)
	}
	if p.Subject != "" {
		if p.From > mostSubjectRows {
			return page{}, unprocessable("of one subject the first 10,000 lines are shown: the others are in the file that can be " +
				"downloaded")
		}
		more := false
		if p.Rows, more, err = s.read.SubjectRows(ctx, document.Hash, p.Subject, int(p.From-1), rowsShown); err != nil {
			return page{}, err
		}
		p.To = p.From - 1 + int64(len(p.Rows))
		if more && p.To < mostSubjectRows {
			p.Next = p.To + 1
		}
		p.IsCut = more && p.Next == 0
		shown.data = p
		return shown, nil
	}
	rows, err := s.read.Rows(ctx, document.Hash, p.From, rowsShown)
	if err != nil {
		return page{}, err
	}
	p.Rows, p.Clean, p.Next = rows.Rows, rows.Clean, rows.Next
	p.To = p.From - 1 + int64(len(p.Rows))
	if rows.Total != nil {
		p.Total = *rows.Total
	}
	shown.data = p
	return shown, nil
}

// subjectIn is the subject that is looked up, as people may write it: with < and >, or without.
func subjectIn(r *http.Request) string {
	subject := strings.TrimSpace(r.URL.Query().Get("subject"))
	if strings.HasPrefix(subject, "<") && strings.HasSuffix(subject, ">") {
		subject = subject[1 : len(subject)-1]
	}
	return subject
}
