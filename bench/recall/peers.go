package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// peers are other programs that read the same files. Their formats are by ours.
var peers = []struct {
	name    string
	command string
	args    func(syntax, file string) []string
	formats map[string]string
}{
	{"serdi -l", "serdi", func(syntax, file string) []string {
		return []string{"-l", "-i", syntax, "-o", "nquads", file, base}
	}, map[string]string{"N-Triples": "ntriples", "N-Quads": "nquads", "Turtle": "turtle", "TriG": "trig"}},
	{"rapper", "rapper", func(syntax, file string) []string {
		return []string{"-i", syntax, "-o", "nquads", file, base}
	}, map[string]string{"N-Triples": "ntriples", "N-Quads": "nquads", "Turtle": "turtle", "TriG": "trig", "RDF/XML": "rdfxml"}},
}

// peerTime is how long a peer may take for one text; some never end on some of them.
// What it wrote up to then counts.
const peerTime = 2 * time.Second

// places are how the peers name a line in what they say.
var places = regexp.MustCompile(`(?:/text|example\.org/doc):(\d+)`)

// installed are the peers that there are, and the names of those that there are not.
func installed(folder string) (there []program, missing []string) {
	for _, peer := range peers {
		path, err := exec.LookPath(peer.command)
		if err != nil {
			missing = append(missing, peer.name)
			continue
		}
		there = append(there, program{peer.name, func(ctx context.Context, format, text string) (r reading, ok bool, err error) {
			syntax, ok := peer.formats[format]
			if !ok {
				return r, false, nil
			}
			file := filepath.Join(folder, "text")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				return r, false, err
			}
			ctx0 := ctx
			ctx, stop := context.WithTimeout(ctx, peerTime)
			defer stop()
			command := exec.CommandContext(ctx, path, peer.args(syntax, file)...)
			var out, said bytes.Buffer
			command.Stdout, command.Stderr = &out, &said
			var exit *exec.ExitError
			if err := command.Run(); err != nil && !errors.As(err, &exit) {
				return r, false, err
			}
			r.endless = ctx.Err() != nil
			// What it wrote is read as N-Quads, since programs escape characters as they like;
			// what it wrote twice counts once.
			written, err := washed(ctx0, "N-Quads", out.String())
			if err != nil {
				return r, false, err
			}
			seen := map[statement]bool{}
			for _, s := range written.statements {
				if !seen[s] {
					seen[s] = true
					r.statements, r.repaired = append(r.statements, s), append(r.repaired, false)
				}
			}
			r.lines = map[int]bool{}
			for _, m := range places.FindAllStringSubmatch(said.String(), -1) {
				line, _ := strconv.Atoi(m[1])
				r.lines[line] = true
			}
			return r, true, nil
		}})
	}
	return there, missing
}
