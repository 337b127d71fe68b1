package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/internal/outfile"
	"laundromat/rdf/diff"
	"laundromat/states"
	"laundromat/web/client"
)

// diffOptions are the flags of diff.
type diffOptions struct {
	as     string
	nodes  string
	output string
	memory int64
	temp   string
	wash   bool
	base   string
	format string

	records, articles bool // are compared in place of statements
	key               []string
}

// The exit codes of diff are those of the program of that name.
const (
	exitSame      = 0
	exitDifferent = 1
	exitTrouble   = 2
)

func diffCommand(u *ui) *cobra.Command {
	var o diffOptions
	c := &cobra.Command{
		Use:   "diff [flags] A B",
		Short: "The changes between two clean files, or versions of a document",
		Long: "Diff writes the statements that are in A and not in B (-), and those that are in B and not in A (+).\n" +
			"A and B are clean files (N-Quads as wash writes them, plain or in gzip; - for standard input), or with\n" +
			"--data documents of the store: HASH or URI, the hash of a clean file, or HASH@N for version N.\n\n" +
			"Blank nodes, and IRIs that stand for them, are matched by what is said of them, whatever they are called.\n\n" +
			"With --records or --articles their lines are compared: those of documents of the store, or files of JSON lines. A\n" +
			"line of the same key (id, or --key) whose values are others is changed: it is written as - and +.\n\n" +
			"Exit: 0 nothing changed, 1 something did, 2 trouble, 4 HASH or URI not in the store.",
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if u.json && !c.Flags().Changed("as") {
				o.as = "counts"
			}
			if err := o.checkProduct(c.Flags().Changed("nodes")); err != nil {
				return err
			}
			return runDiff(c.Context(), u, &o, args)
		},
	}
	flags := c.Flags()
	flags.StringVar(&o.as, "as", "lines", "how changes are written: lines (- and +), patch (RDF Patch), counts")
	flags.StringVarP(&o.output, "output", "o", "", "write added.nq.gz, removed.nq.gz and renamed.tsv.gz (the nodes that are the same "+
		"under other names) into this DIR")
	flags.StringVar(&o.nodes, "nodes", "match", "match: blank nodes by what is said of them; name: by their names (always with --as patch)")
	o.memory = 1 << 30
	flags.Var(sizeValue{&o.memory}, "memory", "memory for matching nodes; if it is not enough, names are compared")
	flags.StringVar(&o.temp, "temp", "", "folder for temporary files (default $TMPDIR)")
	flags.BoolVar(&o.wash, "wash", false, "wash the files first, whatever format they are in")
	flags.StringVar(&o.base, "base", "", "with --wash: base IRI of both (default: the place of A)")
	flags.BoolVar(&o.records, "records", false, "compare records")
	flags.BoolVar(&o.articles, "articles", false, "compare articles")
	flags.StringSliceVar(&o.key, "key", nil, "with --records: the fields by which a record is known (default: id, where records have it)")
	flags.StringVar(&o.format, "format", "", "with --wash: the format of both (default: guess)")
	return c
}

func (o *diffOptions) check() error {
	switch {
	case o.as != "lines" && o.as != "patch" && o.as != "counts":
		return usage("--as is lines, patch or counts, not %q", o.as)
	case o.nodes != "match" && o.nodes != "name":
		return usage("--nodes is match or name, not %q", o.nodes)
	case o.output != "" && o.as == "patch":
		return usage("-o writes files of changes, and --as patch one stream: name one")
	case o.memory < 1<<20:
		return usage("--memory is 1M or more")
	case !o.wash && (o.base != "" || o.format != ""):
		return usage("--base and --format say how files are washed: add --wash")
	}
	return nil
}

// runDiff runs the verb. What goes wrong has another exit code than a difference.
func runDiff(ctx context.Context, u *ui, o *diffOptions, args []string) error {
	if err := o.check(); err != nil {
		return err
	}
	if o.product() != "" {
		counts, err := compareProducts(ctx, u, o, args)
		switch {
		case endedBy(err) != nil:
			return err
		case err != nil:
			return exit(exitTrouble, err)
		case !counts.Same():
			return exit(exitDifferent, nil)
		}
		return nil
	}
	result, err := compareInputs(ctx, u, o, args)
	switch {
	case endedBy(err) != nil:
		return err
	case err != nil:
		return exit(exitTrouble, err)
	case o.as == "patch" && result.Removed+result.Added > 0, !result.Same():
		return exit(exitDifferent, nil)
	}
	return nil
}

func compareInputs(ctx context.Context, u *ui, o *diffOptions, args []string) (diff.Result, error) {
	opened := &diffInputs{ui: u, options: o}
	defer opened.close()
	var sources [2]diff.Source
	for i, arg := range args {
		source, err := opened.open(ctx, arg, args)
		if err != nil {
			return diff.Result{}, err
		}
		sources[i] = source
	}
	out, err := changesOutput(u, o, opened.hashes)
	if err != nil {
		return diff.Result{}, err
	}
	defer out.Abort()
	changes := diff.Output{Removed: out.Removed, Added: out.Added, Renamed: out.Renamed}
	result, err := diff.Compare(ctx, sources[diff.Before], sources[diff.After], changes, diff.Options{
		Memory: o.memory, ByName: o.nodes == "name" || o.as == "patch",
		Check: func(side diff.Side, lines []byte) error {
			if err := states.CheckCanonical(ctx, lines); err != nil {
				return unclean(args[side], err)
			}
			return nil
		},
	})
	var message *diff.Unclean
	if errors.As(err, &message) {
		err = unclean(args[message.Side], message)
	}
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		return result, err
	}
	return result, tellChanges(u, o, result)
}

// unclean says what can be done with a file that is not clean.
func unclean(arg string, err error) error {
	return fmt.Errorf("%s isn't a clean file: %w (\"laundromat diff --wash\" washes both first)", arg, err)
}

// tellChanges writes the sums: as JSON or text on stdout if they are what was asked
// for, else as a line on stderr.
func tellChanges(u *ui, o *diffOptions, r diff.Result) error {
	if u.json {
		return encodeTo(u.out, struct {
			Before          int64 `json:"before"`
			After           int64 `json:"after"`
			Removed         int64 `json:"removed"`
			Added           int64 `json:"added"`
			Renamed         int64 `json:"renamed"`
			UnmatchedBefore int64 `json:"unmatched_before"`
			UnmatchedAfter  int64 `json:"unmatched_after"`
			ByName          bool  `json:"by_name"`
		}{r.Before, r.After, r.Removed, r.Added, r.Renamed, r.Gone, r.New, r.ByName})
	}
	out := u.err
	if o.as == "counts" {
		out = u.out
	} else if u.quiet {
		return nil
	}
	text := fmt.Sprintf("%d statements before - %d removed + %d added = %d after", r.Before, r.Removed, r.Added, r.After)
	if r.Renamed > 0 {
		text += fmt.Sprintf("; %d blank nodes are the same under other names", r.Renamed)
	}
	if r.Gone+r.New > 0 {
		text += fmt.Sprintf("; %d before and %d after could not be matched", r.Gone, r.New)
	}
	if r.ByName && o.nodes == "match" && o.as != "patch" {
		text += "; blank nodes were compared by name: matching them needs more --memory"
	}
	_, err := fmt.Fprintln(out, text)
	return err
}

// changesWriter is where the changes go.
type changesWriter interface {
	Removed(line []byte) error
	Added(line []byte) error
	Renamed(before, after []byte) error
	Close() error
	Abort()
}

// changesOutput is where they go as the flags say; hashes are those of the clean files, where they are known.
func changesOutput(u *ui, o *diffOptions, hashes []string) (changesWriter, error) {
	if o.output != "" {
		if err := os.MkdirAll(o.output, 0o777); err != nil {
			return nil, err
		}
		files, err := outfile.NewChangeFiles(o.output, outfile.Options{Level: 6})
		if err != nil {
			return nil, err
		}
		return files, nil
	}
	switch o.as {
	case "patch":
		marks := outfile.Marks{Removed: diff.PatchRemoved, Added: diff.PatchAdded, Begin: diff.PatchBegin("", ""), End: diff.PatchEnd}
		if len(hashes) == 2 { // both are of the store
			marks.Begin = diff.PatchBegin(hashes[diff.Before], hashes[diff.After])
		}
		return outfile.NewChangedLines(outfile.Stream(u.out), marks), nil
	case "counts":
		return outfile.NewChangedLines(outfile.Nowhere{}, outfile.Marks{}), nil
	}
	return outfile.NewChangedLines(outfile.Stream(u.out), outfile.Marks{Removed: "- ", Added: "+ "}), nil
}

// isSeedRef says that an argument names a document of the store: a hash or a URI, with
// or without a version after it.
func isSeedRef(arg string) bool {
	ref, _, _ := strings.Cut(arg, "!/")
	if at := strings.LastIndexByte(ref, '@'); at >= 0 && client.IsHash(ref[:at]) {
		ref = ref[:at]
	}
	return client.IsHash(ref) || strings.Contains(ref, "://")
}
