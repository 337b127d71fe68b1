package encoding

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"unicode/utf8"

	"laundromat/internal/fault"
)

const (
	// mixedShare is the share of well-formed sequences from which a document is
	// UTF-8 with dirt in it, whatever anybody declares. Text in another encoding has
	// less than one in five by chance.
	mixedShare = 0.95
	// likelyShare is the share from which UTF-8 may be believed against a declaration
	// without strong words for it. The words must still speak for it.
	likelyShare = 0.5
	// sure is by how much (as a logarithm) the words must be likelier in one encoding than
	// in any that reads them otherwise. Only then is it believed against a declaration that
	// nobody may have chosen: e^12 is one in 160,000.
	sure = 12
	// overrule is the same against the declaration of an encoding that somebody must have
	// chosen. The language may be one of which nothing is known here.
	overrule = 40
)

// Decide chooses the encoding of a document that was presumed to be UTF-8, and whose own
// bytes refuted that. It reads all the raw bytes from whole, from the first to the end,
// once. It uses less than 300 kB of memory.
//
//   - What the user gave stays. So does UTF-8 that a byte order mark shows.
//   - If at least 95 % of the sequences with bytes ≥ 0x80 are well-formed UTF-8, it is
//     UTF-8. Then tolerate is true, and must be passed to the Reader.
//   - Else a declared encoding, if the bytes allow it. The words are believed where they
//     are likelier in another encoding. That takes e^12 if servers make the declaration by
//     themselves (ISO-8859-1), else e^40. They are also believed where they speak for UTF-8
//     and at least half of the sequences are UTF-8.
//   - Else the encoding in which the words are likeliest. A sample from the whole
//     document is weighed, in which no word occurs twice; that too may be UTF-8 with
//     stray bytes in it. Where nothing outside ASCII is UTF-8, the document is still UTF-8 in
//     one case. All that is outside ASCII is then a few texts with the byte order mark of
//     UTF-16 in them.
//
// Where it is UTF-8 with stray bytes, Choice.Strays judges these, text by text.
//
// The Choice holds all the evidence of presumed, and what was found here. An error
// is one of whole, or ctx's.
func Decide(ctx context.Context, whole io.Reader, presumed Choice, h Hints) (c Choice, tolerate bool, notices []fault.Notice, err error) {
	d := &decision{choice: Choice{Name: presumed.Name, Evidence: slices.Clone(presumed.Evidence)}, share: 1}
	for _, e := range d.choice.declarations() {
		if t := newTrial(e); t != nil {
			d.declared = append(d.declared, t)
		}
	}
	if err := survey(ctx, whole, &d.counts, d.declared); err != nil {
		return d.choice, false, nil, err
	}
	if total := d.counts.wellFormed + d.counts.stray; total > 0 {
		d.share = float64(d.counts.wellFormed) / float64(total)
	}
	switch {
	case h.Given != "":
		d.choice.Name, _ = known(h.Given)
		if tolerate = d.choice.Name == "utf-8"; tolerate {
			d.tolerate()
		}
	case d.share >= mixedShare || fromMark(presumed):
		d.mixed()
		tolerate = true
	default:
		tolerate = d.byWords()
	}
	return d.choice, tolerate, d.notices, nil
}

// decision is what is known while an encoding is chosen.
type decision struct {
	choice   Choice
	notices  []fault.Notice
	counts   counts
	declared []*trial
	share    float64 // of the well-formed among the sequences outside ASCII
	words    [][]byte
	ranking  []weighed // the encodings, that in which the words are likeliest first
}

func (d *decision) warn(code fault.Code, format string, args ...any) {
	d.notices = append(d.notices, warning(code, fmt.Sprintf(format, args...)))
}

// tolerate reads the document as UTF-8 with stray bytes in it.
func (d *decision) tolerate() {
	d.choice.Strays = newStrays(d.counts.sample.strays.texts())
	if d.counts.stray == 0 {
		d.warn(fault.EncodingMixed, "%d of %d sequences outside ASCII are UTF-8 but for its rules: surrogates, as in CESU-8, or a NUL of "+
			"two bytes", d.counts.former, d.counts.wellFormed)
		return
	}
	d.warn(fault.EncodingMixed, "%d of %d sequences outside ASCII are not UTF-8; those are likeliest %s", d.counts.stray,
		d.counts.wellFormed+d.counts.stray, d.choice.Strays.Likeliest())
}

// mixed chooses UTF-8 with stray bytes in it, against all that is declared.
func (d *decision) mixed() {
	d.choice.Name = "utf-8"
	d.choice.add("bytes", "utf-8", round(d.share))
	for _, e := range d.choice.declarations() {
		if name, _ := known(e.Value); name != "utf-8" {
			d.warn(fault.EncodingDisagreement, "%s is declared (%s), but %.0f %% of the sequences outside ASCII are UTF-8; read as UTF-8",
				e.Value, wordFor(e.From), 100*d.share)
		}
	}
	d.tolerate()
}

// byWords chooses by the words, and by what is declared; it says whether that is UTF-8 with stray bytes in it.
func (d *decision) byWords() (tolerate bool) {
	d.words = d.counts.sample.words.texts()
	d.ranking = weigh(slices.Concat(candidates(), mixedReadings()), d.words)
	best, confidence := d.ranking[0], confidenceOf(d.ranking)
	if d.counts.wellFormed == 0 && isSingleByte(best.name) && d.choice.declaresNothingElse() && areBroken(d.counts.sample.strays.texts()) {
		d.mixed()
		return true
	}
	chosen := d.allowed()
	d.refuteUTF8()
	switch {
	case chosen != nil && d.isRefuted(chosen):
		d.warn(fault.EncodingDisagreement, "%s is declared (%s), but the words are far likelier in %s (%s); that is believed",
			chosen.declared.Value, wordFor(chosen.declared.From), best.name, best.language)
	case chosen != nil:
		d.believe(chosen)
		return false
	case best.name != "utf-8":
		evidence := fmt.Sprintf("in which the words are likeliest (%s; confidence %.2f)", best.language, confidence)
		if d.counts.stray < fewestForLanguage {
			evidence = "but so few bytes outside ASCII show neither the language nor the encoding"
		}
		d.warn(fault.EncodingGuessed, "not UTF-8%s; read as %s, %s", d.choice.unreadable(), best.name, evidence)
	}
	d.choice.add("guess", best.name, confidence)
	if best.name == "utf-8" {
		d.mixed()
		return true
	}
	d.choice.Name = best.name
	return false
}

// fewestForLanguage is how many bytes outside ASCII show a language.
const fewestForLanguage = 4

// allowed is the declared encoding that the bytes allow, of two the likelier; nil if there is none.
func (d *decision) allowed() (chosen *trial) {
	for _, t := range d.declared {
		switch {
		case !t.allowed():
			d.warn(fault.EncodingDeclarationRefuted, "%s is declared (%s), but the bytes are not all of it", t.declared.Value,
				wordFor(t.declared.From))
		case chosen == nil || d.scoreOf(t.name) > d.scoreOf(chosen.name):
			chosen = t
		}
	}
	return chosen
}

// refuteUTF8 reports the declarations of UTF-8, which the document is not.
func (d *decision) refuteUTF8() {
	for _, e := range d.choice.declarations() {
		if name, _ := known(e.Value); name == "utf-8" {
			d.warn(fault.EncodingDeclarationRefuted, "%s is declared (%s), but only %.0f %% of the sequences outside ASCII are", e.Value,
				wordFor(e.From), 100*d.share)
		}
	}
}

// isRefuted says that the words speak against a declared encoding, strongly enough to be believed.
func (d *decision) isRefuted(chosen *trial) bool {
	best := d.ranking[0]
	margin := best.score - d.scoreOf(chosen.name)
	speaksForUTF8 := best.name == "utf-8" && d.share >= likelyShare
	return (margin > overrule || margin > sure && defaultLike(chosen.name) || speaksForUTF8) && !sameFamily(best.name, chosen.name)
}

// believe chooses a declared encoding, and reports others that are declared and possible.
func (d *decision) believe(chosen *trial) {
	d.choice.Name = chosen.name
	d.choice.add("bytes", chosen.name, 0)
	for _, t := range d.declared {
		if t != chosen && t.allowed() && !sameFamily(t.name, chosen.name) {
			d.warn(fault.EncodingDisagreement, "%s is declared (%s), but %s is too (%s); the latter is believed", t.declared.Value,
				wordFor(t.declared.From), chosen.declared.Value, wordFor(chosen.declared.From))
		}
	}
}

// scoreOf is how likely the words are in an encoding.
func (d *decision) scoreOf(name string) float64 {
	for _, w := range d.ranking {
		if w.name == name {
			return w.score
		}
	}
	return weigh([]*reading{readingOf(name)}, d.words)[0].score
}

// unreadable reports declared encodings that can't be read; "" if there are none.
func (c *Choice) unreadable() (told string) {
	for _, d := range c.declarations() {
		if _, ok := known(d.Value); !ok {
			told += fmt.Sprintf("; %s is declared (%s), which is an encoding that can't be read", d.Value, wordFor(d.From))
		}
	}
	return told
}

func fromMark(c Choice) bool {
	for _, e := range c.Evidence {
		if e.From == "bom" {
			return true
		}
	}
	return false
}

// confidenceOf is the probability of the best against the next that means another text.
func confidenceOf(ranking []weighed) float64 {
	for _, w := range ranking[1:] {
		if w.text != ranking[0].text {
			return round(min(0.99, 1/(1+math.Exp(w.score-ranking[0].score))))
		}
	}
	return 0.99
}

func round(share float64) float64 { return max(0.01, math.Round(share*100)/100) }

// survey reads the whole document.
func survey(ctx context.Context, whole io.Reader, s *counts, trials []*trial) error {
	buffer := make([]byte, rawSize)
	n := 0 // full buffers: what is found must not depend on how the bytes come
	flush := func() {
		s.write(buffer[:n])
		for _, t := range trials {
			t.write(buffer[:n])
		}
		n = 0
	}
	for idle := 0; ; idle++ {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("decide on an encoding: %w", err)
		}
		more, err := whole.Read(buffer[n:])
		if n += more; n == len(buffer) {
			flush()
		}
		if more > 0 {
			idle = 0
		}
		switch {
		case errors.Is(err, io.EOF):
			flush()
			s.close()
			for _, t := range trials {
				t.close()
			}
			return nil
		case err != nil:
			return fmt.Errorf("decide on an encoding: %w", err)
		case idle > 100:
			return fmt.Errorf("decide on an encoding: %w", io.ErrNoProgress)
		}
	}
}

// counts are what the survey finds.
type counts struct {
	wellFormed, stray int64 // sequences
	former            int64 // of the well-formed: such as UTF-8 has no more
	held              [utf8.UTFMax]byte
	holds             int
	sample            sample
}

func (s *counts) write(p []byte) {
	s.sample.write(p)
	for s.holds > 0 && len(p) > 0 { // a sequence that the last piece began
		s.held[s.holds] = p[0]
		s.holds, p = s.holds+1, p[1:]
		if utf8.FullRune(s.held[:s.holds]) {
			rest := s.held
			n := s.holds
			s.holds = 0
			s.count(rest[:n])
		}
	}
	if s.holds == 0 {
		s.count(p)
	}
}

// count counts the sequences of p, and holds the unfinished one at its end.
func (s *counts) count(p []byte) {
	for i := 0; i < len(p); {
		b := p[i]
		if b < utf8.RuneSelf {
			i += firstHigh(p[i:])
			continue
		}
		if b < 0xC0 || b > 0xF4 || i+1 < len(p) && p[i+1]&0xC0 != 0x80 { // at a glance
			s.stray++
			i++
			continue
		}
		r, size := utf8.DecodeRune(p[i:])
		switch {
		case r != utf8.RuneError || size > 1:
			s.wellFormed++
		case !utf8.FullRune(p[i:]):
			s.holds = copy(s.held[:], p[i:])
			return
		case formerUTF8(p[i:]) > 0:
			s.wellFormed++
			s.former++
			size = formerUTF8(p[i:])
		default:
			s.stray++
		}
		i += size
	}
}

// formerUTF8 is the length of a sequence that is UTF-8 except for rules that some
// writers break: surrogates (CESU-8), and the two-byte NUL of Java. No text in
// another encoding looks like that, so these speak for UTF-8.
func formerUTF8(p []byte) int {
	switch {
	case len(p) >= 3 && p[0] == 0xED && p[1] >= 0xA0 && p[1] < 0xC0 && p[2] >= 0x80 && p[2] < 0xC0:
		return 3
	case len(p) >= 2 && p[0] == 0xC0 && p[1] == 0x80:
		return 2
	}
	return 0
}

func (s *counts) close() {
	if s.holds > 0 {
		s.stray++
		s.holds = 0
	}
	s.sample.close()
}

// trial decodes the document as declared, to see whether its bytes allow that.
type trial struct {
	declared Evidence
	name     string
	dec      decoder
	in       []byte
	out      []byte
	misfits  []misfit
	bad      int64
	c1       int64 // C1 controls: in an ISO 8859 encoding, nobody means these
}

// newTrial returns nil for what needs no trial: UTF-8, which is refuted, what can't
// be read, and UTF-16, whose zero bytes would have been seen.
func newTrial(d Evidence) *trial {
	c, ok := lookup(d.Value)
	if !ok || c.name == "utf-8" || wide(c.name) || stateful(c.name) || ebcdic(c.name) {
		return nil
	}
	return &trial{declared: d, name: c.name, dec: newDecoder(c), out: make([]byte, 3*rawSize)}
}

func (t *trial) write(p []byte) {
	t.in = append(t.in, p...)
	t.run(false)
}

func (t *trial) close() { t.run(true) }

func (t *trial) run(atEOF bool) {
	for len(t.in) > 0 {
		nDst, nSrc, misfits, _ := t.dec.decode(t.out, t.in, atEOF, t.misfits[:0])
		t.misfits = misfits
		t.bad += int64(len(misfits))
		for i := 0; i+1 < nDst; i++ {
			if t.out[i] == 0xC2 && t.out[i+1] < 0xA0 {
				t.c1++
			}
		}
		t.in = t.in[:copy(t.in, t.in[nSrc:])]
		if nSrc == 0 {
			break
		}
	}
}

// allowed says that all the bytes are text in the declared encoding. A single byte that is
// not shows that nobody wrote the text in it.
func (t *trial) allowed() bool { return t.bad == 0 && t.c1 == 0 }

// declaresNothingElse says that no encoding is declared but UTF-8.
func (c *Choice) declaresNothingElse() bool {
	return !slices.ContainsFunc(c.declarations(), func(d Evidence) bool {
		name, _ := known(d.Value)
		return name != "utf-8"
	})
}

// fewBroken is how many texts, all of them broken, a document may hold that is taken for ASCII otherwise.
const fewBroken = 3

// areBroken says that the texts are few, and that each holds the byte order mark of UTF-16 where
// it is no part of a word. In windows-1251 its bytes are two letters of Russian, which do not
// occur next to Latin ones. They are a word in no other encoding.
func areBroken(texts [][]byte) bool {
	if len(texts) > fewBroken || slices.ContainsFunc(texts, func(text []byte) bool { return !holdsMark(text, false) }) {
		return false
	}
	strays := newStrays(texts)
	for _, text := range texts {
		if _, name := strays.Read(text); !holdsMark(text, name == "windows-1251") {
			return false
		}
	}
	return true
}

// holdsMark looks for FF FE or FE FF; in what may be Russian, next to a Latin letter.
func holdsMark(text []byte, russian bool) bool {
	for i := 1; i < len(text); i++ {
		if text[i-1] < 0xFE || text[i] < 0xFE || text[i-1] == text[i] {
			continue
		}
		if !russian || i > 1 && isSmallLetter(text[i-2]|0x20) || i+1 < len(text) && isSmallLetter(text[i+1]|0x20) {
			return true
		}
	}
	return false
}

func isSingleByte(name string) bool {
	c, _ := lookup(name)
	_, is := singleByte(c)
	return is
}
