// Package peer finds other programs that read RDF, and has them read files, so that
// Laundromat can be compared with them. All write N-Quads.
//
// Programs are looked for where the shell would. They are serdi, rapper, node with the libraries of
// NODE_PATH, riot in a folder of jars, rdflib in a Python. Nothing is fetched; what is not there is
// reported, with the reason. Environment:
//
//	NODE_PATH           folder of the libraries n3, rdfxml-streaming-parser,
//	                    jsonld-streaming-parser, jsonld and oxigraph (npm install puts
//	                    them into node_modules)
//	LAUNDROMAT_JENA     folder of the jars of Apache Jena (lib of its distribution);
//	                    without it, /usr/share/java, where Debian's libapache-jena-java is
//	LAUNDROMAT_PYTHON   a Python that has rdflib; without it /usr/bin/python3, then
//	                    python3 of the path
//
// A program that is slow to start reads many texts one after the other, by a small
// driver of ours in its own language.
package peer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Peer is a program that is there.
type Peer struct {
	Name    string // as tables have it
	Version string // empty if it names none

	formats map[string]string // its names of formats, by ours
	convert func(format, file, base string) []string
	lax     []string // flags after the first word with which it reads on after faults
	env     []string
	serve   []string // the driver; nil if convert is quick to start
	driver  *driver
}

// Formats are those that a peer may know, as Laundromat names them.
var Formats = []string{"N-Triples", "N-Quads", "Turtle", "TriG", "RDF/XML", "JSON-LD"}

// Reads says whether a peer knows a format.
func (p *Peer) Reads(format string) bool { return p.formats[format] != "" }

// String is the name with the version.
func (p *Peer) String() string { return strings.TrimSpace(p.Name + " " + p.Version) }

// Convert is the command that reads a file and writes N-Quads to its standard output.
// The format must be one that the peer reads.
func (p *Peer) Convert(ctx context.Context, format, file, base string) *exec.Cmd {
	return p.command(ctx, p.convert(p.formats[format], file, base))
}

// ConvertOn is Convert, and reads on after faults where the peer can.
func (p *Peer) ConvertOn(ctx context.Context, format, file, base string) *exec.Cmd {
	line := p.convert(p.formats[format], file, base)
	return p.command(ctx, slices.Concat(line[:1], p.lax, line[1:]))
}

func (p *Peer) command(ctx context.Context, line []string) *exec.Cmd {
	command := exec.CommandContext(ctx, line[0], line[1:]...)
	command.Env = append(os.Environ(), p.env...)
	return command
}

// Strict is the peer without the flags with which it reads on after faults. Each is to be closed.
func (p *Peer) Strict() *Peer {
	strict := *p
	strict.lax, strict.driver = nil, nil
	return &strict
}

// Answer is what a peer made of a text.
type Answer struct {
	Quads   string // N-Quads, as it wrote them
	Error   string // what it said of faults; empty if nothing
	Lines   []int  // the lines that it named there
	Stopped bool   // it did not end in time
}

// Read has a peer read a file; one that can, reads on after faults. After the limit
// it is stopped, and what it wrote by then counts, if it writes while it reads.
// The error says that it could not be asked. An empty format is left to rapper's guess
// of the content, and to riot's of the extension; no other peer takes it.
func (p *Peer) Read(ctx context.Context, format, file, base string, limit time.Duration) (Answer, error) {
	if p.serve != nil {
		return p.ask(ctx, request{Format: p.formats[format], Base: base, File: file}, limit)
	}
	limited, stop := context.WithTimeout(ctx, limit)
	defer stop()
	command := p.ConvertOn(limited, format, file, base)
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	var exit *exec.ExitError
	err := command.Run()
	if ctx.Err() != nil {
		return Answer{}, ctx.Err()
	}
	if err != nil && !errors.As(err, &exit) {
		return Answer{}, err
	}
	a := Answer{Quads: out.String(), Error: strings.TrimSpace(said.String()), Stopped: limited.Err() != nil}
	if err != nil && a.Error == "" {
		a.Error = err.Error()
	}
	// This is how serdi and rapper name a line.
	places := regexp.MustCompile(`(?:` + regexp.QuoteMeta(filepath.Base(file)) + `|` + regexp.QuoteMeta(base) + `):(\d+)`)
	for _, m := range places.FindAllStringSubmatch(said.String(), -1) {
		n, _ := strconv.Atoi(m[1])
		a.Lines = append(a.Lines, n)
	}
	return a, nil
}

// Close ends the driver, if there is one.
func (p *Peer) Close() {
	if p.driver != nil {
		p.driver.stop()
		p.driver = nil
	}
}

// Missing is a peer that was not found, and why.
type Missing struct{ Name, Why string }

// Find looks for the peers of the names given, or for all. Drivers and what they need
// are written into folder, which must last as long as the peers.
func Find(ctx context.Context, folder string, names ...string) (found []*Peer, missing []Missing, err error) {
	for name, text := range drivers {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return nil, nil, err
		}
	}
	for _, one := range []struct {
		name string
		find func(context.Context, string) (*Peer, error)
	}{
		{"serdi", serdi}, {"rapper", rapper}, {"N3.js", library("n3", "N-Triples", "N-Quads", "Turtle", "TriG")},
		{"rdfxml-streaming-parser", library("rdfxml-streaming-parser", "RDF/XML")},
		{"jsonld-streaming-parser", library("jsonld-streaming-parser", "JSON-LD")},
		{"jsonld.js", library("jsonld", "JSON-LD")}, {"oxigraph", library("oxigraph", Formats...)},
		{"riot", riot}, {"rdflib", rdflib},
	} {
		if len(names) > 0 && !slices.Contains(names, one.name) {
			continue
		}
		p, err := one.find(ctx, folder)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			missing = append(missing, Missing{one.name, err.Error()})
			continue
		}
		p.Name = one.name
		found = append(found, p)
	}
	return found, missing, nil
}

// version is the first number with dots that a command says.
func version(ctx context.Context, line ...string) (string, error) {
	command := exec.CommandContext(ctx, line[0], line[1:]...)
	out, err := command.CombinedOutput()
	if err != nil {
		message, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		return "", fmt.Errorf("%s: %w", strings.Join([]string{filepath.Base(line[0]), message}, ": "), err)
	}
	return regexp.MustCompile(`\d+(\.\d+)+`).FindString(string(out)), nil
}

// own are formats that a driver of ours knows by our names.
func own(formats ...string) map[string]string {
	names := map[string]string{}
	for _, f := range formats {
		names[f] = f
	}
	return names
}
