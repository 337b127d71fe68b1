package clean_test

import (
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/clean"
)

// corpora are clean statements of one kind each, and a mixture.
func corpora() map[string][]rdf.Quad {
	p, g := iri("http://www.w3.org/2000/01/rdf-schema#label"), iri("http://example.org/graph/2024")
	s := []rdf.Term{iri("http://dbpedia.org/resource/Amsterdam_Centraal"), iri("http://dbpedia.org/resource/The_Hague"),
		iri("https://www.example.org/id/person/12345#this")}
	all := map[string][]rdf.Quad{}
	for _, s := range s {
		add := func(name string, objects ...rdf.Term) {
			for _, o := range objects {
				all[name] = append(all[name], quad(s, p, o, g))
				all["mixed"] = append(all["mixed"], quad(s, p, o, g))
			}
		}
		add("iris", iri("http://dbpedia.org/ontology/PopulatedPlace"), iri("http://xmlns.com/foaf/0.1/Person"))
		add("texts", text("A text of some length, as a comment has it", ""))
		add("languages", tagged("Amsterdam", "en"), tagged("Amsterdam", "zh-hans-cn"))
		add("integers", text("821752", rdf.XSD+"integer"))
		add("doubles", text("5.236666E1", rdf.XSD+"double"))
		add("dates", text("2024-02-29T12:30:00Z", rdf.XSD+"dateTime"), text("1946-06-14", rdf.XSD+"date"))
	}
	blanks := []rdf.Quad{quad(blank("b0"), p, blank("genid12"), g), quad(anonymous(12), p, anonymous(13), g)}
	all["blanks"] = blanks
	all["mixed"] = append(all["mixed"], blanks...)
	return all
}

func BenchmarkChain(b *testing.B) {
	for name, quads := range corpora() {
		b.Run(name, func(b *testing.B) {
			n := 0
			first, _ := clean.Chain(clean.Options{}, clean.EachLine(func(line []byte) error { n += len(line); return nil }), nil)
			var q rdf.Quad
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				q = quads[i%len(quads)]
				first.Quad(&q)
			}
			b.SetBytes(int64(n / b.N))
		})
	}
}

// BenchmarkFilter measures each filter alone, on the mixture.
func BenchmarkFilter(b *testing.B) {
	quads := corpora()["mixed"]
	for name, filter := range clean.Filters(end{}) {
		b.Run(name, func(b *testing.B) {
			var q rdf.Quad
			b.ReportAllocs()
			for i := range b.N {
				q = quads[i%len(quads)]
				filter.Quad(&q)
			}
		})
	}
}

// BenchmarkPlainIRI measures the quick look at an IRI.
func BenchmarkPlainIRI(b *testing.B) {
	value := []byte("http://dbpedia.org/resource/Amsterdam_Centraal_railway_station")
	b.SetBytes(int64(len(value)))
	for b.Loop() {
		clean.IsPlainIRI(value)
	}
}
