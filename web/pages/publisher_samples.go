package pages

import (
	"context"
	"slices"

	"laundromat/internal/fault"
	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/web"
)

const (
	codesSampled  = 5       // of what is to be mended, those that have a sample
	sampledAmong  = 4       // documents of a code among which one is chosen for its sample
	sampledOfList = 1000    // lines of a document's list of notices that are read
	sampledOfText = 1 << 20 // bytes of a document's text that are read for a line
)

// mending is a notice of a publisher, and a sample of it.
type mending struct {
	web.ToMend
	Documents linked
	Sample    *mendSample // nil if there is none
	Samples   string      // the address of more samples, or else of the documents
}

// mendSample is a notice of one document, in its line.
type mendSample struct {
	Document seedlist.Seed
	Name     string
	Notice   *report.Sample // nil if the list of notices can't be read
	Line     *report.PassageLine
	Why      string // why there is no line; "" if there is
	Patch    string // the address of a patch that mends it; "" for none
}

// samples gives the first of what is to be mended a sample each: the lists of notices of at most so many documents are
// read, and of each the beginning of its text. A document that can't be read is no fault of the page.
func (s publisherSite) samples(ctx context.Context, p *publisherPage) (all []mending, err error) {
	all = make([]mending, len(p.Mend))
	of := map[string][]*mending{} // by the document of their samples
	for i := range p.Mend {
		m := &all[i]
		m.ToMend = p.Mend[i]
		m.Documents = linked{p.List("notice", m.Code), m.ToMend.Documents}
		m.Samples = m.Documents.Path
		if p.By == "host" {
			m.Samples = address("/errors", "kind", "notice", "code", m.Code, "host", p.Value)
		}
		if i >= codesSampled {
			continue
		}
		document, err := s.sampled(ctx, p, m.Code)
		if err != nil {
			return nil, err
		}
		if document == nil {
			continue
		}
		m.Sample = &mendSample{Document: *document, Name: s.read.Name(ctx, document)}
		if m.Severity == fault.Repair && web.HasRepairs(document) {
			m.Sample.Patch = "/api/v1/seeds/" + document.Hash + "/repairs"
		}
		of[document.Hash] = append(of[document.Hash], m)
	}
	for _, some := range of {
		s.quoteSamples(ctx, some)
	}
	return all, ctx.Err()
}

// sampled is a document of a publisher with a notice, if there is one among the first whose bytes and notices are kept.
func (s publisherSite) sampled(ctx context.Context, p *publisherPage, code fault.Code) (*seedlist.Seed, error) {
	q := p.listed()
	q.Notice, q.Limit = string(code), sampledAmong
	list, err := s.read.List(ctx, q)
	if err != nil {
		return nil, err
	}
	var first *seedlist.Seed
	for i := range list.Seeds {
		document := list.Seeds[i].Served()
		if document.Notices[code] == 0 {
			continue
		}
		if document.HasNotices() && document.HasDirty() {
			return &document, nil
		}
		if first == nil {
			first = &document
		}
	}
	return first, nil
}

// quoteSamples fills in the notices of one document and their lines.
func (s publisherSite) quoteSamples(ctx context.Context, some []*mending) {
	notices := web.NoticeReader{Reader: s.read}
	document := &some[0].Sample.Document
	var codes []fault.Code
	for _, m := range some {
		codes = append(codes, m.Code)
	}
	found, err := notices.FirstNotices(document, codes, sampledOfList)
	if err != nil {
		for _, m := range some {
			m.Sample.Why = "the list of notices can't be read: " + problemText(err)
		}
		return
	}
	quoted, why := notices.QuoteWithin(ctx, document, found, sampledOfText)
	for i := range quoted {
		q := &quoted[i]
		sample := some[slices.Index(codes, q.Code)].Sample
		sample.Notice = q
		if q.Passage == nil {
			sample.Why = why
			continue
		}
		at := slices.IndexFunc(q.Passage.Lines, func(l report.PassageLine) bool { return l.Number == q.Line })
		if at >= 0 {
			sample.Line = &q.Passage.Lines[at]
		}
	}
}
