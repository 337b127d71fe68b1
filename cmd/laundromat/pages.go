package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/archive"
	"laundromat/internal/fault"
	"laundromat/internal/outfile"
	"laundromat/seedlist"
	"laundromat/states/inputs"
)

// pagesOptions are the flags of pages.
type pagesOptions struct {
	limits      archive.Limits
	share       string // --part
	output      string
	part, parts int // what share says; part is from 0
}

func pagesCommand(u *ui) *cobra.Command {
	var o pagesOptions
	c := &cobra.Command{
		Use:   "pages FILE…",
		Short: "Write the pages of crawls (dumps, WARC) in the safe form: a line a page, its URL, a tab, the page in base64",
		Long: "Write the pages of crawls (dumps, WARC) in the safe form: a line a page, its URL, a tab, the\n" +
			"page in base64. \"wash\" reads that form like the others. --part 2/8 reads the pages that begin in\n" +
			"the second of eight parts of a dump, so that several can share one file.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if o.part, o.parts, err = partOf(o.share); err != nil {
				return err
			}
			var to io.Writer = u.out
			var whole *outfile.File
			if o.output != "" {
				if whole, err = outfile.Create(o.output); err != nil {
					return err
				}
				defer whole.Abort()
				to = whole
			}
			out := bufio.NewWriterSize(to, 64<<10)
			dropped := false
			for _, name := range args {
				lost, err := runPages(c.Context(), u, out, name, &o)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				dropped = dropped || lost
			}
			if err := out.Flush(); err != nil {
				return err
			}
			if whole != nil {
				if err := whole.Close(); err != nil {
					return err
				}
			}
			if dropped {
				return exit(exitDropped, nil)
			}
			return nil
		},
	}
	c.Flags().StringVar(&o.share, "part", "1/1", "read part I of N of each file")
	c.Flags().StringVarP(&o.output, "output", "o", "", "write to this FILE")
	addLimits(c.Flags(), &o.limits)
	return c
}

// partOf reads I/N, from 1; part is from 0.
func partOf(text string) (part, parts int, err error) {
	first, second, _ := strings.Cut(text, "/")
	part, err = strconv.Atoi(first)
	if err == nil {
		parts, err = strconv.Atoi(second)
	}
	if err != nil || part < 1 || parts < part {
		return 0, 0, usage("--part %s: not a part such as 2/8", text)
	}
	return part - 1, parts, nil
}

// runPages writes the pages of one file, and says whether anything of it was lost.
func runPages(ctx context.Context, u *ui, out io.Writer, name string, o *pagesOptions) (lost bool, err error) {
	file, err := inputs.OpenFile(u.stopping, name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	source, err := inputs.SourceOf(file)
	if err != nil {
		return false, err
	}
	opened, err := archive.Open(ctx, source, name, o.limits, func(n fault.Notice) {
		lost = lost || n.Severity == fault.Drop
		fmt.Fprintf(u.err, "%s: %s: %s: %s\n", name, n.Severity, n.Code, seedlist.ShownIn(n.Message))
	})
	if err != nil {
		return lost, err
	}
	defer opened.Close()
	if opened.Format == "" {
		return lost, fault.New("pages", fault.Data, fault.FormatNotRDF, "it holds no pages of a crawl")
	}
	err = opened.Part(ctx, o.part, o.parts, func(e archive.Entry, page io.Reader) error {
		if e.URI == "" {
			lost = true
			fmt.Fprintf(u.err, "%s: entry %s has no URL\n", name, e.Shown())
			return nil
		}
		return archive.WritePageLine(out, e.URI, page)
	})
	return lost, err
}
