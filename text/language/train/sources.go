package main

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"laundromat/internal/pattern"
)

var (
	quoted = pattern.New(`'((?:\\.|[^'\\])*)'`)
	named  = pattern.New(`(\d+):'([a-z]+)'`)
	scored = pattern.New(`(?:'((?:\\.|[^'\\])*)'|([A-Za-z_$][\w$]*|\d+)):\{([\d:,]*)\}`)
	// parts are the articles, and what stands before them all.
	parts    = pattern.New(`(?s)<header>.*?</header>|<article data-number="(\d+)">.*?</article>`)
	headings = pattern.New(`(?s)<h2>.*?</h2>`)
	tags     = pattern.New(`<[^>]*>`)
	entries  = pattern.New(`bcp47: '([^']*)',\s*code: '([^']*)'`)
)

// tagsOfELD are the tags of languages that ELD knows in one script, or by another name.
var tagsOfELD = map[string]string{"no": "nb", "sr": "sr-Cyrl", "az": "az-Latn", "ku": "ckb", "ms": "ms"}

// readELD reads the small set. A piece is bytes of UTF-8, for each of which it has a character.
func readELD(folder string) (map[uint64]map[string]int, error) {
	dictionary, err := os.ReadFile(filepath.Join(folder, "dictionary.js"))
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(folder, "ngrams", "small.js"))
	if err != nil {
		return nil, err
	}
	bytes := map[rune]byte{}
	_, list, _ := strings.Cut(string(dictionary), "[")
	for i, m := range quoted.Regexp().FindAllStringSubmatch(list, -1) {
		for _, r := range unescape(m[1]) {
			if i >= 0x80 {
				bytes[r] = byte(i)
			}
		}
	}
	head, rest, ok := strings.Cut(string(data), "ngrams:{")
	if !ok || len(bytes) < 64 {
		return nil, fmt.Errorf("%s: not the set that was expected", folder)
	}
	tags := map[string]string{}
	for _, m := range named.Regexp().FindAllStringSubmatch(head, -1) {
		tags[m[1]] = m[2]
		if tag := tagsOfELD[m[2]]; tag != "" {
			tags[m[1]] = tag
		}
	}
	all := map[uint64]map[string]int{}
	for _, m := range scored.Regexp().FindAllStringSubmatch(rest, -1) {
		var piece uint64
		n := 0
		for _, r := range unescape(m[1] + m[2]) {
			b, ok := bytes[r]
			if !ok {
				b = byte(r)
			}
			piece = piece<<8 | uint64(b)
			n++
		}
		if n > 8 {
			continue
		}
		scores := map[string]int{}
		for pair := range strings.SplitSeq(m[3], ",") {
			number, score, _ := strings.Cut(pair, ":")
			v, err := strconv.Atoi(score)
			if err != nil {
				return nil, err
			}
			scores[tags[number]] = v
		}
		all[piece] = scores
	}
	return all, nil
}

func unescape(s string) string { return strings.NewReplacer(`\'`, `'`, `\\`, `\`).Replace(s) }

// scripts are the languages that have several, and so say theirs.
var scripts = map[string]bool{"az": true, "uz": true, "tk": true, "ug": true, "sr": true, "bs": true}

// beside are the languages with tags of three letters that are counted.
var beside = func() map[string]bool {
	known := map[string]bool{}
	for tag := range strings.FieldsSeq("ast azb bho bik ceb chr crh fur gsw haw hmn hsb ilo jam kaa kab koi lad lah lij mai " +
		"min mwl nds pam pap sah sco tyv vec vep war yue") {
		known[tag] = true
	}
	return known
}()

// tagOf is the tag that a text counts for; empty if it doesn't count.
func tagOf(tag, code string) string {
	first, rest, _ := strings.Cut(tag, "-")
	switch {
	case first == "und" || code == "ckb" || code == "vie_han" || code == "san_gran" || code == "tgl_tglg" ||
		code == "jav_java" || code == "khk_mong" || code == "bos_cyrl" || first == "lah" && code != "pnb":
		return ""
	case first == "als":
		return "sq"
	case code == "mly_latn":
		return "ms"
	case first == "frp":
		return ""
	case scripts[first] && len(rest) == 4:
		return tag
	case scripts[first]:
		return ""
	case len(first) == 2 || beside[first]:
		return first
	}
	return ""
}

// readTexts reads the wanted articles of each language. What stands before all of them counts as article -1. A form
// feed stands before each.
func readTexts(folder string, want func(article int) bool) (map[string][]string, error) {
	index, err := os.ReadFile(filepath.Join(folder, "index.js"))
	if err != nil {
		return nil, err
	}
	texts := map[string][]string{}
	for _, m := range entries.Regexp().FindAllStringSubmatch(string(index), -1) {
		tag := tagOf(m[1], m[2])
		if tag == "" {
			continue
		}
		page, err := os.ReadFile(filepath.Join(folder, "declaration", m[2]+".html"))
		if err != nil {
			return nil, err
		}
		var b strings.Builder
		for _, part := range parts.Regexp().FindAllStringSubmatch(string(page), -1) {
			article := -1
			if part[1] != "" {
				article, _ = strconv.Atoi(part[1])
			}
			if want(article) {
				text := headings.Regexp().ReplaceAllString(part[0], "")
				b.WriteString("\f" + html.UnescapeString(tags.Regexp().ReplaceAllString(text, "\n")))
			}
		}
		texts[tag] = append(texts[tag], b.String())
	}
	return texts, nil
}
