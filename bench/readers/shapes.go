package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"laundromat/bench/process"
	"laundromat/internal/testkit/corpus"
	"laundromat/internal/testkit/peer"
)

// shapeRead is what reading one shape of lines, or the real files of one format, took.
type shapeRead struct {
	name       string
	size       int64
	contenders []*contender
}

// runShapes reads each shape of lines, and the real files, by ours, by -before and by serdi, in turn.
func (o *options) runShapes(ctx context.Context) error {
	peers, _, err := peer.Find(ctx, o.Folder)
	if err != nil {
		return err
	}
	only := "serdi"
	if o.as != "" && o.only != "" {
		only = o.only
	}
	peers = slices.DeleteFunc(peers, func(p *peer.Peer) bool { return !slices.Contains(strings.Split(only, ","), p.Name) })
	if _, err := exec.LookPath("taskset"); err != nil {
		o.cpu = ""
	}
	var results []*shapeRead
	for _, shape := range corpus.Shapes() {
		if o.shapes != "all" && !slices.Contains(strings.Split(o.shapes, ","), shape.Name) {
			continue
		}
		for _, format := range o.formatsOf(shape) {
			r, err := o.readShape(ctx, shape, format, peers)
			if err != nil {
				return fmt.Errorf("%s: %w", shape.Name, err)
			}
			results = append(results, r)
		}
	}
	if o.real != "" {
		real, err := o.readReal(ctx, peers)
		if err != nil {
			return err
		}
		results = append(results, real...)
	}
	slices.SortStableFunc(results, func(a, b *shapeRead) int { return cmp.Compare(a.times(), b.times()) })
	o.shapesTable(os.Stdout, results)
	if o.write == "" {
		return nil
	}
	var section bytes.Buffer
	options, name := o.shapes, "bench/readers -shapes"
	if o.as != "" {
		options += " -as " + o.as + " -only " + o.only
		name += " -as"
	}
	fmt.Fprintf(&section, `
    go -C bench run ./readers -shapes %s -n %d -runs %d -write %s

Lines in each shape (bench/wash says what they are), read, judged and written to /dev/null, without a sort, by one processor in
turn, the least of %d of the processor time, taken on %s. The ratio is that of the fastest peer to ours; the worst leads.
`, options, o.statements, o.Runs, o.write, o.Runs, process.Today())
	o.shapesTable(&section, results)
	fmt.Fprintln(&section)
	return process.WriteSection(o.write, name, section.Bytes())
}

// least is the least processor time of the runs: what other work delays is no longer in it.
func (c *contender) least() float64 {
	least := 1e9
	for _, u := range c.usages {
		least = min(least, (u.User + u.System).Seconds())
	}
	return least
}

// fastest is the peer that takes least; nil if none reads it.
func (r *shapeRead) fastest() (best *contender) {
	for _, c := range r.contenders[1:] {
		if c.name != "before" && c.fault == "" && (best == nil || c.least() < best.least()) {
			best = c
		}
	}
	return best
}

// times is how many times as long the fastest peer takes; much if there is none.
func (r *shapeRead) times() float64 {
	if peer := r.fastest(); peer != nil {
		return peer.least() / max(r.contenders[0].least(), 0.001)
	}
	return 1000
}

// formatsOf are the formats that a shape is read in: that of its lines, or those of -as. Dirt is that of lines.
func (o *options) formatsOf(shape corpus.Shape) (all []corpus.Format) {
	if o.as == "" {
		return []corpus.Format{shape.Format}
	}
	for _, f := range strings.Split(o.as, ",") {
		hasGraphs := shape.Format == corpus.NQuads
		if shape.Dirt == 0 && (!hasGraphs || f == string(corpus.TriG) || f == string(corpus.JSONLD)) {
			all = append(all, corpus.Format(f))
		}
	}
	return all
}

func (o *options) readShape(ctx context.Context, shape corpus.Shape, format corpus.Format, peers []*peer.Peer) (*shapeRead, error) {
	input := filepath.Join(o.Folder, "x."+string(format))
	file, err := os.Create(input)
	if err != nil {
		return nil, err
	}
	defer os.Remove(input)
	if err := errors.Join(shape.WriteAs(file, format, o.statements), file.Close()); err != nil {
		return nil, err
	}
	name := ""
	for _, f := range formats {
		if f.extension == format {
			name = f.name
		}
	}
	shown := shape.Name
	if o.as != "" {
		shown += ", " + name
	}
	r, err := o.readFiles(ctx, shown, name, []string{input}, peers)
	if err == nil {
		fmt.Printf("%-24s", r.name)
		for _, c := range r.contenders {
			fmt.Printf("  %s %.2f s", c.name, c.processor())
		}
		fmt.Println()
	}
	return r, err
}

// realFormats are the extensions of real files that are read, and the formats they say.
var realFormats = []struct{ extension, format string }{
	{".nt", "N-Triples"}, {".nq", "N-Quads"}, {".ttl", "Turtle"}, {".trig", "TriG"}, {".rdf", "RDF/XML"}, {".owl", "RDF/XML"},
	{".jsonld", "JSON-LD"},
}

// readReal reads the real files, as they are, those of an extension together.
func (o *options) readReal(ctx context.Context, peers []*peer.Peer) (results []*shapeRead, err error) {
	files := map[string][]string{}
	err = filepath.WalkDir(o.real, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files[filepath.Ext(path)] = append(files[filepath.Ext(path)], path)
		}
		return err
	})
	for _, f := range realFormats {
		if len(files[f.extension]) == 0 || err != nil {
			continue
		}
		var r *shapeRead
		if r, err = o.readFiles(ctx, fmt.Sprintf("real files, *%s (%d)", f.extension, len(files[f.extension])), f.format,
			files[f.extension], peers); err == nil {
			results = append(results, r)
		}
	}
	return results, err
}

// readFiles reads files one after the other, in each run by all contenders.
func (o *options) readFiles(ctx context.Context, name, format string, files []string, peers []*peer.Peer) (*shapeRead, error) {
	r := &shapeRead{name: name}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			return nil, err
		}
		r.size += info.Size()
	}
	type reading struct {
		*contender
		of func(context.Context, string) *exec.Cmd
	}
	var readings []reading
	add := func(name string, of func(context.Context, string) *exec.Cmd) {
		c := &contender{name: name}
		r.contenders = append(r.contenders, c)
		readings = append(readings, reading{c, of})
	}
	ours := func(program string) func(context.Context, string) *exec.Cmd {
		return func(ctx context.Context, file string) *exec.Cmd {
			command := exec.CommandContext(ctx, program, "wash", "--no-sort", "--quiet", "--base", base, "--format", format, file)
			command.Env = append(os.Environ(), "GOMAXPROCS=1")
			return command
		}
	}
	add("laundromat", ours(o.Program))
	if o.before != "" {
		add("before", ours(o.before))
	}
	for _, p := range peers {
		if p.Reads(format) {
			add(p.Name, func(ctx context.Context, file string) *exec.Cmd { return p.ConvertOn(ctx, format, file, base) })
		}
	}
	for range o.Runs {
		for _, reading := range readings {
			var sum process.Usage
			for _, file := range files {
				reading.command = func(ctx context.Context) *exec.Cmd { return reading.of(ctx, file) }
				usage, err := o.timed(ctx, reading.contender)
				var exit *exec.ExitError
				if err != nil && !errors.As(err, &exit) { // dirt ends in another code, and is read all the same
					return nil, err
				}
				sum.Wall += usage.Wall
				sum.User += usage.User
				sum.System += usage.System
			}
			reading.usages = append(reading.usages, sum)
		}
	}
	return r, nil
}

func (o *options) shapesTable(to io.Writer, results []*shapeRead) {
	fmt.Fprintln(to, "\n| shape | MB | laundromat, processor s | MB/s a core | before, processor s | fastest peer, processor s | ratio |\n|---|--:|--:|--:|--:|--:|--:|")
	for _, r := range results {
		s := r.contenders[0].least()
		before, peer, ratio := "–", "–", "–"
		for _, c := range r.contenders[1:] {
			if c.name == "before" {
				before = fmt.Sprintf("%.2f", c.least())
			}
		}
		if c := r.fastest(); c != nil {
			peer, ratio = fmt.Sprintf("%.2f (%s)", c.least(), c.name), fmt.Sprintf("%.2f", r.times())
		}
		fmt.Fprintf(to, "| %s | %.1f | %.2f | %.0f | %s | %s | %s |\n", r.name, float64(r.size)/1e6, s, float64(r.size)/1e6/max(s, 0.001),
			before, peer, ratio)
	}
}
