package statistics

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/cespare/xxhash/v2"

	"laundromat/internal/commonprefix"
	"laundromat/rdf"
)

// Counter counts lines. It is for one goroutine.
type Counter struct {
	counted                                          Statistics
	properties, classes, datatypes, languages, hosts names
	objects, graphs                                  distinct
	room                                             int // bytes of names that may still be held
	waiting                                          int // bytes of names that wait to be looked up
	group                                            group
	before                                           []byte // the last line of the call before
	graph                                            []byte // that was counted last
	suffixes                                         suffixes
	link                                             link
	labels                                           labels
	lists                                            lists
}

// group is what is known of the lines of one subject.
type group struct {
	// The ends in a line of the subject, of the property, and of the object, each with the space after it.
	subject, property, triple int

	number     int32 // of the property
	isType     bool  // the property is rdf:type
	triples    int64
	classes    []int32
	hostIsRead bool // of the subject
}

// link is between the authorities of a subject and an object.
type link struct {
	from, to authority
	isKnown  bool  // what follows is of these two
	isOut    bool  // their hosts differ
	number   int32 // of the host that it leads to
}

// New makes a Counter.
func New() *Counter {
	c := &Counter{room: MaxNames}
	for _, n := range c.tables() {
		n.room = &c.room
	}
	return c
}

func (c *Counter) tables() [5]*names {
	return [...]*names{&c.properties, &c.classes, &c.datatypes, &c.languages, &c.hosts}
}

// Reset makes it as New does, and keeps its tables where they are small.
func (c *Counter) Reset() {
	for _, n := range c.tables() {
		n.reset()
	}
	c.objects.reset()
	c.graphs.reset()
	*c = Counter{properties: c.properties, classes: c.classes, datatypes: c.datatypes, languages: c.languages, hosts: c.hosts,
		objects: c.objects, graphs: c.graphs, before: c.before[:0], graph: c.graph[:0], suffixes: c.suffixes,
		group: group{classes: c.group.classes[:0]}, lists: c.lists, room: MaxNames}
}

// mostKept is how many slots of a table a Reset keeps.
const mostKept = 1024

// mostShared is the most that is compared of two lines where they are sorted.
const mostShared = 32 << 10

// Lines counts lines that are in the order of their bytes and unique. It takes their text, each with its line end,
// the
// indices after each, and how many bytes each and the line before, also that of the call before, begin with in
// common.
// For lines that have more than 32 KiB in common this may be less. The text is not kept.
func (c *Counter) Lines(text []byte, ends, shared []int) {
	if len(ends) == 0 {
		return
	}
	line, from := c.before, 0
	for i, end := range ends {
		before := line
		line = text[from:end]
		n := shared[i]
		if n >= mostShared {
			n = commonprefix.Common(before, line, 0)
		}
		c.count(line, n)
		from = end
	}
	c.lookUp()
	c.link.from.keep()
	c.link.to.keep()
	c.before = append(c.before[:0], line...)
}

// manyNames are so many that a table is no longer near the processor. A text is kept until at most mostWaiting of them
// were looked up.
const manyNames, mostWaiting = 2048, 256

// number is the number of a name in one of the tables, until the next lookUp.
func (c *Counter) number(n *names, name []byte) int32 {
	if c.room-c.waiting < len(name) || len(n.waiting) == mostWaiting {
		c.lookUp() // so that names are held in the order in which they come
	}
	if len(n.entries) < manyNames || c.room < len(name) {
		return n.number(name)
	}
	c.waiting += len(name) + 1 // a name may be empty
	return n.wait(name)
}

// lookUp looks up all names that wait.
func (c *Counter) lookUp() {
	if c.waiting == 0 {
		return
	}
	for _, n := range c.tables() {
		n.lookUp()
	}
	c.waiting = 0
	g := &c.group
	g.number, c.link.number = c.properties.resolve(g.number), c.hosts.resolve(c.link.number)
	for i, class := range g.classes {
		g.classes[i] = c.classes.resolve(class)
	}
}

// Read counts the lines of a text, which are as [Counter.Lines] takes them. One that is something else is an error.
func Read(text io.Reader) (*Statistics, error) { return New().Read(text) }

// lineReaders serve again, since most texts are shorter than their buffers.
var lineReaders = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 1<<16) }}

// Read counts the lines of a text, as the function Read does.
func (c *Counter) Read(text io.Reader) (*Statistics, error) {
	in := lineReaders.Get().(*bufio.Reader)
	in.Reset(text)
	defer func() {
		in.Reset(nil)
		lineReaders.Put(in)
	}()
	for {
		line, err := in.ReadBytes('\n')
		switch {
		case err == io.EOF && len(line) > 0:
			return nil, io.ErrUnexpectedEOF
		case err == io.EOF:
			return c.Statistics(), nil
		case err != nil:
			return nil, err
		}
		if !isPlausible(line) {
			return nil, errNoLine
		}
		c.Lines(line, []int{len(line)}, []int{commonprefix.Common(c.before, line, 0)})
	}
}

var errNoLine = errors.New("a line isn't one of canonical N-Quads")

// isPlausible says that a line has the outer shape of a statement, and so can be taken apart.
func isPlausible(line []byte) bool {
	subject, rest, ok := bytes.Cut(line, []byte{' '})
	if !ok || len(subject) < 2 {
		return false
	}
	property, rest, ok := bytes.Cut(rest, []byte{' '})
	if !ok || len(property) < 2 || property[0] != '<' || property[len(property)-1] != '>' {
		return false
	}
	rest, ok = bytes.CutSuffix(rest, []byte(" .\n"))
	if !ok || len(rest) < 2 {
		return false
	}
	switch rest[0] {
	case '<':
		return bytes.IndexByte(rest, '>') > 0
	case '"':
		return bytes.LastIndexByte(rest, '"') > 0
	}
	return rest[0] == '_'
}

// count counts a line, of which so many bytes are those of the line before.
func (c *Counter) count(line []byte, shared int) {
	c.counted.Statements++
	g := &c.group
	isNew := shared < g.subject || g.subject == 0
	if isNew {
		c.endSubject()
		c.counted.Subjects++
		g.subject = shared + bytes.IndexByte(line[shared:], ' ') + 1
		g.hostIsRead = false
	}
	if isNew = isNew || shared < g.property; isNew {
		c.beginProperty(line, max(shared, g.subject))
	}
	rest := line[g.property : len(line)-len(" .\n")]
	if !isNew && shared >= g.triple { // the same triple in another graph
		c.countGraph(rest[min(g.triple-g.property, len(rest)):])
		return
	}
	o := c.suffixes.split(rest)
	g.triple = g.property + len(o.text) + 1
	g.triples++
	c.countGraph(o.graph)
	c.objects.add(xxhash.Sum64(o.text))
	c.properties.add(g.number, 1, 0)
	switch o.kind {
	case iri:
		c.counted.IRIs++
		if g.isType {
			c.countClass(o.text)
		} else {
			c.countHost(line, o.text)
		}
	case blank:
		c.counted.BlankNodes++
	case triple:
		c.counted.TripleTerms++
	case literal:
		c.counted.Literals++
		c.countLiteral(&o)
		if c.labels.isOne {
			c.label(line, o.text)
		}
	}
}

// endSubject counts the triples of a subject for its classes.
func (c *Counter) endSubject() {
	g := &c.group
	c.counted.Triples += g.triples
	for _, class := range g.classes {
		c.classes.add(class, 0, g.triples)
	}
	g.classes, g.triples = g.classes[:0], 0
}

var typeProperty = []byte("<" + rdf.Type + "> ")

// beginProperty reads the property of a line. Its end is at or after the index.
func (c *Counter) beginProperty(line []byte, from int) {
	g := &c.group
	g.property = from + bytes.IndexByte(line[from:], ' ') + 1
	property := line[g.subject:g.property]
	g.isType = bytes.Equal(property, typeProperty)
	iri := property[1 : len(property)-len("> ")]
	g.number = c.number(&c.properties, iri)
	c.properties.add(g.number, 0, 1)
	if c.labels.most > 0 {
		c.labels.begin(iri)
	}
}

func (c *Counter) countGraph(graph []byte) {
	switch {
	case len(graph) == 0:
		c.counted.InDefaultGraph++
	case !bytes.Equal(graph, c.graph):
		c.graph = append(c.graph[:0], graph...)
		c.graphs.add(xxhash.Sum64(graph))
	}
}

func (c *Counter) countClass(term []byte) {
	at := c.number(&c.classes, term[1:len(term)-1])
	c.classes.add(at, 1, 0)
	if at != unheld {
		c.group.classes = append(c.group.classes, at)
	}
}

// countHost counts a link to another host than the subject's.
func (c *Counter) countHost(line, term []byte) {
	l, g := &c.link, &c.group
	if !g.hostIsRead {
		g.hostIsRead = true
		if subject := line[:g.subject-1]; !l.from.isOf(subject) {
			l.from.read(subject)
			l.isKnown = false
		}
	}
	if !l.to.isOf(term) {
		l.to.read(term)
		l.isKnown = false
	}
	if !l.isKnown {
		l.isKnown = true
		host := l.to.hostIn(term)
		if l.isOut = len(host) > 0 && !bytes.EqualFold(host, l.from.hostIn(l.from.begins)); l.isOut {
			l.number = c.number(&c.hosts, lower(host))
		}
	}
	if l.isOut {
		c.hosts.add(l.number, 1, 0)
	}
}

// lower is a host in lower case.
func lower(host []byte) []byte {
	for _, b := range host {
		if 'A' <= b && b <= 'Z' {
			return bytes.ToLower(host)
		}
	}
	return host
}

var (
	stringType        = []byte(rdf.String)
	langStringType    = []byte(rdf.LangString)
	dirLangStringType = []byte(rdf.DirLangString)
	beforeDirection   = []byte("--")
)

func (c *Counter) countLiteral(o *object) {
	datatype := o.datatype
	if datatype == nil {
		datatype = stringType
	}
	if o.language != nil {
		tag, _, hasDirection := bytes.Cut(o.language, beforeDirection)
		if datatype = langStringType; hasDirection {
			datatype = dirLangStringType
		}
		c.languages.add(c.number(&c.languages, tag), 1, 0)
	}
	c.datatypes.add(c.number(&c.datatypes, datatype), 1, 0)
}
