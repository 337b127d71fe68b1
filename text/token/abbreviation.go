package token

import "strings"

// kind says how the period behind an abbreviation is read.
type kind uint8

const (
	// title never ends a sentence: what follows is its name.
	title kind = iota + 1
	// closing may end a sentence, and then has a period of its own as well.
	closing
	// numbered has a period of its own only before a number.
	numbered
)

// abbreviations are those with one word, in lower case. The value is negative where only a capital makes it one.
var abbreviations = func() map[string]kindOf {
	t := map[string]kindOf{}
	add := func(k kind, capital bool, words string) {
		for _, w := range strings.Fields(words) {
			t[w] = kindOf{k, capital}
		}
	}
	add(title, false, "mr mrs ms dr prof rev gen col lt sgt capt sen rep gov pres hon adm maj st ave pvt messrs mlle mme vs cf ft adj adv")
	add(title, true, "alex")
	add(closing, false, "blvd rd jr sr esq inc ltd co corp bros pty assn dept univ etc al est sq tel ext vt")
	add(closing, false, "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thurs fri")
	add(closing, false, "ala ariz calif colo conn fla ga ind kan ky la md mich minn mo mont neb nev okla pa tenn tex va wis wyo")
	add(closing, true, "ark del ill mass miss ore wash")
	add(numbered, false, "no nos fig figs art pp ca")
	return t
}()

type kindOf struct {
	kind
	capital bool
}

// companies are the closing ones that another may follow, as in Co. Ltd.
var companies = map[string]bool{"co": true, "pty": true, "inc": true, "corp": true, "ltd": true, "bros": true, "pvt": true}

// abbreviated is an abbreviation that was found. Its period is told again where it ends a sentence.
type abbreviated struct {
	end, total int
	again      bool
}

// abbreviation looks for one whose word ends at w.
func (l *lexer) abbreviation(w int) (abbreviated, bool) {
	if l.byteAt(w) != '.' {
		return abbreviated{}, false
	}
	if w == l.pos+1 {
		return l.initial(w)
	}
	if w-l.pos > 6 {
		return abbreviated{}, false
	}
	if l.s[l.pos:w] == "Ph" {
		return l.doctor(w)
	}
	var lower [6]byte
	n := copy(lower[:], l.s[l.pos:w])
	for i := range n {
		if !isLetter(lower[i]) {
			return abbreviated{}, false
		}
		lower[i] |= 0x20
	}
	k, ok := abbreviations[string(lower[:n])]
	if !ok || k.capital && l.s[l.pos] == lower[0] || l.s[l.pos:w] == "PTY" {
		return abbreviated{}, false
	}
	a := abbreviated{w + 1, w + 1, false}
	switch k.kind {
	case closing:
		a.again = l.endsSentence(w+1) && !(companies[string(lower[:n])] && l.companyAt(w+1)) || l.nearEnd(w+1)
	case numbered:
		i := w + 1
		for n := l.spaceAt(i); n > 0; n = l.spaceAt(i) {
			i += n
		}
		if !isDigit(l.byteAt(i)) {
			return abbreviated{}, false
		}
		a.total = i + 1
	}
	return a, true
}

// initial looks for one letter with a period, or several: J. or U.S.
func (l *lexer) initial(w int) (abbreviated, bool) {
	end := w + 1
	for end+1 < len(l.s) && isLetter(l.s[end]) && l.s[end+1] == '.' {
		end += 2
	}
	opens := l.sentenceOpens(end)
	if end == w+1 && opens {
		return abbreviated{}, false
	}
	return abbreviated{end, end, opens}, true
}

// doctor looks for Ph.D. and the Ph. of Ph. D.
func (l *lexer) doctor(w int) (abbreviated, bool) {
	switch rest := l.s[w:]; {
	case strings.HasPrefix(rest, ".D."):
		return abbreviated{w + 3, w + 3, l.endsSentence(w+3) || l.nearEnd(w+3)}, true
	case strings.HasPrefix(rest, ". D"):
		return abbreviated{w + 1, w + 1, false}, true
	}
	return abbreviated{}, false
}

// emitAbbreviation emits an abbreviation, and its period again where that ends a sentence.
func (l *lexer) emitAbbreviation(a abbreviated) {
	if !a.again {
		l.emit(a.end)
		return
	}
	l.write(a.end-1, l.s[l.pos:a.end])
	l.emit(a.end)
}

// endsSentence says whether a sentence seems to end before i: a space is there, and a capital, a tag or more space.
func (l *lexer) endsSentence(i int) bool {
	n := l.spaceAt(i)
	if n == 0 {
		return false
	}
	i += n
	c := l.byteAt(i)
	return c >= 'A' && c <= 'Z' || l.spaceAt(i) > 0 || c == '<' && l.tag(i) > 0
}

// nearEnd says whether at most one character follows i.
func (l *lexer) nearEnd(i int) bool {
	return i >= len(l.s)-1 || len(l.s)-i <= 4 && len([]rune(l.s[i:])) <= 1
}

// companyAt says whether a further abbreviation of a company follows the space at i.
func (l *lexer) companyAt(i int) bool {
	return strings.HasPrefix(l.s[i:], " Ltd.")
}

// sentenceOpens says whether space and a word that opens sentences, and never is a name, follow i.
func (l *lexer) sentenceOpens(i int) bool {
	start := i
	for n := l.spaceAt(i); n > 0; n = l.spaceAt(i) {
		i += n
	}
	if c := l.byteAt(i); i == start || c < 'A' || c > 'Z' {
		return false
	}
	end := i + 1
	for end < len(l.s) && isLetter(l.s[end]) {
		end++
	}
	return l.spaceAt(end) > 0 && openers[l.s[i:end]]
}

var openers = map[string]bool{"A": true, "An": true, "The": true, "They": true, "This": true, "That": true, "These": true, "Those": true,
	"There": true,
	"He":    true, "She": true, "It": true, "We": true, "You": true}
