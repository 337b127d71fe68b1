package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/spf13/cobra"

	"laundromat/seedlist"
)

func (p *program) getCommand() *cobra.Command {
	var dirty, notices, compressed bool
	var output, subject string
	c := &cobra.Command{
		Use:   "get HASH|URI",
		Short: "The clean N-Quads of a document, or --dirty its bytes, or --notices all that was found",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if dirty && notices {
				return usage("--dirty and --notices are two files: name one")
			}
			if c.Flags().Changed("subject") {
				switch {
				case dirty || notices:
					return usage("--subject picks clean statements: --dirty and --notices have none")
				case strings.Trim(subject, "<>") == "":
					return usage("--subject is an IRI")
				}
			}
			return p.withSeed(c.Context(), args[0], func(client *client, seed seedlist.Seed) error {
				what, query := "/clean.nq.gz", url.Values{}
				switch {
				case subject != "":
					query.Set("subject", strings.TrimSuffix(strings.TrimPrefix(subject, "<"), ">"))
				case dirty:
					what = "/dirty"
				case notices:
					what = "/notices"
				}
				return p.get(c.Context(), client, "/seeds/"+seed.Hash+what, query, output, !dirty && !notices, compressed)
			})
		},
	}
	flags := c.Flags()
	flags.BoolVar(&dirty, "dirty", false, "the bytes as they came")
	flags.BoolVar(&notices, "notices", false, "every notice, as JSON lines")
	flags.StringVar(&subject, "subject", "", "only the clean statements about this IRI, found without reading all")
	flags.BoolVar(&compressed, "gzip", false, "clean N-Quads as they are stored, in gzip")
	flags.StringVarP(&output, "output", "o", "", "write to this FILE (.gz: in gzip)")
	return c
}

func (p *program) get(ctx context.Context, client *client, path string, query url.Values, output string, isGzip, keepGzip bool) error {
	stream, err := client.open(ctx, http.MethodGet, path, query, nil)
	if err != nil {
		return err
	}
	defer stream.Close()
	var body io.Reader = stream
	if isGzip && !keepGzip && !strings.HasSuffix(output, ".gz") {
		if body, err = gzip.NewReader(stream); err != nil {
			return fmt.Errorf("the clean file is damaged; \"laundromat verify\" tells more: %w", err)
		}
	}
	if output == "" || output == "-" {
		_, err = io.Copy(p.out, body)
		return err
	}
	file, err := besideFile(output)
	if err != nil {
		return err
	}
	whole := &wholeFile{File: file, name: output}
	defer whole.abort()
	if _, err := io.Copy(file, body); err != nil {
		return err
	}
	return whole.Close()
}
