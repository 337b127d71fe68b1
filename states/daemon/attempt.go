package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// attempt is the log's entry of the work of a stage.
func (r *Runner) attempt(ctx context.Context, s *stageResult) seedlist.Attempt {
	a := s.done.common().log
	a.ParserName, a.ParserVersion, a.ParserRuntime = string(s.claim.Stage), r.opt.Version, s.runtime.Seconds()
	a.SourceURL, a.AccessDatetime = r.place(ctx, s.claim.Seed), s.claim.Since
	if s.err == nil {
		a.Result, a.SourceText = "success", ""
		if s.claim.Stage == seedlist.Parsing {
			a.SourceText = seedfile.Key(&s.claim.Seed, seedfile.DirtyForm(&s.claim.Seed))
		}
		return a
	}
	a.Result, a.Kind = string(codeOf(s.err)), fault.KindOf(s.err).String()
	a.Traceback = seedlist.ShownIn(traceback(s.err))
	a.InsertCount = 0
	return a
}

// place names a seed as people do: URI!/entry!/entry.
func (r *Runner) place(ctx context.Context, seed seedlist.Seed) string {
	path := ""
	for seed.Parent != "" && seed.Archive != nil && seed.Archive.URI == "" {
		path = "!/" + seed.Archive.Entry + path
		parent, err := r.seeds.Record(ctx, seed.Parent)
		if err != nil {
			return seed.Parent + path
		}
		seed = parent
	}
	if seed.Parent != "" && seed.Archive != nil {
		return seed.Archive.URI + path
	}
	return seed.URI + path
}

// traceback is the stack of a panic, or else the chain of causes, outermost first.
func traceback(err error) string {
	var e *fault.Error
	if errors.As(err, &e) && e.Stack != "" {
		return e.Stack
	}
	var chain string
	for err != nil {
		line := fmt.Sprintf("%T: %v", err, err)
		if errors.As(err, &e) && error(e) == err {
			line = fmt.Sprintf("%s (%s, %s): %v", e.Op, e.Kind, e.Code, err)
		}
		chain += line + "\n"
		err = errors.Unwrap(err)
	}
	return chain
}

// sourceText is the beginning of what came back, for the log of a failure. Where the work did not
// get so far as to say it, it is that of the seed's bytes.
func (r *Runner) sourceText(claim seedlist.Claim, done outcome) string {
	if text := done.common().log.SourceText; text != "" || claim.Stage == seedlist.Downloading {
		return text
	}
	if source := r.fresh.open(&claim.Seed); source != nil {
		head := make([]byte, min(source.Size(), excerptBytes))
		n, _ := source.ReadAt(head, 0)
		return excerpt(head[:n])
	}
	form := seedfile.DirtyForm(&claim.Seed)
	file, err := r.files.Open(seedfile.Key(&claim.Seed, form), form)
	if err != nil {
		return ""
	}
	defer file.Close()
	var body io.Reader = files.Sequential(file)
	if form == files.DirtyGzip {
		if body, err = gzip.NewReader(body); err != nil {
			return ""
		}
	}
	head := make([]byte, excerptBytes)
	n, _ := io.ReadFull(body, head)
	return excerpt(head[:n])
}

// recordError puts the error that ended a stage into the words of a record.
func recordError(claim seedlist.Claim, err error) *seedlist.Error {
	return &seedlist.Error{Stage: claim.Stage, Kind: fault.KindOf(err), Code: codeOf(err), Message: seedlist.ShownIn(err.Error())}
}

// codeOf is the code of an error that ended a stage; one without a code of its own
// has that of its kind.
func codeOf(err error) fault.Code {
	if code := fault.CodeOf(err); code != "" {
		return code
	}
	switch fault.KindOf(err) {
	case fault.Stopped:
		return fault.LocalStopped
	case fault.Local:
		return fault.LocalDisk
	default:
		return fault.SyntaxUnreadable
	}
}
