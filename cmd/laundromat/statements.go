package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"laundromat/rdf/quadpattern"
	"laundromat/web"
	"laundromat/web/client"
)

// statementsOptions are the flags of statements.
type statementsOptions struct {
	given  quadpattern.Given
	limit  int64
	cursor string
}

func statementsCommand(u *ui) *cobra.Command {
	var o statementsOptions
	c := &cobra.Command{
		Use:   "statements [-s TERM] [-p TERM] [-o TERM] [-g TERM] [HASH|URI[@VERSION]…]",
		Short: "What clean files say: the statements with a subject, predicate, object or graph",
		Long: "Statements writes the statements of the clean files of all documents, or of those named, that have the terms given.\n" +
			"They come as N-Quads. A comment before those of a document names it, so that grep -v '^#' leaves statements alone.\n\n" +
			"An IRI may be without < and >, or have a well-known prefix (foaf:name); a is rdf:type. A literal is in quotation\n" +
			"marks, with a language or a datatype: '\"Bonn\"@de', '\"1\"^^xsd:integer'. -g default is the default graph.\n\n" +
			"A subject is found without reading all files. With other terms alone, files are read that may have them.",
		Example: "  laundromat statements -s http://example.org/ada\n" +
			"  laundromat statements -p foaf:name --limit 100\n" +
			"  laundromat statements -p a -o foaf:Person --json https://example.org/people.nt",
		RunE: func(c *cobra.Command, args []string) error {
			if o.given == (quadpattern.Given{}) && len(args) == 0 {
				return usage("statements wants a term (-s, -p, -o, -g) or documents; \"laundromat export\" writes all clean files")
			}
			if o.limit < 0 {
				return usage("--limit is above 0, or 0 for no limit")
			}
			for _, name := range []string{"subject", "predicate", "object", "graph"} {
				if f := c.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
					return usage("--%s is a term, not empty", name)
				}
			}
			if _, err := quadpattern.Parse(c.Context(), o.given); err != nil {
				return usage("%w", err)
			}
			return findStatements(c.Context(), u, &o, args)
		},
	}
	flags := c.Flags()
	flags.StringVarP(&o.given.Subject, "subject", "s", "", "the subject, an IRI")
	flags.StringVarP(&o.given.Predicate, "predicate", "p", "", "the predicate, an IRI")
	flags.StringVarP(&o.given.Object, "object", "o", "", "the object, an IRI or a literal")
	flags.StringVarP(&o.given.Graph, "graph", "g", "", "the graph, an IRI, or the word default")
	flags.Int64Var(&o.limit, "limit", 0, "most statements; 0: all")
	flags.StringVar(&o.cursor, "cursor", "", "go on where a run with --limit ended, as it said")
	return c
}

// statementsSum is what replies of one run said at their ends.
type statementsSum struct {
	end  web.StatementsEnd
	seen map[string]bool // documents
	api  *client.Client
	out  *bufio.Writer
}

func findStatements(ctx context.Context, u *ui, o *statementsOptions, refs []string) error {
	api, err := connect(ctx, u, toRead)
	if err != nil {
		return err
	}
	defer api.Close()
	var hashes []string
	for _, ref := range refs {
		hash, err := cleanOrSeed(ctx, api, ref)
		if err != nil {
			return err
		}
		hashes = append(hashes, hash)
	}
	if o.cursor != "" && len(hashes) > mostHashes {
		return usage("--cursor goes on with at most %d documents that are named", mostHashes)
	}
	out := bufio.NewWriterSize(u.out, 64<<10)
	sum := statementsSum{seen: map[string]bool{}, api: api, out: out}
	parts := [][]string{nil}
	if len(hashes) > 0 {
		parts = slices.Collect(slices.Chunk(hashes, mostHashes))
	}
	cursor := o.cursor
	for i := 0; i < len(parts); {
		left := o.limit - sum.end.Statements
		if o.limit > 0 && left <= 0 {
			break
		}
		end, err := sum.part(ctx, u, o, statementsRequest{parts[i], cursor, left})
		if err = errors.Join(err, out.Flush()); err != nil {
			return err
		}
		if cursor = end.Cursor; cursor == "" {
			i++
		}
		sum.end.Cursor, sum.end.Left = end.Cursor, end.Left
	}
	sum.end.Documents = int64(len(sum.seen))
	return tellStatements(u, &sum.end, len(parts) > 1)
}

// mostHashes is how many documents a request names: its address may not be too long.
const mostHashes = 100

// cleanOrSeed is the hash of the seed that ref names, or that of the clean file of the version after an @.
func cleanOrSeed(ctx context.Context, api *client.Client, ref string) (string, error) {
	if _, _, isVersioned := client.SplitVersion(ref); !isVersioned {
		return api.HashOf(ctx, ref)
	}
	seed, clean, err := api.Find(ctx, ref)
	if clean != "" {
		return clean, err
	}
	return seed.Hash, err
}

// statementsRequest is a part of what is asked for.
type statementsRequest struct {
	hashes []string
	cursor string
	limit  int64
}

// part asks once, and writes what comes.
func (sum *statementsSum) part(ctx context.Context, u *ui, o *statementsOptions, part statementsRequest) (end web.StatementsEnd,
	err error) {
	out, query := sum.out, url.Values{}
	for name, value := range map[string]string{
		"s": o.given.Subject, "p": o.given.Predicate, "o": o.given.Object, "g": o.given.Graph, "cursor": part.cursor,
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if len(part.hashes) > 0 {
		query["hash"] = part.hashes
	}
	if part.limit > 0 {
		query.Set("limit", strconv.FormatInt(part.limit, 10))
	}
	reply, err := sum.api.Open(ctx, "/statements", query)
	if err != nil {
		return end, err
	}
	defer reply.Close()
	hash := ""
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	line := func(text []byte) error {
		if !u.json {
			_, err := out.Write(text)
			return err
		}
		return encoder.Encode(web.StatementOf(hash, text[:len(text)-1]))
	}
	err = web.ReadStatements(bufio.NewReaderSize(reply, 64<<10), line, func(what string, value json.RawMessage) error {
		if what == "end" {
			return json.Unmarshal(value, &end)
		}
		var of web.StatementsOf
		if err := json.Unmarshal(value, &of); err != nil {
			return err
		}
		hash = of.Hash
		switch {
		case what == "damaged":
			if err := out.Flush(); err != nil {
				return err
			}
			fmt.Fprintf(u.err, "laundromat: %s (%s): its clean file can't be read to the end: %s; \"laundromat verify\" says more\n",
				of.Name, of.Hash, of.Problem)
		case !sum.seen[of.Hash]:
			sum.seen[of.Hash] = true
			if !u.json {
				_, err := fmt.Fprintf(out, "# %s %s\n", of.Hash, of.Name)
				return err
			}
		}
		return nil
	})
	sum.end.Statements += end.Statements
	sum.end.Files += end.Files
	sum.end.RuledOut += end.RuledOut
	sum.end.Damaged += end.Damaged
	return end, err
}

// tellStatements says what was found, and what is left.
func tellStatements(u *ui, end *web.StatementsEnd, inParts bool) error {
	said := fmt.Sprintf("%s of %s; %s read, %d ruled out by their filters", counted(int(end.Statements), "statement", "statements"),
		counted(int(end.Documents), "document", "documents"), counted(int(end.Files), "file", "files"), end.RuledOut)
	if end.Left != nil {
		said += fmt.Sprintf("; %s of %d bytes not read to the end", counted(int(end.Left.Files), "file", "files"), end.Left.Bytes)
		if !inParts {
			said += ", which --cursor " + end.Cursor + " goes on with"
		}
	}
	u.note("%s", said)
	if end.Damaged > 0 {
		return exit(exitFailed, fmt.Errorf("%s damaged: what they say is missing here", counted(int(end.Damaged), "clean file is",
			"clean files are")))
	}
	return nil
}
