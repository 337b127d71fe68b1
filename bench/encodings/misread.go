package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"laundromat/markup/prose"
)

// misreadPages are the pages that text is read in by mistake, here.
var misreadPages = []string{"windows-1252", "iso-8859-15", "mac-roman", "code page 437", "code page 850", "windows-1250", "windows-1251",
	"windows-1254"}

// misreadTable measures how many texts that were misread are read back as they were, and
// how many sound ones are changed.
func misreadTable(w io.Writer, o options) error {
	texts, err := allTexts(o.cldr, o.locales)
	if err != nil {
		return err
	}
	changed := 0
	for _, text := range texts {
		if meant, _ := prose.Mend([]byte(text)); meant != nil {
			changed++
		}
	}
	fmt.Fprintf(w, misreadHead, len(texts), changed)
	const each = 50
	var made, right int
	for _, page := range misreadPages {
		tried, mended := 0, 0
		for i := 0; i < len(texts); i += each {
			wrong, _ := prose.Misread([]byte(texts[i]), page)
			tried++
			if meant, _ := prose.Mend(wrong); string(meant) == texts[i] {
				mended++
			}
		}
		fmt.Fprintf(w, "| %s | %d | %.1f |\n", page, tried, 100*float64(mended)/float64(tried))
		made, right = made+tried, right+mended
	}
	fmt.Fprintf(w, "| **all** | %d | %.1f |\n", made, 100*float64(right)/float64(made))
	return nil
}

// allTexts are those of both sources in every language, each once.
func allTexts(cldr, locales string) (all []string, err error) {
	seen := map[string]bool{}
	add := func(text string) {
		if text = strings.TrimSpace(text); hasHigh(text) && utf8.ValidString(text) && !strings.ContainsAny(text, "\n\t\x00") {
			seen[text] = true
		}
	}
	for _, folder := range []string{"main", "annotations", "subdivisions"} {
		files, _ := filepath.Glob(filepath.Join(cldr, folder, "*.xml"))
		for _, file := range files {
			if err := characterData(file, add); err != nil {
				return nil, err
			}
		}
	}
	files, _ := filepath.Glob(filepath.Join(locales, "*", "LC_MESSAGES", "iso_[0-9]*.mo"))
	for _, file := range files {
		if err := fromMessages(file, add); err != nil {
			return nil, err
		}
	}
	for text := range seen {
		all = append(all, text)
	}
	slices.Sort(all)
	return all, nil
}

// characterData reads all texts of a file of CLDR; those between | are several.
func characterData(path string, add func(string)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	d := xml.NewDecoder(f)
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if text, ok := token.(xml.CharData); ok {
			for part := range strings.SplitSeq(string(text), "|") {
				add(part)
			}
		}
	}
}

const misreadHead = `
## Misread text

What --fix-mojibake makes of single literals. The texts are all those in the two sources that have
characters outside ASCII, in every language there is, each once: %d. Sound as they are, %d of them are changed.
One in fifty was read in each page as if it were UTF-8, with C1 controls where the page has no character; the
figure is the share, in percent, that comes back character for character.

| read in | texts | read back |
|---|--:|--:|
`
