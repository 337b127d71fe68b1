package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/saintfish/chardet"

	"laundromat/encoding"
)

// own is what our detector names: by the way that a document is washed.
func own(raw []byte) string {
	choice, _ := encoding.Presume(raw[:min(len(raw), 64<<10)], encoding.Hints{})
	return settled(raw, choice)
}

// settled is the encoding that comes of a presumed one.
func settled(raw []byte, choice encoding.Choice) string {
	r, err := encoding.NewReader(bytes.NewReader(raw), choice.Name, encoding.Options{})
	if err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	if errors.Is(err, encoding.ErrRefuted) {
		choice, _, _, err = encoding.Decide(context.Background(), bytes.NewReader(raw), choice, encoding.Hints{})
	}
	if err != nil {
		return ""
	}
	return choice.Name
}

// isRight says that an encoding gives the text of a document.
func isRight(name string, d document) bool {
	r, err := encoding.NewReader(bytes.NewReader(d.raw), name, encoding.Options{})
	if err != nil {
		return false
	}
	text, err := io.ReadAll(r)
	return err == nil && sameText(string(text), d.text)
}

// sameText compares texts. The bytes of ș and ț in ISO-8859-16 are those of ş and ţ in ISO-8859-2, and
// no reader sees a difference. So there is none here either.
func sameText(a, b string) bool { return a == b || commas.Replace(a) == commas.Replace(b) }

var commas = strings.NewReplacer("ş", "ș", "ţ", "ț", "Ş", "Ș", "Ţ", "Ț")

// chardetNames is what saintfish/chardet names.
func chardetName(raw []byte) string {
	found, err := chardet.NewTextDetector().DetectBest(raw)
	if err != nil {
		return ""
	}
	switch name := strings.ToLower(found.Charset); name {
	case "gb-18030":
		return "gb18030"
	case "iso-8859-8-i":
		return "iso-8859-8"
	default:
		return name
	}
}

// uchardetNames are what the program uchardet names; nil if it is not installed.
func uchardetNames(all []document) (names []string, err error) {
	program, err := exec.LookPath("uchardet")
	if err != nil {
		return nil, nil
	}
	folder, err := os.MkdirTemp("", "encodings")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	const batch = 500
	for begin := 0; begin < len(all); begin += batch {
		end := min(len(all), begin+batch)
		var files []string
		for i, d := range all[begin:end] {
			file := filepath.Join(folder, fmt.Sprint(i))
			if err := os.WriteFile(file, d.raw, 0o600); err != nil {
				return nil, err
			}
			files = append(files, file)
		}
		out, err := exec.Command(program, files...).Output()
		if err != nil {
			return nil, fmt.Errorf("uchardet: %w", err)
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if len(lines) != end-begin {
			return nil, fmt.Errorf("uchardet: %d answers to %d files", len(lines), end-begin)
		}
		for _, line := range lines {
			name := strings.TrimSpace(line[strings.LastIndexByte(line, ':')+1:])
			switch strings.ToLower(name) {
			case "uhc":
				name = "euc-kr"
			case "mac-centraleurope":
				name = "x-mac-ce"
			case "mac-cyrillic":
				name = "x-mac-cyrillic"
			}
			names = append(names, name)
		}
	}
	return names, nil
}
