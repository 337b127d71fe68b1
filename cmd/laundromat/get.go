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
)

func (p *program) getCommand() *cobra.Command {
	var dirty, notices, added, removed, renamed, compressed bool
	var output, subject string
	c := &cobra.Command{
		Use:   "get HASH|URI[@VERSION]",
		Short: "The clean N-Quads of a document, or --dirty its bytes, or --notices all that was found, or what changed",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			named := 0
			for _, one := range [...]bool{dirty, notices, added, removed, renamed} {
				if one {
					named++
				}
			}
			if named > 1 {
				return usage("--dirty, --notices, --added, --removed and --renamed are files: name one")
			}
			if c.Flags().Changed("subject") {
				switch {
				case named > 0:
					return usage("--subject picks statements of the clean file: name no other")
				case strings.Trim(subject, "<>") == "":
					return usage("--subject is an IRI")
				}
			}
			return p.withVersion(c.Context(), args[0], func(client *client, hash, version string) error {
				what, query := "/clean.nq.gz", url.Values{}
				if named == 0 && version != "" {
					hash = version
				}
				switch {
				case subject != "":
					query.Set("subject", strings.TrimSuffix(strings.TrimPrefix(subject, "<"), ">"))
				case dirty:
					what = "/dirty"
				case notices:
					what = "/notices"
				case added:
					what = "/added.nq.gz"
				case removed:
					what = "/removed.nq.gz"
				case renamed:
					what = "/renamed.tsv.gz"
				}
				return p.get(c.Context(), client, "/seeds/"+hash+what, query, output, !dirty && !notices, compressed)
			})
		},
	}
	flags := c.Flags()
	flags.BoolVar(&dirty, "dirty", false, "the bytes as they came")
	flags.BoolVar(&notices, "notices", false, "every notice, as JSON lines")
	flags.BoolVar(&added, "added", false, "the statements that the last wash brought")
	flags.BoolVar(&removed, "removed", false, "the statements that the last wash no longer found")
	flags.BoolVar(&renamed, "renamed", false, "the blank nodes that the last wash found under other names: before, tab, after")
	flags.StringVar(&subject, "subject", "", "only the clean statements about this IRI, found without reading all")
	flags.BoolVar(&compressed, "gzip", false, "lines as they are stored, in gzip")
	flags.StringVarP(&output, "output", "o", "", "write to this FILE (.gz: in gzip)")
	return c
}

// withVersion tells the hash of the seed that ref names, and that of the clean file of the
// version behind an @; "" if none is named: what the seed has now, the API knows.
func (p *program) withVersion(ctx context.Context, ref string, do func(client *client, hash, version string) error) error {
	client, err := p.connect(ctx, toRead)
	if err != nil {
		return err
	}
	defer client.close()
	if _, _, versioned := splitVersion(ref); !versioned {
		hash, err := client.hashOf(ctx, ref)
		if err != nil {
			return err
		}
		return do(client, hash, "")
	}
	seed, clean, err := client.find(ctx, ref)
	if err != nil {
		return err
	}
	return do(client, seed.Hash, clean)
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
	whole, err := newWholeFile(output)
	if err != nil {
		return err
	}
	defer whole.abort()
	if _, err := io.Copy(whole, body); err != nil {
		return err
	}
	return whole.Close()
}
