package main

import (
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// gather reads the names of each language that have characters outside ASCII, each once.
func gather(cldr, locales string) (map[string][]string, error) {
	names := map[string][]string{}
	for _, l := range languages {
		seen := map[string]bool{}
		add := func(text string) {
			text = strings.TrimSpace(text)
			if !seen[text] && utf8.ValidString(text) && hasHigh(text) && !strings.ContainsAny(text, "\n\r\"\\<>%|;") && len(text) < 120 {
				seen[text] = true
				names[l.name] = append(names[l.name], text)
			}
		}
		for _, folder := range []string{"main", "annotations"} {
			path := filepath.Join(cldr, folder, l.cldr+".xml")
			if err := fromCLDR(path, add); err != nil {
				return nil, err
			}
		}
		for _, domain := range []string{"iso_3166-1", "iso_3166-2", "iso_639-2", "iso_639-3", "iso_15924"} {
			path := filepath.Join(locales, l.locale, "LC_MESSAGES", domain+".mo")
			if err := fromMessages(path, add); err != nil {
				return nil, err
			}
		}
		slices.Sort(names[l.name])
		if len(names[l.name]) < 100 {
			return nil, fmt.Errorf("%s: only %d names in %s and %s", l.name, len(names[l.name]), cldr, locales)
		}
	}
	return names, nil
}

func hasHigh(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// fromCLDR reads the names of cities and currencies, and what pictures are called.
func fromCLDR(path string, add func(string)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	d := xml.NewDecoder(f)
	var within []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			name := t.Name.Local
			for _, a := range t.Attr {
				if a.Name.Local == "type" && a.Value == "tts" {
					name = "tts"
				}
			}
			within = append(within, name)
		case xml.EndElement:
			within = within[:len(within)-1]
		case xml.CharData:
			n := len(within)
			if n > 1 && (within[n-1] == "exemplarCity" || within[n-1] == "tts" || within[n-1] == "displayName" &&
				within[n-2] == "currency") && string(t) != "↑↑↑" {
				add(string(t))
			}
		}
	}
}

// fromMessages reads the translations of a compiled catalog of gettext; one that is not
// there has none.
func fromMessages(path string, add func(string)) error {
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if len(raw) < 28 {
		return fmt.Errorf("%s: too short", path)
	}
	n, at := int(binary.LittleEndian.Uint32(raw[8:])), int(binary.LittleEndian.Uint32(raw[16:]))
	for i := range n {
		if at+8*i+8 > len(raw) {
			return fmt.Errorf("%s: cut short", path)
		}
		length, begin := int(binary.LittleEndian.Uint32(raw[at+8*i:])), int(binary.LittleEndian.Uint32(raw[at+8*i+4:]))
		if begin+length > len(raw) {
			return fmt.Errorf("%s: cut short", path)
		}
		add(string(raw[begin : begin+length]))
	}
	return nil
}
