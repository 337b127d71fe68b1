package fetch_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"laundromat/rdf/rdftest"
)

// secondReader is a robots.txt as RFC 9309 alone says it is read, without what servers and other
// programs add: slips, other encodings, dot segments. It is slow and shares no code with ours.
type secondReader struct{ groups []secondGroup }

type secondGroup struct {
	agents []string
	rules  []secondRule
}

type secondRule struct {
	allow   bool
	pattern []secondOctet
	size    int
}

// secondOctet is one of a pattern or of a path. Encoded says that it was percent-encoded.
type secondOctet struct {
	octet              byte
	encoded            bool
	wildcard, end      bool // of a pattern: "*", and "$" at its end
	neither            bool // it divides nothing where it is, so its two spellings are one
	countsAs           int
	behindQuestionMark bool
}

func readSecond(text string) secondReader {
	var r secondReader
	namesMayFollow := false
	for _, line := range strings.Split(strings.ReplaceAll(text, "\r", "\n"), "\n") {
		if i := strings.Index(line, "#"); i >= 0 {
			line = line[:i]
		}
		i := strings.Index(line, ":")
		if i < 0 {
			continue
		}
		value := strings.Trim(line[i+1:], " \t")
		switch record := strings.ToLower(strings.Trim(line[:i], " \t")); record {
		case "user-agent":
			if !namesMayFollow {
				r.groups = append(r.groups, secondGroup{})
			}
			namesMayFollow = true
			token := ""
			for _, c := range strings.ToLower(value) {
				if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz-_", c) {
					break
				}
				token += string(c)
			}
			if token == "" && strings.HasPrefix(value, "*") {
				token = "*"
			}
			group := &r.groups[len(r.groups)-1]
			group.agents = append(group.agents, token)
		case "allow", "disallow":
			namesMayFollow = false
			if len(r.groups) == 0 || value == "" {
				continue
			}
			rule := secondRule{allow: record == "allow", pattern: secondOctets(value, true)}
			for _, o := range rule.pattern {
				rule.size += o.countsAs
			}
			group := &r.groups[len(r.groups)-1]
			group.rules = append(group.rules, rule)
		}
	}
	return r
}

// secondOctets are those of a pattern, or of a path with its query (§2.2.2).
func secondOctets(text string, pattern bool) []secondOctet {
	const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	var octets []secondOctet
	query := false
	for i := 0; i < len(text); i++ {
		o := secondOctet{octet: text[i], countsAs: 1, behindQuestionMark: query}
		var value byte
		switch {
		case text[i] == '%' && i+2 < len(text) && secondHex(text[i+1:i+3], &value):
			o.octet, o.encoded = value, true
			i += 2
		case pattern && text[i] == '*':
			o.wildcard = true
		case pattern && text[i] == '$' && i == len(text)-1:
			o.end = true
		case text[i] == '?':
			query = true
		}
		isUnreserved := strings.IndexByte(unreserved, o.octet) >= 0
		divides := "/?"
		if o.behindQuestionMark {
			divides = "=&"
		}
		o.neither = isUnreserved || !pattern && strings.IndexByte(divides, o.octet) < 0 || strings.IndexByte("/?=&", o.octet) < 0
		written := !o.encoded && strings.IndexByte("/?=&", o.octet) >= 0
		if !o.wildcard && !o.end && !isUnreserved && !written {
			o.countsAs = 3
		}
		octets = append(octets, o)
	}
	return octets
}

func secondHex(digits string, value *byte) bool {
	n, err := fmt.Sscanf(digits, "%02x", value)
	return n == 1 && err == nil && !strings.ContainsAny(digits, " +-")
}

// matches tries each end that a wildcard may have.
func (r secondRule) matches(path []secondOctet) bool {
	reached := make([]bool, len(path)+1) // by the pattern so far
	reached[0] = true
	for _, o := range r.pattern {
		next := make([]bool, len(path)+1)
		for i := range reached {
			switch {
			case o.wildcard:
				next[i] = reached[i] || i > 0 && next[i-1]
			case o.end:
				next[i] = reached[i] && i == len(path)
			case i > 0 && reached[i-1] && path[i-1].octet == o.octet:
				p := path[i-1]
				next[i] = p.neither || o.neither || p.encoded == o.encoded
			}
		}
		reached = next
	}
	for _, r := range reached {
		if r {
			return true
		}
	}
	return false
}

// lets says what the longest rule that matches says; of two as long, the one that allows.
func (r secondReader) lets(agent, path string) bool {
	for _, name := range []string{agent, "*"} {
		met, allowed, size := false, true, 0
		for _, group := range r.groups {
			ours := false
			for _, a := range group.agents {
				ours = ours || a == name
			}
			if !ours {
				continue
			}
			met = true
			for _, rule := range group.rules {
				if rule.matches(secondOctets(path, false)) && (rule.size > size || rule.size == size && rule.allow) {
					allowed, size = rule.allow, rule.size
				}
			}
		}
		if met {
			return allowed
		}
	}
	return true
}

// robotsMaker writes files as RFC 9309 has them, and paths that are near their rules.
type robotsMaker struct{ *rand.Rand }

func (m robotsMaker) one(of ...string) string { return of[m.IntN(len(of))] }

// octets are some of a path or a query.
func (m robotsMaker) octets(most int) string {
	var b strings.Builder
	for range 1 + m.IntN(most) {
		b.WriteString(m.one("a", "b", "a", "b", "s=", "=", "&", "/a", "/", "?", ":", ";", "%2F", "%3d", "%26", "%3F", "%61", "%7E", "~",
			"%2A", "%24", "ö", "%C3%B6", "%c3%b6", "-", "+", "%20"))
	}
	return single(b.String())
}

// single leaves out what our reader adds to the RFC: what "//" may be.
func single(s string) string {
	for strings.Contains(s, "//") {
		s = strings.ReplaceAll(s, "//", "/")
	}
	return s
}

func (m robotsMaker) pattern() string {
	p := "/" + strings.TrimPrefix(m.octets(3), "/")
	for range m.IntN(3) {
		p += "*" + m.octets(2)
	}
	if m.IntN(5) == 0 {
		p += "$"
	}
	return m.one("", "", "", "*") + p
}

// near is a path that a pattern may match: its wildcards filled, some octets in another spelling.
func (m robotsMaker) near(pattern string) string {
	path := strings.TrimSuffix(pattern, "$")
	for strings.Contains(path, "*") {
		path = strings.Replace(path, "*", m.one("", "x", "/x", "?x=", "?", "&y="), 1)
	}
	for _, s := range [][2]string{{"/", "%2F"}, {"=", "%3D"}, {"a", "%61"}, {"?", "%3F"}, {"&", "%26"}, {":", "%3a"}, {"%C3%B6", "ö"}} {
		if m.IntN(6) == 0 {
			path = strings.Replace(path, s[m.IntN(2)], s[m.IntN(2)], 1)
		}
	}
	return single("/" + path + m.one("", "", "", "x", "/x", "?x=1", "&z"))
}

func (m robotsMaker) file() (text string, patterns []string) {
	var b strings.Builder
	line := func(record, value string) {
		b.WriteString(m.one("", "", " ") + m.one(record, record, strings.ToUpper(record)) + m.one(":", ": ", " :\t") + value +
			m.one("", "", " ", " # why") + m.one("\n", "\n", "\r\n", "\n\n"))
	}
	other := func() {
		switch m.IntN(6) {
		case 0:
			line("Crawl-delay", m.one("1", "0.5", "x"))
		case 1:
			line("Sitemap", "http://a.test/s")
		case 2:
			b.WriteString(m.one("# remark\n", "\n", "nonsense\n", "Host: a.test\n", "Noindex: /a\n"))
		}
	}
	for range 1 + m.IntN(4) {
		for range 1 + m.IntN(2) {
			line("User-agent", m.one("*", "*", "laundromat", "Laundromat/2", "laundromat, other", "laundromat2", "laundromat; x", "other",
				"other, laundromat", "laundromat-x", "dustbot"))
			other()
		}
		for range m.IntN(4) {
			p := m.pattern()
			patterns = append(patterns, p)
			line(m.one("Disallow", "Disallow", "Allow"), m.one(p, p, p, p, p, ""))
			other()
		}
	}
	return b.String(), patterns
}

// TestRobotsAreReadAsASecondReaderOfTheRFCReadsThem compares the outcomes of 10,000 files and paths.
func TestRobotsAreReadAsASecondReaderOfTheRFCReadsThem(t *testing.T) {
	synctest.Test(t, secondReaderAgrees) // in no time, whatever delays they ask for
}

func secondReaderAgrees(t *testing.T) {
	m := robotsMaker{rand.New(rand.NewPCG(9309, 2022))}
	refused := 0
	for n := range 10_000 {
		text, patterns := m.file()
		path := "/" + strings.TrimPrefix(m.octets(4), "/")
		if len(patterns) > 0 && m.IntN(8) > 0 {
			path = m.near(patterns[m.IntN(len(patterns))])
		}
		want := readSecond(text).lets("laundromat", path)
		if !want {
			refused++
		}
		if got := lets(t, text, path); got != want {
			t.Fatalf("%d: %q\nlets us read %q: %v; by the RFC %v", n, text, path, got, want)
		}
	}
	if refused < 1500 || refused > 8500 {
		t.Errorf("%d of 10,000 are refused: the files aren't a test", refused)
	}
}

// TestRobotsOfTheCasesFromOutside: what each says, and that the second reader says it too.
func TestRobotsOfTheCasesFromOutside(t *testing.T) { synctest.Test(t, robotsCases) }

func robotsCases(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(rdftest.Shared(t, "cases", "catalogs"), "*.robots.txt"))
	if err != nil || len(names) == 0 {
		t.Fatal("no cases", err)
	}
	for _, name := range names {
		text := string(read(t, name))
		for line := range strings.Lines(string(read(t, strings.TrimSuffix(name, "robots.txt")+"expect.txt"))) {
			word, path, _ := strings.Cut(strings.TrimSpace(line), " ")
			if word != "may" && word != "not" {
				continue
			}
			if got := lets(t, text, path); got != (word == "may") {
				t.Errorf("%s: %s is allowed: %v", filepath.Base(name), path, got)
			}
			if got := readSecond(text).lets("laundromat", path); got != (word == "may") {
				t.Errorf("%s: %s is allowed by the second reader: %v", filepath.Base(name), path, got)
			}
		}
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
