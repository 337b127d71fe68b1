package pages

import (
	"context"
	"fmt"
	"net/http"

	"laundromat/internal/fault"
	"laundromat/report"
	"laundromat/seedlist"
)

// quotation is notices in the lines of the document that they are about.
type quotation struct {
	Hash    string // of the document
	Samples []report.Sample
	Why     string // why lines are missing; "" if none are
}

// firstOfEach quotes the first notice of each of the most frequent codes.
func (s *site) firstOfEach(ctx context.Context, seed *seedlist.Seed) (q quotation, err error) {
	q.Hash = seed.Hash
	all, err := s.read.Samples(seed, "", 0, 1)
	if err != nil {
		q.Why = "the list of notices can't be read: " + problemText(err)
		return q, nil
	}
	frequent := codesOf(seed.Notices)
	isShown := map[fault.Code]bool{}
	for _, c := range frequent[:min(len(frequent), datasetPassages)] {
		isShown[c.Info.Code] = true
	}
	var some []fault.Notice
	for _, n := range all {
		if isShown[n.Code] {
			some = append(some, n)
		}
	}
	q.Samples, q.Why = s.read.Quote(ctx, seed, some, true)
	return q, ctx.Err()
}

// noticesShown is how many notices a page of one code has.
const noticesShown = 25

// noticePage is a page of the notices of one code.
type noticePage struct {
	Hash, Name string
	Code       codeCount
	Codes      []codeCount
	Quoted     quotation
	From, To   int64 // the first and the last that is shown, from 1
	Listed     int64 // how many can be shown here: the first of the code
	Next, Prev int64 // where the pages beside it begin; 0 if there is none
}

// noticesPage shows the notices of one code in their lines.
func (s *site) noticesPage(r *http.Request) (page, error) {
	ctx := r.Context()
	_, document, err := s.find(r)
	if err != nil {
		return page{}, err
	}
	document = document.Served()
	code := fault.Code(r.URL.Query().Get("code"))
	from, err := numberIn(r, "from", 1)
	if err != nil {
		return page{}, err
	}
	n := noticePage{Hash: document.Hash, Name: s.read.Name(ctx, &document), Codes: codesOf(document.Notices), From: from}
	if code == "" && len(n.Codes) > 0 {
		code = n.Codes[0].Info.Code
	}
	for _, c := range n.Codes {
		if c.Info.Code == code {
			n.Code = c
		}
	}
	if n.Code.Times == 0 {
		if code == "" {
			return page{}, nothing(fmt.Sprintf("%s has no notices", n.Name))
		}
		return page{}, nothing(fmt.Sprintf("%s has no notice %s", n.Name, code))
	}
	n.Listed = min(n.Code.Times, report.SamplesListed)
	if from > n.Listed {
		return page{}, unprocessable(fmt.Sprintf("from is 1 to %d here: of each code the first %d notices are shown, the others are in "+
			"the list of all", n.Listed, report.SamplesListed))
	}
	some, err := s.read.Samples(&document, code, int(from-1), noticesShown)
	if err != nil {
		return page{}, err
	}
	n.To = from - 1 + int64(len(some))
	n.Quoted.Hash = document.Hash
	n.Quoted.Samples, n.Quoted.Why = s.read.Quote(ctx, &document, some, false)
	if n.To < n.Listed && len(some) > 0 {
		n.Next = n.To + 1
	}
	if from > 1 {
		n.Prev = max(1, from-noticesShown)
	}
	return page{title: "Notices of " + n.Name, template: "dataset_notices.html", data: n}, nil
}
