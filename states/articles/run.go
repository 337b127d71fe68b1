// Package articles reads pages, feeds, plain text and files of articles, packed or not, and writes the articles
// in them. It does for articles what [states.Washer] does for statements.
//
//	run := articles.New(out, articles.Options{Output: output, Memory: 256 << 20, Each: show})
//	defer run.Close()
//	repeats, err := run.Read(ctx, []string{"page.html"}, &inputs.Opener{})
package articles

import (
	"bufio"
	"context"
	"io"
	"time"

	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/states"
	"laundromat/states/inputs"
	"laundromat/text/job"
	"laundromat/text/near"
)

// Options say how articles are made and written.
type Options struct {
	// Settings are those of unpacking. Workers is on how many pages there is work at once.
	states.Settings
	Given  states.Given // Encoding and ContentType
	Form   job.Form     // of every document; "" to find it out
	Job    job.Options
	Output job.WriterOptions
	Memory int64 // of the process, in bytes
	// Page fetches the page of an entry, for feeds that were fetched; nil to fetch none.
	Page func(ctx context.Context, url string) ([]byte, string, error)
	// Each is given every document, container and failed input when it is done.
	Each func(*report.Document)
	// Progress is given how far the document at work is read; nil if nobody asks.
	Progress func(name string, bytes, size, articles, notices int64)
	Samples  int  // how many notices of each code the report of a document holds
	Measured bool // the hashes of documents are asked for
}

// Run reads inputs one after another, and writes their articles.
type Run struct {
	Options
	out    *bufio.Writer
	writer *job.Writer

	input string // the name of the one at hand
	added string // when the input at hand was fetched; empty for files
	isWeb bool   // pages of entries may be fetched: the input itself was
}

// New makes a Run that writes to out.
func New(out io.Writer, o Options) *Run {
	return &Run{Options: o, out: bufio.NewWriterSize(out, 256<<10)}
}

// Read reads all inputs of these names, and writes their articles to the end. It returns the repeats of each input, if
// they are looked for. An error of the output is a *records.SinkError.
func (r *Run) Read(ctx context.Context, names []string, opener *inputs.Opener) (repeats []near.Counts, err error) {
	if r.writer, err = job.NewWriter(r.out, r.Output); err != nil {
		return nil, err
	}
	if err := r.read(ctx, names, opener); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if repeats, err = r.writer.Finish(ctx); err != nil {
		return nil, err
	}
	return repeats, r.out.Flush()
}

// Close removes what is on disk.
func (r *Run) Close() error {
	if r.writer == nil {
		return nil
	}
	return r.writer.Close()
}

func (r *Run) read(ctx context.Context, names []string, opener *inputs.Opener) (err error) {
	reader := r.reader()
	defer func() { // work that was put off must not outlive the run
		if waited := reader.Wait(); err == nil {
			err = waited
		}
	}()
	for _, name := range names {
		input := func(ctx context.Context, in states.Input) error {
			r.added, r.isWeb, r.input = "", inputs.IsWeb(name), in.Name
			if r.isWeb {
				r.added = time.Now().UTC().Format(time.RFC3339)
				if in.Key == "" {
					in.Key = seedlist.Key(in.Base)
				}
			}
			return reader.Input(ctx, in)
		}
		if err := opener.With(ctx, name, input, reader.Report); err != nil {
			return err
		}
	}
	return nil
}

// reader goes through the inputs.
func (r *Run) reader() *states.TextReader {
	given := r.Given
	given.Format = ""
	return &states.TextReader{
		Settings: r.Settings, Given: given, Look: noText, Read: r.document, Each: r.Each,
		Progress: r.Progress, Samples: r.Samples, Measured: r.Measured, OfArticles: true,
		ReadsBack: r.Job.Mojibake == job.MendMojibake,
	}
}
