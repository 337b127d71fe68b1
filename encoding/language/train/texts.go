//go:build generate

package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

// texts calls take with each text below the folders, and the locale that it is in.
func texts(folders []string, take func(locale, file, text string)) error {
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			parts := strings.Split(filepath.ToSlash(path), "/")
			n := len(parts)
			switch {
			case n > 2 && parts[n-2] == "LC_MESSAGES" && strings.HasSuffix(path, ".mo"):
				return messages(path, func(text string) { take(parts[n-3], parts[n-1], text) })
			case n > 3 && parts[n-4] == "man" && strings.HasPrefix(parts[n-2], "man") && strings.HasSuffix(path, ".gz"):
				return manual(path, func(text string) { take(parts[n-3], parts[n-1], text) })
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// messages reads the translations of a compiled catalog of gettext.
func messages(path string, take func(string)) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if len(raw) < 28 {
		return fmt.Errorf("%s: too short", path)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if order.Uint32(raw) != 0x950412de {
		order = binary.BigEndian
	}
	n, at := int(order.Uint32(raw[8:])), int(order.Uint32(raw[16:]))
	for i := range n {
		if at+8*i+8 > len(raw) {
			return fmt.Errorf("%s: cut short", path)
		}
		length, begin := int(order.Uint32(raw[at+8*i:])), int(order.Uint32(raw[at+8*i+4:]))
		if begin+length > len(raw) {
			return fmt.Errorf("%s: cut short", path)
		}
		text := string(raw[begin : begin+length])
		if utf8.ValidString(text) && !strings.HasPrefix(text, "Project-Id-Version") {
			take(strings.ReplaceAll(text, "\x00", "\n"))
		}
	}
	return nil
}

var macros = regexp.MustCompile(`\\(f[A-Z]|f\(..|f\[[A-Za-z]*\]|[&%:/,|^0])`)

// manual reads the lines of a page that are text.
func manual(path string, take func(string)) error {
	f, err := os.Open(path)
	if err != nil {
		return nil // a link to what another package holds
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if !utf8.Valid(raw) {
		return nil
	}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if line := lines.Text(); !strings.HasPrefix(line, ".") && !strings.HasPrefix(line, "'") {
			take(strings.ReplaceAll(macros.ReplaceAllString(line, ""), `\-`, "-"))
		}
	}
	return lines.Err()
}
