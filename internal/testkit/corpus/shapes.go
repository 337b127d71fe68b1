package corpus

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// Shape is a manner in which the world's linked data is written as lines. A program may be quick on
// one and slow on another.
type Shape struct {
	Name   string
	What   string // for the page
	Format Format // NTriples or NQuads
	Dirt   int    // one line in so many is broken; 0 breaks none
	// Fewer is by how much the number of statements is divided, where they are long; 0 for not at all.
	Fewer int

	write func(*bufio.Writer, int)
}

// Shapes are all of them, in the order of the page.
func Shapes() []Shape { return slices.Clone(shapes) }

// ShapeOf finds a shape by its name.
func ShapeOf(name string) (Shape, error) {
	for _, s := range shapes {
		if s.Name == name {
			return s, nil
		}
	}
	return Shape{}, fmt.Errorf("corpus: no shape %q", name)
}

// Write writes n statements, always the same. Some shapes round up to whole subjects.
func (s Shape) Write(to io.Writer, n int) error {
	dirt := &Dirt{To: to, Every: s.Dirt}
	w := bufio.NewWriterSize(dirt, 64<<10)
	s.write(w, s.Statements(n))
	if err := w.Flush(); err != nil {
		return err
	}
	return dirt.Close()
}

// Statements is how many Write writes where n are asked for, about.
func (s Shape) Statements(n int) int { return n / max(s.Fewer, 1) }

var shapes = []Shape{
	{Name: "subjects", What: "DBpedia-like, in subject order, hardly a letter outside ASCII", Format: NTriples,
		write: func(w *bufio.Writer, n int) {
			// Writing to w never fails: it keeps the error until Flush.
			_ = Corpus{Format: NTriples, Family: 1, Statements: n, Named: true}.Write(w)
		}},
	{Name: "shuffled",
		What:   "in no order, one line in two with letters outside ASCII, one in twenty with a tag like pt-BR, one in ten twice",
		Format: NTriples, write: manner{order: inNone, wide: true, tags: true, copies: 10}.write},
	{Name: "shuffled-ascii", What: "the same without letters outside ASCII", Format: NTriples, write: manner{order: inNone, tags: true,
		copies: 10}.write},
	{Name: "properties", What: "by property, each sorted, as DBpedia's dumps are", Format: NTriples,
		write: manner{order: byProperty, wide: true}.write},
	{Name: "truthy", What: "Wikidata's: numbers as names, labels in 300 languages and many scripts", Format: NTriples, write: writeTruthy},
	{Name: "freebase", What: "Freebase's old dump: tabs, escapes like \\u00E9, names like $0028", Format: NTriples, write: writeFreebase},
	{Name: "abstracts", What: "long abstracts, with escapes", Format: NTriples, Fewer: 10, write: writeAbstracts},
	{Name: "blank-nodes", What: "in no order, one line in ten with blank nodes", Format: NTriples, write: manner{order: inNone, wide: true,
		blanks: true}.write},
	{Name: "copies-0", What: "in no order, no line twice", Format: NTriples, write: manner{order: inNone, wide: true}.write},
	{Name: "copies-50", What: "in no order, every second line a copy", Format: NTriples, write: manner{order: inNone, wide: true,
		copies: 50}.write},
	{Name: "dirt-0.1", What: "in no order, one line in 1000 broken", Format: NTriples, Dirt: 1000,
		write: manner{order: inNone, wide: true}.write},
	{Name: "dirt-1", What: "in no order, one line in 100 broken", Format: NTriples, Dirt: 100,
		write: manner{order: inNone, wide: true}.write},
	{Name: "notes", What: "something to note in each line: numbers not in canonical form, tags in capitals", Format: NTriples,
		write: writeNotes},
	{Name: "hub", What: "one subject", Format: NTriples, write: writeHub},
	{Name: "graphs", What: "N-Quads, in no order, a graph for every ten lines", Format: NQuads, write: manner{order: inNone, wide: true,
		graphs: true}.write},
}

// manner is how DBpedia-like statements are made.
type manner struct {
	order  order
	copies int  // percent of the lines that are those of others again
	wide   bool // one subject in two, and what is said of it, has letters outside ASCII
	tags   bool // one line in twenty has a language tag with capitals
	blanks bool // one line in ten has a blank node
	graphs bool
}

// order is that of the statements.
type order uint8

const (
	inNone order = iota
	byProperty
)

// properties is how many statements a subject has: each of a property of its own.
const properties = 10

func (m manner) write(w *bufio.Writer, n int) {
	n = (n + properties - 1) / properties * properties
	shuffle := newPermutation(n)
	for i := range n {
		number := i
		if m.order == byProperty {
			number = i%(n/properties)*properties + i/(n/properties)
		} else {
			if number = shuffle.of(i); m.copies > 0 {
				// An original is one that its own number does not make a copy.
				for r := generatorOf(number, 1); r.next(100) < m.copies; r = generatorOf(number, 1) {
					number = r.next(n)
				}
			}
		}
		m.statement(w, number/properties, number%properties)
	}
}

// statement writes what a property says of a subject.
func (m manner) statement(w *bufio.Writer, number, property int) {
	wide := m.wide && chance(number, 2, 2)
	r := generatorOf(number*properties+property, 3)
	page := fmt.Sprintf("<http://en.wikipedia.org/wiki/page%d>", r.next(10_000))
	if m.blanks {
		page = fmt.Sprintf("_:page%d", r.next(10_000))
	}
	language := "en"
	if m.tags && property < 2 && r.next(4) == 0 { // of two properties in ten, one in four
		language = capitalTags[r.next(len(capitalTags))]
	}
	w.WriteString("<" + resource + nameOf(number, wide) + "> ")
	switch property {
	case 0:
		fmt.Fprintf(w, "<%slabel> \"%s\"@%s", rdfs, sentence(&r, 2+r.next(3), wide), language)
	case 1:
		fmt.Fprintf(w, "<%sabstract> \"%s.\"@%s", ontology, sentence(&r, 12+r.next(30), wide), language)
	case 2:
		fmt.Fprintf(w, "<%stype> <%s%s>", rdf, ontology, classes[r.next(len(classes))])
	case 3:
		fmt.Fprintf(w, "<%spopulationTotal> \"%d\"^^<%snonNegativeInteger>", ontology, r.next(5_000_000), xsd)
	case 4:
		fmt.Fprintf(w, "<%sfoundingDate> \"%d-%02d-%02d\"^^<%sdate>", ontology, 1000+r.next(1020), 1+r.next(12), 1+r.next(28), xsd)
	case 5:
		fmt.Fprintf(w, "<%sisPrimaryTopicOf> %s", ontology, page)
	case 6:
		fmt.Fprintf(w, "<%ssameAs> <http://www.wikidata.org/entity/Q%d>", owl, r.next(1<<30))
	default:
		other := r.next(1_000_000)
		fmt.Fprintf(w, "<%swikiPageWikiLink> <%s%s>", ontology, resource, nameOf(other, wide && chance(other, 2, 2)))
	}
	if m.graphs {
		fmt.Fprintf(w, " <%s%d>", graphs, number)
	}
	w.WriteString(" .\n")
}

// capitalTags are tags as many write them.
var capitalTags = []string{"pt-BR", "zh-Hans", "en-GB", "zh-Hant", "de-AT", "es-419", "sr-Latn", "EN"}

// sortedSyllables are in order, and none begins another: names made of them are in the order of
// their numbers.
var sortedSyllables = []string{"Ba", "Den", "El", "For", "Gra", "Hau", "In", "Ko", "Lau", "Mar", "Nor", "Os", "Pen", "Ri", "Sta", "Tu",
	"Ver", "Wal", "Yl", "Zu"}

var (
	plainEnds = []string{"_(town)", "", "_River", "_(film)", ",_Texas", "_County", "_(album)", "_1987"}
	wideEnds  = []string{"_(Österreich)", "_Łódź", "_Київ", "_東京都", "–Málaga", "_São_Paulo", "_Ağrı", "_Αθήνα", "_École", "_Гора", "_서울",
		"_Tromsø"}
	wideWords = []string{"für", "größte", "où", "être", "España", "niño", "город", "область", "является", "市", "人口は", "Åre", "și",
		"českých", "která", "ψηλό", "że"}
)

// nameOf is the local name of a subject.
func nameOf(number int, wide bool) string {
	var name [5]string
	for i, left := len(name)-1, number; i >= 0; i-- {
		name[i] = sortedSyllables[left%len(sortedSyllables)]
		left /= len(sortedSyllables)
	}
	r := generatorOf(number, 4)
	end := plainEnds[r.next(len(plainEnds))]
	if wide {
		end = wideEnds[r.next(len(wideEnds))]
	}
	return name[0] + name[1] + name[2] + name[3] + name[4] + end
}

// sentence is so many words, one in four of them with letters outside ASCII if it is wide; the first always is then.
func sentence(r *generator, length int, wide bool) string {
	var text []byte
	for i := range length {
		if i > 0 {
			text = append(text, ' ')
		}
		if wide && (i == 0 || r.next(4) == 0) {
			text = append(text, wideWords[r.next(len(wideWords))]...)
		} else {
			text = append(text, plainWords[r.next(len(plainWords))]...)
		}
	}
	return string(text)
}

var plainWords = []string{"is", "a", "town", "in", "the", "north", "of", "known", "for", "its", "river", "and", "old", "market", "with",
	"many", "houses", "since", "then", "County,"}
