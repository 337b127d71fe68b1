package corpus

import (
	"bufio"
	"fmt"
)

// writeTruthy writes what Wikidata holds to be true: most lines say nothing but numbers.
func writeTruthy(w *bufio.Writer, n int) {
	const entity, direct = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
	for i := range n {
		r := generatorOf(i, 5)
		fmt.Fprintf(w, "<%sQ%d> ", entity, 31+i/30)
		switch kind := r.next(20); {
		case kind < 8:
			fmt.Fprintf(w, "<%sP%d> <%sQ%d>", direct, r.next(9000), entity, r.next(100_000_000))
		case kind < 10:
			fmt.Fprintf(w, "<%sP%d> \"%d\"", direct, r.next(9000), r.next(1<<30))
		case kind < 11:
			fmt.Fprintf(w, "<%sP%d> \"%04d-%02d-%02dT00:00:00Z\"^^<%sdateTime>", direct, r.next(9000), 1+r.next(2020), 1+r.next(12),
				1+r.next(28), xsd)
		case kind < 12:
			fmt.Fprintf(w, "<%sP%d> \"+%d\"^^<%sdecimal>", direct, r.next(9000), r.next(100_000), xsd)
		case kind < 13:
			fmt.Fprintf(w, "<%sP%d> \"Point(%d.%d %d.%d)\"^^<http://www.opengis.net/ont/geosparql#wktLiteral>", direct, r.next(9000),
				r.next(180), r.next(1000), r.next(90), r.next(1000))
		case kind < 15:
			fmt.Fprintf(w, "<http://schema.org/description> %s", label(&r))
		default:
			fmt.Fprintf(w, "<%slabel> %s", rdfs, label(&r))
		}
		w.WriteString(" .\n")
	}
}

// label is a literal in one of 300 languages, of which a few have most.
func label(r *generator) string {
	at := r.next(len(scripts))
	if r.next(5) == 0 {
		return fmt.Sprintf("%q@%s", scripts[r.next(len(scripts))].text, rareTag(r.next(300)))
	}
	return fmt.Sprintf("\"%s\"@%s", scripts[at].text, scripts[at].tag)
}

// scripts are what labels are written in.
var scripts = []struct{ tag, text string }{
	{"en", "village in the district of Northfield"}, {"de", "Ortschaft in Österreich"}, {"fr", "commune française située dans l'Hérault"},
	{"ru", "населённый пункт в Орловской области"}, {"uk", "село в Україні"}, {"ar", "قرية في محافظة حلب"}, {"fa", "روستایی در ایران"},
	{"zh", "中国江苏省的一个镇"}, {"zh-hant", "中國江蘇省的一個鎮"}, {"ja", "東京都にある村"}, {"ko", "대한민국의 마을"}, {"th", "หมู่บ้านในประเทศไทย"},
	{"he", "כפר בישראל"}, {"hi", "भारत का एक गाँव"}, {"bn", "বাংলাদেশের একটি গ্রাম"}, {"el", "οικισμός της Ελλάδας"},
	{"vi", "làng thuộc tỉnh Hà Giang"},
	{"ka", "სოფელი საქართველოში"}, {"hy", "գյուղ Հայաստանում"}, {"ta", "இந்தியாவில் உள்ள ஒரு கிராமம்"}, {"nl", "dorp in België"},
	{"es", "población de España"},
}

// rareTag is a tag of those that few labels have; all are registered.
func rareTag(n int) string {
	languages := []string{"ace", "af", "als", "an", "ang", "arz", "ast", "av", "az", "ban", "bar", "bcl", "be", "bg", "br", "bs", "ca",
		"ceb", "co", "cs",
		"cy", "da", "dsb", "eo", "et", "eu", "fi", "fo", "frp", "fur", "fy", "ga", "gd", "gl", "gn", "gu", "ha", "hr", "hsb", "hu"}
	regions := []string{"", "", "-us", "-ca", "-in", "-za", "-latn", "-cyrl"}
	return languages[n%len(languages)] + regions[n/len(languages)%len(regions)]
}

// writeFreebase writes lines as Freebase's dump of 2013 has them.
func writeFreebase(w *bufio.Writer, n int) {
	const ns = "http://rdf.freebase.com/ns/"
	mid := func(r *generator) string { return fmt.Sprintf("m.0%s", base32(r.next(1<<30))) }
	for i := range n {
		subject := generatorOf(i/12, 6)
		r := generatorOf(i, 7)
		fmt.Fprintf(w, "<%s%s>\t", ns, mid(&subject))
		switch i % 6 {
		case 0:
			fmt.Fprintf(w, "<%stype.object.type>\t<%scommon.topic>", ns, ns)
		case 1:
			fmt.Fprintf(w, "<%stype.object.name>\t\"%s\\u00E9%s\"@en", ns, plainWords[r.next(20)], sentence(&r, 2, false))
		case 2:
			fmt.Fprintf(w, "<%stype.object.key>\t\"/wikipedia/en/%s_$0028%s$0029\"", ns, plainWords[r.next(20)], plainWords[r.next(20)])
		case 3:
			fmt.Fprintf(w, "<http://rdf.freebase.com/key/wikipedia.en>\t\"%s$0027s_%s\"", plainWords[r.next(20)], base32(r.next(1<<20)))
		case 4:
			fmt.Fprintf(w, "<%smusic.release_track.release>\t<%s%s>", ns, ns, mid(&r))
		default:
			fmt.Fprintf(w, "<%smusic.release_track.length>\t\"%d.%d\"^^<%sdouble>", ns, r.next(400), r.next(1000), xsd)
		}
		w.WriteString("\t.\n")
	}
}

// base32 writes a number as Freebase's identifiers do, without vowels.
func base32(n int) string {
	const letters = "0123456789bcdfghjklmnpqrstvwxyz_"
	var text []byte
	for ; n > 0; n /= len(letters) {
		text = append(text, letters[n%len(letters)])
	}
	return string(text)
}

// writeAbstracts writes long texts, in no order of subjects. One in ten has line ends and quotation marks, escaped.
func writeAbstracts(w *bufio.Writer, n int) {
	shuffle := newPermutation(n)
	for i := range n {
		number := shuffle.of(i)
		r := generatorOf(number, 8)
		wide := chance(number, 2, 2)
		fmt.Fprintf(w, "<%s%s> <%sabstract> \"%s", resource, nameOf(number, wide), ontology, sentence(&r, 100+r.next(400), wide))
		if r.next(10) == 0 {
			w.WriteString(`\nThe so-called \"old\" part: ` + sentence(&r, 20, wide))
		}
		w.WriteString(".\"@en .\n")
	}
}

// writeNotes writes lines of which each gives a note.
func writeNotes(w *bufio.Writer, n int) {
	shuffle := newPermutation(n)
	for i := range n {
		number := shuffle.of(i)
		r := generatorOf(number, 9)
		fmt.Fprintf(w, "<%s%s> ", resource, nameOf(number/4, chance(number/4, 2, 2)))
		switch number % 4 {
		case 0:
			fmt.Fprintf(w, "<%slabel> \"%s\"@%s", rdfs, sentence(&r, 3, r.next(2) == 0), capitalTags[r.next(len(capitalTags))])
		case 1:
			fmt.Fprintf(w, "<%spopulationTotal> \"+0%d\"^^<%sinteger>", ontology, r.next(5_000_000), xsd)
		case 2:
			fmt.Fprintf(w, "<%sareaTotal> \"%d.50\"^^<%sdouble>", ontology, r.next(5_000_000), xsd)
		default:
			fmt.Fprintf(w, "<%selevation> \"%d.10\"^^<%sdecimal>", ontology, r.next(9000), xsd)
		}
		w.WriteString(" .\n")
	}
}

// writeHub writes one subject.
func writeHub(w *bufio.Writer, n int) {
	shuffle := newPermutation(n)
	for i := range n {
		number := shuffle.of(i)
		fmt.Fprintf(w, "<%sHub_(Österreich)> <%swikiPageWikiLink> <%s%s> .\n", resource, ontology, resource,
			nameOf(number, chance(number, 2, 2)))
	}
}

// permutation is an order of the numbers below n that looks like none: a cipher of four rounds.
type permutation struct {
	n    int
	half uint // bits
}

func newPermutation(n int) permutation {
	half := uint(1)
	for 1<<(2*half) < n {
		half++
	}
	return permutation{n, half}
}

// of is the number at a place.
func (p permutation) of(i int) int {
	mask := uint64(1)<<p.half - 1
	for {
		left, right := uint64(i)>>p.half, uint64(i)&mask
		for round := range uint64(4) {
			left, right = right, left^mixed(right+round<<32)&mask
		}
		if i = int(left<<p.half | right); i < p.n { // else it goes round once more
			return i
		}
	}
}

// generatorOf is the generator of what a number says, one for each purpose.
func generatorOf(number, purpose int) generator {
	return generator(mixed(uint64(number)<<8|uint64(purpose)) | 1)
}

// chance says yes once in so many numbers, for a purpose.
func chance(number, once, purpose int) bool {
	r := generatorOf(number, purpose)
	return r.next(once) == 0
}

// mixed is the finaliser of SplitMix64.
func mixed(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
