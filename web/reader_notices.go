package web

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// NoticeReader reads some notices of documents for pages that show much else.
type NoticeReader struct{ Reader *Reader }

// FirstNotices are the first of each of some codes in the list of a seed, in document order; at most so many lines of
// the list are read.
func (n NoticeReader) FirstNotices(seed *seedlist.Seed, codes []fault.Code, most int) (all []fault.Notice, err error) {
	if !seed.HasNotices() {
		return nil, nil
	}
	file, err := n.Reader.a.Files.Open(seedfile.Key(seed, files.Notices), files.Notices)
	if err != nil {
		return nil, missing(err)
	}
	defer file.Close()
	enough := errors.New("enough")
	isFound := map[fault.Code]bool{}
	err = report.ReadHead(files.Sequential(file), func(one fault.Notice) error {
		if slices.Contains(codes, one.Code) && !isFound[one.Code] {
			isFound[one.Code] = true
			all = append(all, one)
		}
		if most--; most <= 0 || len(all) == len(codes) {
			return enough
		}
		return nil
	})
	if errors.Is(err, enough) {
		err = nil
	}
	return all, problem(err)
}

// QuoteWithin is Quote that reads so many bytes of the text at most, a multiple of 1 MiB.
func (n NoticeReader) QuoteWithin(ctx context.Context, seed *seedlist.Seed, notices []fault.Notice, most int64) (samples []report.Sample,
	why string) {
	samples = make([]report.Sample, len(notices))
	isAnywhere := false
	for i := range notices {
		samples[i].Notice = notices[i]
		isAnywhere = isAnywhere || notices[i].Line > 0
	}
	if !isAnywhere {
		return samples, ""
	}
	in, end, err := n.Reader.text(ctx, seed, most)
	if err == nil {
		defer end.Close()
		err = report.QuoteAsIs(samples, in)
	}
	switch {
	case errors.Is(err, errTooFar):
		return samples, fmt.Sprintf("lines after the first %d MiB of the text are not looked up here", most>>20)
	case err != nil:
		return samples, ProblemOf(err).Detail
	}
	return samples, ""
}
