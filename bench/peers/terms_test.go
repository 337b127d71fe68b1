package peers_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/ttl"
)

// TestTermsAreWrittenForOthers writes two thousand terms, right and wrong, one a line
// of N-Triples, for other programs to judge: to the file that TERMS names. What is
// found here in each line goes to the same name with .ours after it.
func TestTermsAreWrittenForOthers(t *testing.T) {
	name := os.Getenv("TERMS")
	if name == "" {
		t.Skip("TERMS names no file")
	}
	text := strings.Join(generatedTerms(2000), "\n") + "\n"
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var ours strings.Builder
	first, tally := clean.Chain(clean.Options{}, clean.EachLine(func([]byte) error { return nil }),
		func(n fault.Notice) { fmt.Fprintf(&ours, "%d\t%s\t%s\t%s\n", n.Line, n.Severity, n.Code, n.Message) })

	if _, err := ttl.Read(context.Background(), strings.NewReader(text), rdf.Input{}, ttl.Options{Syntax: ttl.NTriples},
		first); err != nil {
		t.Fatal(err)
	}
	tally.Close()
	if tally.Read != 2000 {
		t.Errorf("%+v", *tally)
	}
	if err := os.WriteFile(name+".ours", []byte(ours.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// generatedTerms are different statements with a term each, in N-Triples.
func generatedTerms(n int) (lines []string) {
	random := rand.New(rand.NewPCG(4, 2000))
	pick := func(words string) string {
		all := strings.Fields(words)
		return all[random.IntN(len(all))]
	}
	// mutate changes, drops, doubles or swaps a character, one time in three.
	mutate := func(text, letters string) string {
		if len(text) == 0 || random.IntN(3) > 0 {
			return text
		}
		runes := []rune(text)
		i := random.IntN(len(runes))
		before, behind := string(runes[:i]), string(runes[i+1:])
		c := string(letters[random.IntN(len(letters))])
		switch random.IntN(4) {
		case 0:
			return before + c + behind
		case 1:
			return before + behind
		case 2:
			return before + c + string(runes[i:])
		}
		return text + c
	}
	number := func() string {
		return pick("0 1 -1 +1 00 -0 007 12 127 128 -128 -129 255 256 32767 32768 65535 65536 2147483647 2147483648 -2147483648 -2147483649 4294967295 4294967296 9223372036854775807 9223372036854775808 18446744073709551615 18446744073709551616 123456789012345678901234567890")
	}
	two := func(most int) string { return fmt.Sprintf("%02d", random.IntN(most+1)) }
	date := func() string {
		return pick("2024 2023 2000 1900 0000 -0001 -0004 9999 12345 0001 02024 99") + "-" + pick("01 02 03 04 06 09 11 12 13 00") + "-" +
			pick("01 15 28 29 30 31 32 00")
	}
	clock := func() string {
		return pick("00 12 23 24 25") + ":" + pick("00 30 59 60") + ":" + pick("00 30 59 60 00.5 00.000 59.999")
	}
	zone := func() string {
		return []string{"", "", "", "Z", "+00:00", "-00:00", "+14:00", "-14:00", "+14:01", "+05:30", "z", "+1:00"}[random.IntN(12)]
	}
	decimal := func() string {
		return pick("0 1 -1 +1 1. .5 -.5 1.50 +0.0 -0.0 100.001 . 12345678901234567890.123456789")
	}
	double := func() string {
		return pick("0 -0 1 1.5 1e3 1E-3 -1.5E+10 .5e1 5.e1 INF -INF +INF NaN inf nan +NaN Infinity 1e400 1e-400 e1 1e 0x1p3 1_0")
	}
	values := []struct {
		types string
		make  func() string
	}{
		{"integer long int short byte nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger unsignedLong unsignedInt unsignedShort unsignedByte",
			number},
		{"integer decimal", decimal}, {"double float", double}, {"boolean", func() string { return pick("true false 0 1 TRUE yes 2") }},
		{"date", func() string { return date() + zone() }},
		{"dateTime dateTimeStamp", func() string { return date() + "T" + clock() + zone() }},
		{"time", func() string { return clock() + zone() }},
		{"gYear", func() string { return pick("2024 -0001 0000 12345 02024 99") + zone() }},
		{"gYearMonth", func() string { return pick("2024 -0001 0000") + "-" + two(13) + zone() }},
		{"gMonth", func() string { return "--" + two(13) + zone() }},
		{"gMonthDay", func() string { return "--" + pick("01 02 04 12") + "-" + pick("01 28 29 30 31 32") + zone() }},
		{"gDay", func() string { return "---" + two(32) + zone() }},
		{"duration yearMonthDuration dayTimeDuration", func() string {
			return pick("P1Y P1M P1D PT1H PT1M PT1S P1Y2M3DT4H5M6.7S -P1D P PT P1YT PT.5S P1.5Y P1W P0Y")
		}},
		{"hexBinary", func() string { return pick("00 0aFf 0 0g FF DEADBEEF") }},
		{"base64Binary", func() string { return pick("AAAA AA== AAA= AA= A=== AB== AAAAA") }},
		{"language", func() string { return pick("en en-US de-1996 x-a toolonglanguage en_US 1e") }},
		{"NCName Name NMTOKEN", func() string { return pick("a a:b 1a -a a.b é") }},
	}
	const base = "<http://example.org/s> <http://example.org/p> "
	seen := map[string]bool{}
	add := func(line string) {
		if !seen[line] {
			seen[line] = true
			lines = append(lines, line)
		}
	}
	for len(lines) < n {
		switch random.IntN(10) {
		case 0, 1: // IRIs
			iri := pick("http https ftp urn mailto file htp x HTTP") + ":" +
				pick("//example.org //Example.org //example.org:80 //example.org:8080 //example.org:99999 //user:pw@example.org //1.2.3.4 //1.2.3.400 //[::1] //a..b //-a.org isbn:0451450523 uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6 uuid:1 a@b.org //") +
				pick("/ /a /a/b /a/../b /./a /a%20b /%7Ea /%c3%a9 /%C3%A9 /é /e\u0301 /a%zz /a?b=c /a?b#c /a#b#c")
			add(base + "<" + iri + "> .")
		case 2: // language tags
			add(base + "\"x\"@" +
				pick("en en-GB en-uk de-CH-1996 zh-Hans-CN zh-cmn i-klingon i-foo x-a english en-a en-a-bb de-1996-1996 en-Latn fr-1901 iw ger xx a-b abcdefghi en-abcdefghi es-419 es-999 sr-Latn-RS de-x-y") +
				" .")
		default:
			v := values[random.IntN(len(values))]
			text := mutate(v.make(), "0159-+:.TZeEP ")
			add(base + fmt.Sprintf("%q^^<%s%s> .", text, rdf.XSD, pick(v.types)))
		}
	}
	return lines
}
