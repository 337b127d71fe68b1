package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"laundromat/internal/outfile"
	"laundromat/report"
	"laundromat/states/articles"
	"laundromat/text"
	"laundromat/text/job"
)

// textOptions are the flags of text.
type textOptions struct {
	washOptions // those about reading that hold for text too

	as, tokens, offsets  string
	mojibake             string
	newlines, all, extra bool
	repeats, unique      bool
	main                 bool
	blockRepeats         bool
	hostDelay            time.Duration
	form                 job.Form // by --format; empty if it is to be found out
}

func textCommand(u *ui) *cobra.Command {
	var o textOptions
	c := &cobra.Command{
		Use:   "text [flags] FILE|DIR|URL|-…",
		Short: "Pages, feeds and dumps in, articles out",
		Long: "Text reads pages (HTML, XHTML), feeds (RSS, Atom), plain text, f5 and full5, packed in archives or in\n" +
			"dumps of crawlers, and writes their articles: text in blocks, tokens, links and quotations, each\n" +
			"with its place. Faults are reported on stderr.\n\n" +
			"Exit: 0 all kept, 3 something was dropped, 1 a document ended in an error, 7 nothing was text.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runText(c.Context(), u, &o, args) },
	}
	o.addText(c.Flags())
	return c
}

// addText adds the flags.
func (o *textOptions) addText(flags *pflag.FlagSet) {
	flags.StringVar(&o.as, "as", "", "the format of the output: "+strings.Join(job.Outputs(), ", ")+" (default: by the name of the "+
		"output, else jsonl)")
	flags.StringVarP(&o.output, "output", "o", "", "write to this FILE, or articles.FORMAT under this DIR (ends in /, or exists)")
	flags.StringVar(&o.tokens, "tokens", "", "corenlp, repaired or none (default: repaired; in f5 and full5 corenlp)")
	flags.BoolVar(&o.newlines, "newlines", false, "make a token "+job.Newline+" of each line end of the text")
	flags.StringVar(&o.offsets, "offsets", "codepoints", "what places in jsonl count: codepoints or utf16")
	flags.BoolVar(&o.all, "all", false, "write every block, which is the default")
	flags.BoolVar(&o.main, "main", false, "write only the main content of pages; what has no page is written whole")
	flags.BoolVar(&o.extra, "extra", false, "write the columns I, V, S and G in f5 as well, and V in full5")
	flags.StringVar(&o.mojibake, "fix-mojibake", "phase-a",
		"read back text that is UTF-8 and was read in a wrong encoding: yes, no, or phase-a (in records of f5 and full5 of that time)")
	flags.Lookup("fix-mojibake").NoOptDefVal = "yes"
	flags.BoolVar(&o.repeats, "repeats", true,
		"say in jsonl which article another one repeats; nothing is written before all is read")
	flags.BoolVar(&o.blockRepeats, "block-repeats", false, "say in jsonl of each block how many pages of its host have it")
	flags.BoolVar(&o.unique, "unique", false, "leave out articles that repeat an earlier one, or nearly do")
	flags.StringVar(&o.given.Format, "format", "", "what every document is: "+strings.Join(job.Forms(), ", ")+" (default: find out)")
	flags.StringVar(&o.given.Encoding, "encoding", "", "the character encoding of every document (default: find out)")
	flags.DurationVar(&o.hostDelay, "host-delay", time.Second, "pause between two requests to one host for pages of a feed's entries")
	o.addInputs(flags)
}

// endings are the formats that the name of an output can say.
var endings = map[string]string{".jsonl": "jsonl", ".f5": "f5", ".full5": "full5", ".wet": "wet", ".warc": "wet", ".txt": "text",
	".md": "markdown", ".markdown": "markdown", ".parquet": "parquet"}

// checkText checks the flags, and completes them.
func (o *textOptions) checkText() error {
	if strings.HasSuffix(strings.ToLower(o.output), ".gz") {
		return usage("-o %s: articles are not compressed as they are written", o.output)
	}
	named := endings[strings.ToLower(filepath.Ext(o.output))]
	if o.as == "" {
		o.as = "jsonl"
		if named != "" {
			o.as = named
		}
	}
	if err := oneOf("as", o.as, job.Outputs()...); err != nil {
		return err
	}
	if err := job.Available(o.as); err != nil {
		return err
	}
	if err := oneOf("offsets", o.offsets, "codepoints", "utf16"); err != nil {
		return err
	}
	isColumns := o.as == "f5" || o.as == "full5"
	switch {
	case named != "" && named != o.as:
		return usage("-o %s is named as %s, and --as says %s", o.output, named, o.as)
	case o.offsets == "utf16" && o.as != "jsonl":
		return usage("--offsets utf16 is for jsonl: %s counts nothing else than it does", o.as)
	case o.extra && !isColumns:
		return usage("--extra is for f5 and full5, not %s", o.as)
	case isColumns && o.tokens == "none":
		return usage("--tokens none: %s holds the text in tokens", o.as)
	case isColumns && o.tokens == "":
		o.tokens = "corenlp"
	case o.tokens == "":
		o.tokens = "repaired"
	}
	if err := oneOf("tokens", o.tokens, "corenlp", "repaired", "none"); err != nil {
		return err
	}
	if o.given.Format != "" {
		var ok bool
		if o.form, ok = job.Named(o.given.Format); !ok {
			return oneOf("format", strings.ToLower(o.given.Format), job.Forms()...)
		}
	}
	if err := o.checkRepeats(); err != nil {
		return err
	}
	return o.checkInputs()
}

// checkRepeats checks the flags about what is read back or left out.
func (o *textOptions) checkRepeats() error {
	switch {
	case o.blockRepeats && (o.as != "jsonl" || !o.repeats):
		return usage("--block-repeats is for jsonl, with --repeats")
	case o.unique && !o.repeats:
		return usage("--unique leaves out what --repeats finds")
	}
	return oneOf("fix-mojibake", o.mojibake, "yes", "no", "phase-a")
}

// job are the settings of how articles are made.
func (o *textOptions) job() job.Options {
	tokens := map[string]job.Tokens{"corenlp": job.CoreNLP, "repaired": job.Repaired, "none": job.None}
	mojibake := map[string]job.Mojibake{"yes": job.MendMojibake, "no": job.KeepMojibake}
	return job.Options{Tokens: tokens[o.tokens], Newlines: o.newlines, Mojibake: mojibake[o.mojibake], Main: o.main,
		MaxMemory: o.memory / 2}
}

// out is how they are written.
func (o *textOptions) out() job.WriterOptions {
	out := job.WriterOptions{Output: job.Output{Format: o.as, Extra: o.extra, Date: time.Now()}, Temp: o.temp, Memory: o.memory / 4,
		Blocks: o.blockRepeats}
	if o.offsets == "utf16" {
		out.Offsets = text.UTF16
	}
	switch {
	case o.unique:
		out.Repeats = job.DropRepeats
	case !o.repeats:
	case o.as == "jsonl":
		out.Repeats = job.MarkRepeats
	case o.report != "":
		out.Repeats = job.CountRepeats
	}
	return out
}

// workers is on how many pages there is work at once: each may need its share of the memory.
func (o *textOptions) textWorkers() int {
	return max(1, min(runtime.GOMAXPROCS(0), int(o.memory>>26)))
}

// path is the file of the output; empty for standard output.
func (o *textOptions) path() (string, error) {
	if o.output == "" || o.output == "-" {
		return "", nil
	}
	if info, err := os.Stat(o.output); !strings.HasSuffix(o.output, "/") && (err != nil || !info.IsDir()) {
		return o.output, nil
	}
	if err := os.MkdirAll(o.output, 0o777); err != nil {
		return "", err
	}
	return filepath.Join(o.output, "articles."+o.as), nil
}

// runText runs the verb.
func runText(ctx context.Context, u *ui, o *textOptions, args []string) error {
	if o.main && o.all {
		return usage("--main and --all exclude each other")
	}
	if err := o.checkText(); err != nil {
		return err
	}
	if err := o.checkFolders(); err != nil {
		return err
	}
	t := newTally(u, &o.washOptions)
	defer t.bar.stop()
	t.whole.Articles = &report.Articles{}
	limitTextMemory(o.memory)
	if err := o.write(ctx, u, t, args); err != nil {
		return err
	}
	return t.conclude(nil)
}

// limitTextMemory bounds the heap, beside what the sort has. What a page needs is garbage soon after: where there
// is room, it is collected seldom.
func limitTextMemory(memory int64) {
	debug.SetMemoryLimit(min(memory*8/10, memory-programMemory-memory/10))
	debug.SetGCPercent(400)
}

// write reads all inputs into the output, which takes its name when all is read.
func (o *textOptions) write(ctx context.Context, u *ui, t *tally, args []string) error {
	path, err := o.path()
	if err != nil {
		return err
	}
	if args, err = expandFolders(u, args, path, o.report); err != nil {
		return err
	}
	to := u.out
	var file outfile.Whole
	if path != "" {
		if file, err = outfile.CreateOrOpen(path); err != nil {
			return err
		}
		defer file.Abort()
		to = file
	} else if isTerminal(u.out) {
		to = &shownWriter{to: to}
	}
	opener := o.opener(u, len(args) > 1)
	settings := o.reading()
	settings.Workers = o.textWorkers()
	run := articles.New(to, articles.Options{
		Settings: settings, Given: o.given, Form: o.form, Job: o.job(), Output: o.out(), Memory: o.memory,
		Page: o.furtherPages(opener, o.hostDelay).Page, Each: t.each, Progress: t.bar.progress,
		Samples: o.samples, Measured: o.report != "",
	})
	defer run.Close()
	repeats, err := run.Read(ctx, args, opener)
	t.whole.CountRepeats(repeats, o.unique)
	if err != nil || file == nil {
		return written(err)
	}
	return file.Close()
}

// shownWriter writes to a terminal: characters that it would obey are U+FFFD.
type shownWriter struct {
	to   io.Writer
	rest []byte // the beginning of a character
}

func (w *shownWriter) Write(p []byte) (int, error) {
	text := append(w.rest, p...)
	out := make([]byte, 0, len(text))
	for len(text) > 0 && (utf8.FullRune(text)) {
		r, n := utf8.DecodeRune(text)
		if r != '\n' && r != '\t' && r != '\u00a0' && !unicode.IsPrint(r) {
			r = utf8.RuneError
		}
		out = utf8.AppendRune(out, r)
		text = text[n:]
	}
	w.rest = text
	if _, err := w.to.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}
