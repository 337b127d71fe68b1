package peers_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"

	knakk "github.com/knakk/rdf"
	"github.com/piprate/json-gold/ld"

	"laundromat/rdf"
)

// childMark is the environment variable that makes the test binary a child.
const childMark = "LAUNDROMAT_PEER"

func TestMain(m *testing.M) {
	if os.Getenv(childMark) != "" {
		debug.SetMaxStack(32 << 20) // so that endless recursion ends soon
		debug.SetMemoryLimit(1 << 30)
		if err := serve(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// request asks a child to parse one text, and answer says what came of it.
type (
	request struct {
		Format, Base string
		Text         []byte
	}
	answer struct {
		Quads []rdf.Quad
		Error string
	}
)

// serve is the child: it answers requests until there are no more.
func serve(in io.Reader, out io.Writer) error {
	from, to := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var q request
		if err := from.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var a answer
		var err error
		if q.Format == "jsonld" {
			err = gold(q)
		} else {
			a.Quads, err = second(q)
		}
		if err != nil {
			a.Error = "error: " + err.Error()
		}
		if err := to.Encode(a); err != nil {
			return err
		}
	}
}

var knakkFormats = map[string]knakk.Format{"ntriples": knakk.NTriples, "turtle": knakk.Turtle, "rdfxml": knakk.RDFXML}

// second is what knakk/rdf reads.
func second(q request) (quads []rdf.Quad, err error) {
	decoder := knakk.NewTripleDecoder(bytes.NewReader(q.Text), knakkFormats[q.Format])
	if q.Format != "ntriples" {
		base, err := knakk.NewIRI(q.Base)
		if err != nil {
			return nil, err
		}
		if err := decoder.SetOption(knakk.Base, base); err != nil {
			return nil, err
		}
	}
	triples, err := decoder.DecodeAll()
	for _, t := range triples {
		quads = append(quads, rdf.Quad{Subject: term(t.Subj), Predicate: term(t.Pred), Object: term(t.Obj)})
	}
	return quads, err
}

func term(t knakk.Term) rdf.Term {
	switch t := t.(type) {
	case knakk.IRI:
		return rdf.Term{Kind: rdf.IRI, Value: []byte(t.String())}
	case knakk.Blank:
		return rdf.Term{Kind: rdf.BlankNode, Value: []byte(t.String())}
	case knakk.Literal:
		l := rdf.Term{Kind: rdf.Literal, Value: []byte(t.String()), Language: []byte(t.Lang())}
		if datatype := t.DataType.String(); datatype != rdf.String && t.Lang() == "" {
			l.Datatype = []byte(datatype)
		}
		return l
	}
	return rdf.Term{}
}

// gold has json-gold expand a document and turn it into a dataset.
func gold(q request) error {
	var document any
	if err := json.Unmarshal(q.Text, &document); err != nil {
		return err
	}
	options := ld.NewJsonLdOptions(q.Base)
	options.DocumentLoader = selfLoader{}
	_, err := ld.NewJsonLdProcessor().ToRDF(document, options)
	return err
}

// selfLoader answers every IRI with a context that names the same IRI, and touches no network.
type selfLoader struct{}

func (selfLoader) LoadDocument(iri string) (*ld.RemoteDocument, error) {
	return &ld.RemoteDocument{DocumentURL: iri, Document: map[string]any{"@context": iri}}, nil
}

// child is a running child process; the next request after its death starts another.
type child struct {
	t      testing.TB
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *json.Decoder
	stderr bytes.Buffer
}

// died is the error of an answer that never came.
const died = "died: "

func (c *child) ask(q request) answer {
	c.t.Helper()
	if c.cmd == nil {
		c.start()
	}
	var a answer
	err := json.NewEncoder(c.in).Encode(q)
	if err == nil {
		err = c.out.Decode(&a)
	}
	if err != nil {
		c.stop()
		message := c.stderr.String()
		if i := strings.Index(message, "panic: "); i >= 0 {
			message = message[i:]
		}
		message, _, _ = strings.Cut(message, "\n")
		a.Error = died + message
	}
	return a
}

func (c *child) start() {
	c.t.Helper()
	program, err := os.Executable()
	if err != nil {
		c.t.Fatal(err)
	}
	c.cmd = exec.Command(program)
	c.cmd.Env = append(os.Environ(), childMark+"=1", "GOTRACEBACK=single")
	c.stderr.Reset()
	c.cmd.Stderr = &c.stderr
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		c.t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	c.out = json.NewDecoder(out)
	if err := c.cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
}

// stop ends the child and waits for it; it may be dead already.
func (c *child) stop() {
	if c.cmd != nil {
		c.in.Close()
		_ = c.cmd.Wait() // a child that died ends with an error, which its stderr explains
		c.cmd = nil
	}
}

func newChild(t testing.TB) *child {
	c := &child{t: t}
	t.Cleanup(c.stop)
	return c
}
