package encoding_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"laundromat/encoding"
)

// wideText is text in UTF-16 or UTF-32, in any order of the bytes.
func wideText(name, text string) string {
	var raw []byte
	for _, r := range text {
		switch name {
		case "utf-32le":
			raw = binary.LittleEndian.AppendUint32(raw, uint32(r))
		case "utf-32be":
			raw = binary.BigEndian.AppendUint32(raw, uint32(r))
		default:
			for _, unit := range utf16.AppendRune(nil, r) {
				if name == "utf-16le" {
					raw = binary.LittleEndian.AppendUint16(raw, unit)
				} else {
					raw = binary.BigEndian.AppendUint16(raw, unit)
				}
			}
		}
	}
	return string(raw)
}

func TestWideTextIsToldWithoutAMarkHoweverLittleOfItIsASCII(t *testing.T) {
	head, tail := `<http://example.org/a> <http://example.org/p> "`, "\" .\n"
	for kind, text := range map[string]string{
		"ASCII alone":       "plain",
		"one letter of all": "é",
		"French":            "déjà vu, l’été à la plage",
		"Russian":           strings.Repeat("Москва ", 100),
		"Japanese":          strings.Repeat("東京都\u3000大阪市。", 300), // of which U+3000 has a zero byte in the other place
		"Chinese":           strings.Repeat("一丁七万丈三", 300),        // as have these, in some of theirs
		"emoji":             strings.Repeat("😀", 500),
		"Hebrew with marks": strings.Repeat("\u200Fשָׁלוֹם\u200E", 60),
		"Cuneiform":         strings.Repeat("𒀀𒀁𒀂", 200),
	} {
		for _, name := range []string{"utf-16le", "utf-16be", "utf-32le", "utf-32be"} {
			raw := wideText(name, head+text+tail)
			if c, notices := encoding.Presume([]byte(raw), encoding.Hints{}); c.Name != name || len(notices) > 0 {
				t.Errorf("%s in %s: %s, %v", kind, name, c.Name, notices)
			}
			if c, _ := encoding.Presume([]byte(raw[:len(raw)-1]), encoding.Hints{}); c.Name != name {
				t.Errorf("%s in %s, cut within a character: %s", kind, name, c.Name)
			}
		}
	}
}

func TestBytesThatAreNoWideTextAreNotTakenForIt(t *testing.T) {
	numbers := func(size int, next func(i int) int) string {
		var raw []byte
		for i := range 2000 {
			for b := range size {
				raw = append(raw, byte(next(i)>>(8*b)))
			}
		}
		return string(raw)
	}
	for kind, raw := range map[string]string{
		"numbers of 4 bytes":         numbers(4, func(i int) int { return i }),
		"numbers of 2 bytes":         numbers(2, func(i int) int { return i }),
		"random numbers of 4 bytes":  numbers(4, func(i int) int { return i * 2654435761 }),
		"few numbers":                numbers(4, func(i int) int { return 32 + i*i%200 }),
		"zeros":                      strings.Repeat("\x00", 4000),
		"a letter and zeros":         "<" + strings.Repeat("\x00", 4000),
		"text with zeros in it":      strings.Repeat("<http://e/a> \x00<http://e/p> .\n", 100),
		"fields filled with zeros":   strings.Repeat("name\x00\x00\x00\x00", 100),
		"text of one byte":           strings.Repeat("<a> <b> <c> .\n", 100),
		"text with a zero at second": "<\x00" + strings.Repeat("http://e/a> <http://e/p> ", 100),
	} {
		if c, _ := encoding.Presume([]byte(raw), encoding.Hints{}); strings.HasPrefix(c.Name, "utf-16") ||
			strings.HasPrefix(c.Name, "utf-32") {
			t.Errorf("%s: %s", kind, c.Name)
		}
	}
}
