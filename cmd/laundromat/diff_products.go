package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strconv"

	"laundromat/records/changes"
	"laundromat/seedlist"
	"laundromat/states/inputs"
	"laundromat/states/kind"
)

// product is what is compared in place of statements; "" for none.
func (o *diffOptions) product() string {
	switch {
	case o.records:
		return kind.Records
	case o.articles:
		return kind.Articles
	}
	return ""
}

// checkProduct refuses flags that have no meaning with or without a product.
func (o *diffOptions) checkProduct(isNodes bool) error {
	switch {
	case o.records && o.articles:
		return usage("--records and --articles are compared one at a time")
	case len(o.key) > 0 && !o.records:
		return usage("--key is for --records")
	case o.product() == "":
		return nil
	case o.wash || isNodes || o.output != "" || o.as == "patch":
		return usage("--wash, --nodes, -o and --as patch are for statements: records and articles are compared as lines or counts")
	}
	return nil
}

// compareProducts compares the records or articles that two arguments name.
func compareProducts(ctx context.Context, u *ui, o *diffOptions, args []string) (counts changes.Counts, err error) {
	opened := &diffInputs{ui: u, options: o}
	defer opened.close()
	var versions [2]io.ReadCloser
	for i, arg := range args {
		if versions[i], err = opened.product(ctx, arg); err != nil {
			return counts, err
		}
		defer versions[i].Close()
	}
	key := o.key
	if len(key) == 0 {
		key = []string{"id"}
	}
	out := bufio.NewWriter(u.out)
	to := &productLines{out: out, isSilent: o.as == "counts"}
	counts, err = changes.Compare(ctx, versions[0], versions[1], to, changes.Options{Key: key, Memory: o.memory, Temp: o.temp})
	var bad *changes.LineError
	if errors.As(err, &bad) {
		err = fmt.Errorf("%s: %w (lines as \"laundromat get --%s\" gives them are compared)", seedlist.Shown(args[bad.Side]), bad,
			o.product())
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return counts, err
	}
	return counts, tellProductChanges(u, o, &counts)
}

// product opens the lines of an argument: a file, or a document of the store.
func (i *diffInputs) product(ctx context.Context, arg string) (io.ReadCloser, error) {
	if _, err := os.Stat(arg); arg == "-" || !errors.Is(err, os.ErrNotExist) || !isSeedRef(arg) {
		lines, spooled, err := inputs.OpenClean(ctx, arg, i.ui.in, i.options.temp)
		if spooled != nil {
			i.closers = append(i.closers, spooled)
		}
		if err != nil {
			return nil, err
		}
		return lines()
	}
	if i.api == nil {
		api, err := connect(ctx, i.ui, toRead)
		if err != nil {
			return nil, err
		}
		i.api = api
	}
	seed, version, err := i.api.FindVersion(ctx, arg)
	if err != nil {
		return nil, err
	}
	query := url.Values{}
	if version > 0 {
		query.Set("version", strconv.FormatInt(version, 10))
	}
	return i.api.Open(ctx, "/seeds/"+seed.Hash+"/"+i.options.product(), query)
}

// productLines writes changes as lines: a line that changed is - and +.
type productLines struct {
	out      *bufio.Writer
	isSilent bool
}

func (p *productLines) write(mark string, line []byte) error {
	if p.isSilent {
		return nil
	}
	p.out.WriteString(mark)
	p.out.Write(line)
	return p.out.WriteByte('\n')
}

func (p *productLines) Removed(line []byte) error { return p.write("- ", line) }
func (p *productLines) Added(line []byte) error   { return p.write("+ ", line) }
func (p *productLines) Changed(before, after []byte) error {
	return errors.Join(p.write("- ", before), p.write("+ ", after))
}

// tellProductChanges writes the sums: as JSON or text on stdout if they are what was asked for, else as a line on
// stderr.
func tellProductChanges(u *ui, o *diffOptions, c *changes.Counts) error {
	if u.json {
		return encodeTo(u.out, c)
	}
	out := u.err
	if o.as == "counts" {
		out = u.out
	} else if u.quiet {
		return nil
	}
	_, err := fmt.Fprintf(out, "%d %s before - %d removed + %d added = %d after; %d changed\n", c.Before, o.product(), c.Removed, c.Added,
		c.After, c.Changed)
	return err
}
