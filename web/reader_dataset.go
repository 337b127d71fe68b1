package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// Name is how people know a seed: its URI, or URI!/entry; without user and password.
func (r *Reader) Name(ctx context.Context, seed *seedlist.Seed) string { return r.a.name(ctx, seed) }

// WhyNoRows says of a seed without a clean file why there is none.
func (r *Reader) WhyNoRows(ctx context.Context, seed *seedlist.Seed) string {
	return r.a.whyNotClean(ctx, seed)
}

// Document is the seed whose document a seed stands for: itself, or that of its URI without the fragment.
func (r *Reader) Document(ctx context.Context, seed seedlist.Seed) (seedlist.Seed, error) {
	if seed.Document == "" {
		return seed, nil
	}
	return r.a.find(ctx, seed.Document)
}

// mostAncestors is how deep archives may lie in each other here.
const mostAncestors = 40

// Ancestors are the archives that a seed lies in, the outermost first.
func (r *Reader) Ancestors(ctx context.Context, seed *seedlist.Seed) (all []seedlist.Seed, err error) {
	for at := seed; at.Parent != "" && len(all) < mostAncestors; at = &all[len(all)-1] {
		parent, err := r.a.Seeds.Record(ctx, at.Parent)
		if err != nil {
			return nil, problem(err)
		}
		all = append(all, parent)
	}
	slices.Reverse(all)
	return all, nil
}

// Records are the seeds of hashes, without links; those that are gone are left out.
func (r *Reader) Records(ctx context.Context, hashes []string) (all []seedlist.Seed, err error) {
	for _, hash := range hashes {
		seed, err := r.a.Seeds.Record(ctx, hash)
		if errors.Is(err, seedlist.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, problem(err)
		}
		all = append(all, seed)
	}
	return all, nil
}

// Samples are notices of a seed, or those of one code alone, in document order. They are of the head of its
// list, which has the first [report.SamplesListed] of each code. It leaves the first skip of each code out, and
// returns at most limit of each.
func (r *Reader) Samples(seed *seedlist.Seed, code fault.Code, skip, limit int) (all []fault.Notice, err error) {
	if !seed.HasNotices() {
		return nil, nil
	}
	file, err := r.a.Files.Open(seedfile.Key(seed, files.Notices), files.Notices)
	if err != nil {
		return nil, missing(err)
	}
	defer file.Close()
	seen := map[fault.Code]int{}
	err = report.ReadHead(files.Sequential(file), func(n fault.Notice) error {
		if code != "" && n.Code != code {
			return nil
		}
		if seen[n.Code]++; seen[n.Code] > skip && seen[n.Code] <= skip+limit {
			all = append(all, n)
		}
		return nil
	})
	return all, problem(err)
}

const (
	// mostText is how many bytes of a document's text are read for a page that shows a part of it: a tenth of
	// a second.
	mostText = 64 << 20
	// littleText is how many are read for a page that shows much else.
	littleText = 4 << 20
)

// errTooFar ends a reading that is too long for a page.
var errTooFar = errors.New("too far")

// bounded reads as much of a text as may be read for a page.
type boundedText struct {
	in   io.Reader
	left int64
}

func (b *boundedText) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooFar
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// text opens the text of a document, of which a page may read a part.
func (r *Reader) text(ctx context.Context, seed *seedlist.Seed, most int64) (io.Reader, io.Closer, error) {
	if r.a.Text == nil || seed.Content == nil {
		return nil, nil, huma.Error404NotFound(r.a.whyNotDirty(ctx, seed))
	}
	in, err := r.a.Text(ctx, *seed)
	if refused := new(fault.Error); errors.As(err, &refused) && refused.Kind != fault.Local {
		return nil, nil, huma.Error422UnprocessableEntity("the text can't be shown: " + refused.Error())
	}
	if err != nil {
		return nil, nil, missing(err)
	}
	return &boundedText{in, most}, in, nil
}

// Quote gives notices the lines of the document that they are in. Those of bytes that are gone, and those too far
// from the beginning, have none. Then why says so; else it is "". With little, less of the text is read.
func (r *Reader) Quote(ctx context.Context, seed *seedlist.Seed, notices []fault.Notice, little bool) (samples []report.Sample,
	why string) {
	if little {
		return NoticeReader{r}.QuoteWithin(ctx, seed, notices, littleText)
	}
	return NoticeReader{r}.QuoteWithin(ctx, seed, notices, mostText)
}

// Text reads the text of a document, in UTF-8, by a function that stops when it has what it wants. The
// error of one that comes to the end of what may be read for a page is in words.
func (r *Reader) Text(ctx context.Context, seed *seedlist.Seed, read func(io.Reader) error) error {
	in, end, err := r.text(ctx, seed, mostText)
	if err != nil {
		return err
	}
	defer end.Close()
	err = read(in)
	if errors.Is(err, errTooFar) {
		return huma.Error422UnprocessableEntity(fmt.Sprintf("lines after the first %d MiB of the text are not looked up here: download "+
			"the document", mostText>>20))
	}
	return missing(err)
}

// SubjectRows are lines of a clean file about one subject: at most limit, after the first skip.
func (r *Reader) SubjectRows(ctx context.Context, hash, iri string, skip, limit int) (rows []Row, more bool, err error) {
	if iri == "" || strings.ContainsAny(iri, "<> \n") {
		return nil, false, huma.Error422UnprocessableEntity("subject is an IRI, without < and >")
	}
	seed, err := r.a.find(ctx, hash)
	if err == nil {
		seed, err = r.Document(ctx, seed)
	}
	if err != nil {
		return nil, false, err
	}
	clean, err := cleanFile(ctx, r.a, &seed)
	if err != nil {
		return nil, false, err
	}
	enough := errors.New("enough")
	seen := 0
	err = files.EachOfSubject(r.a.Files, clean, iri, func(line []byte) error {
		if seen++; seen <= skip {
			return ctx.Err()
		}
		if len(rows) == limit {
			more = true
			return enough
		}
		cut := len(line) > longestRow
		rows = append(rows, Row{Text: strings.ToValidUTF8(string(line[:min(len(line), longestRow)]), ""), Cut: cut})
		return nil
	})
	if errors.Is(err, enough) {
		err = nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, missing(err)
	}
	return rows, more, problem(err)
}

// Refused is an error that refuses a request with a status of HTTP, in words for people.
func Refused(status int, message string) error { return huma.NewError(status, message) }
