package states

import (
	"laundromat/rdf/write"
)

// graphFirst is a Target that gives the lines of documents to another with their graph in front.
type graphFirst struct{ Target }

// GraphFirst makes a Target that gives the lines to another with their graph in front: see
// [write.AppendGraphFirst]. A target that sorts then sorts them by their graph.
func GraphFirst(to Target) Target { return graphFirst{to} }

// Document begins a document.
func (g graphFirst) Document(name string, key func() (string, error)) (DocumentTarget, error) {
	document, err := g.Target.Document(name, key)
	if err != nil {
		return nil, err
	}
	return &graphFirstDocument{DocumentTarget: document}, nil
}

type graphFirstDocument struct {
	DocumentTarget
	moved []byte
}

// mostMoved is how much memory is kept between two calls, in bytes.
const mostMoved = 1 << 20

func (d *graphFirstDocument) Lines(text []byte, n int) error {
	d.moved = write.AppendGraphFirst(d.moved[:0], text)
	err := d.DocumentTarget.Lines(d.moved, n)
	if cap(d.moved) > mostMoved {
		d.moved = nil
	}
	return err
}
