package main

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"

	"laundromat/encoding"
)

// languages are those measured, with their names in the two sources and the encodings
// that texts in them were written in.
var languages = []struct{ name, cldr, locale, encodings string }{
	{"French", "fr", "fr", "utf-8 windows-1252 iso-8859-1 iso-8859-15 macintosh ibm850 utf-16le utf-32be"},
	{"German", "de", "de", "windows-1252 iso-8859-1 iso-8859-15 macintosh ibm850 ibm437"},
	{"Spanish", "es", "es", "windows-1252 iso-8859-1 iso-8859-15 ibm850"},
	{"Portuguese", "pt", "pt_BR", "windows-1252 iso-8859-1 iso-8859-15"},
	{"Italian", "it", "it", "windows-1252 iso-8859-1 macintosh"},
	{"Swedish", "sv", "sv", "windows-1252 iso-8859-1 ibm850"},
	{"Danish", "da", "da", "windows-1252 iso-8859-1 ibm865"},
	{"Finnish", "fi", "fi", "windows-1252 iso-8859-1 iso-8859-15"},
	{"Icelandic", "is", "is", "windows-1252 iso-8859-1"},
	{"Catalan", "ca", "ca", "windows-1252 iso-8859-15"},
	{"Polish", "pl", "pl", "utf-8 windows-1250 iso-8859-2 ibm852 x-mac-ce"},
	{"Czech", "cs", "cs", "windows-1250 iso-8859-2 ibm852 x-mac-ce"},
	{"Slovak", "sk", "sk", "windows-1250 iso-8859-2"},
	{"Hungarian", "hu", "hu", "windows-1250 iso-8859-2 ibm852"},
	{"Slovene", "sl", "sl", "windows-1250 iso-8859-2"},
	{"Croatian", "hr", "hr", "windows-1250 iso-8859-2"},
	{"Romanian", "ro", "ro", "iso-8859-16"},
	{"Turkish", "tr", "tr", "utf-8 windows-1254 iso-8859-9 ibm857"},
	{"Lithuanian", "lt", "lt", "windows-1257 iso-8859-13"},
	{"Latvian", "lv", "lv", "windows-1257 iso-8859-13"},
	{"Estonian", "et", "et", "windows-1257 iso-8859-15"},
	{"Vietnamese", "vi", "vi", "utf-8 windows-1258 viscii"},
	{"Russian", "ru", "ru", "utf-8 windows-1251 koi8-r iso-8859-5 ibm866 x-mac-cyrillic ibm855 utf-16le"},
	{"Ukrainian", "uk", "uk", "windows-1251 koi8-u"},
	{"Bulgarian", "bg", "bg", "windows-1251 iso-8859-5"},
	{"Serbian", "sr", "sr", "windows-1251 iso-8859-5"},
	{"Greek", "el", "el", "utf-8 windows-1253 iso-8859-7"},
	{"Hebrew", "he", "he", "utf-8 windows-1255 iso-8859-8"},
	{"Arabic", "ar", "ar", "utf-8 windows-1256 iso-8859-6"},
	{"Thai", "th", "th", "utf-8 windows-874"},
	{"Chinese", "zh", "zh_CN", "utf-8 gb18030 hz-gb-2312 utf-16le"},
	{"Chinese, traditional", "zh_Hant", "zh_TW", "big5 euc-tw"},
	{"Japanese", "ja", "ja", "utf-8 shift_jis euc-jp iso-2022-jp utf-16be"},
	{"Korean", "ko", "ko", "utf-8 euc-kr iso-2022-kr"},
}

// densities are the numbers of literals outside ASCII.
var densities = []int{1, 3, 30}

// document is a dataset as somebody wrote it.
type document struct {
	language, encoding string
	literals           int
	labels             []string
	text               string
	raw                []byte
}

// documents makes those to measure with.
func documents(names map[string][]string, o options) (all []document) {
	random := rand.New(rand.NewPCG(o.seed, 0))
	for _, l := range languages {
		for name := range strings.FieldsSeq(l.encodings) {
			var writable []string
			for _, label := range names[l.name] {
				if name == "windows-1258" {
					label = combining(label)
				}
				if _, ok := encode(name, label); ok {
					writable = append(writable, label)
				}
			}
			if len(writable) < 30 {
				continue
			}
			for _, literals := range densities {
				for range o.documents {
					d := document{language: l.name, encoding: name, literals: literals}
					for range literals {
						d.labels = append(d.labels, writable[random.IntN(len(writable))])
					}
					d.text = dataset(d.labels)
					d.raw, _ = encode(name, d.text)
					all = append(all, d)
				}
			}
		}
	}
	return all
}

// dataset writes labels as N-Triples, with others that are ASCII.
func dataset(labels []string) string {
	var b strings.Builder
	for i, label := range labels {
		s := fmt.Sprintf("<http://example.org/resource/%d>", 1000+7*i)
		fmt.Fprintf(&b, "%s <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://example.org/Thing> .\n", s)
		fmt.Fprintf(&b, "%s <http://www.w3.org/2000/01/rdf-schema#label> \"%s\" .\n", s, label)
		fmt.Fprintf(&b, "%s <http://purl.org/dc/terms/identifier> \"item-%d\" .\n", s, i)
		fmt.Fprintf(&b, "%s <http://purl.org/dc/terms/publisher> \"The Example Library\" .\n", s)
	}
	return b.String()
}

// encode writes text in an encoding; false if that lacks a character of it.
func encode(name, text string) (raw []byte, ok bool) {
	switch name {
	case "utf-8":
		return []byte(text), true
	case "utf-16le", "utf-16be":
		for _, u := range utf16.Encode([]rune(text)) {
			if name == "utf-16le" {
				raw = binary.LittleEndian.AppendUint16(raw, u)
			} else {
				raw = binary.BigEndian.AppendUint16(raw, u)
			}
		}
		return raw, true
	case "utf-32be":
		for _, r := range text {
			raw = binary.BigEndian.AppendUint32(raw, uint32(r))
		}
		return raw, true
	case "iso-2022-kr":
		return shifted(text)
	}
	if enc := stateful[name]; enc != nil {
		raw, err := enc.NewEncoder().Bytes([]byte(text))
		return raw, err == nil
	}
	write, ok := encoding.NewEncoder(name)
	if !ok {
		panic("no encoder for " + name)
	}
	raw, err := write(nil, []byte(text))
	return raw, err == nil
}

// combining writes Vietnamese as windows-1258 does: the tone is a combining mark, what
// else is above or below a vowel is not.
func combining(text string) string {
	var b strings.Builder
	for _, r := range text {
		parts := []rune(norm.NFD.String(string(r)))
		last := len(parts) - 1
		switch {
		case last > 0 && strings.ContainsRune("\u0300\u0301\u0303\u0309\u0323", parts[last]):
			b.WriteString(norm.NFC.String(string(parts[:last])))
			b.WriteRune(parts[last])
		case last > 1 && parts[1] == '\u0323':
			b.WriteString(norm.NFC.String(string([]rune{parts[0], parts[2]})))
			b.WriteRune(parts[1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
