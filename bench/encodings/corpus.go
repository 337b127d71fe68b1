package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"laundromat/encoding"
)

// corpusTable measures a folder of files, in whole and by their first 256 bytes. The name of a file,
// or of its folder, begins with its encoding, as in the test data of detectors. What a file says of
// its encoding itself is not heard.
func corpusTable(w io.Writer, folder string, show int) error {
	for _, length := range []int{1 << 30, 256} {
		var all []document
		unread := 0
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			name := corpusEncoding(path)
			if name == "" {
				return nil
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			raw = raw[:min(len(raw), length)]
			r, err := encoding.NewReader(strings.NewReader(string(raw)), name, encoding.Options{Tolerate: true})
			if err != nil {
				unread++
				return nil
			}
			text, err := io.ReadAll(r)
			all = append(all, document{language: path, encoding: name, text: string(text), raw: raw})
			return err
		})
		if err != nil {
			return err
		}
		peers, err := uchardetNames(all)
		if err != nil {
			return err
		}
		right := [3]int{}
		for i, d := range all {
			answers := []string{unheard(d.raw), "", chardetName(d.raw)}
			if peers != nil {
				answers[1] = peers[i]
			}
			for j, name := range answers {
				if name != "" && givesText(name, d) {
					right[j]++
				} else if j == 0 && show > 0 {
					show--
					fmt.Fprintf(w, "%s: %s, not %s\n", d.language, name, d.encoding)
				}
			}
		}
		fmt.Fprintf(w, "%d files (%d more in an encoding that is not read), at most %d bytes of each: Laundromat %d, uchardet %d, saintfish/chardet %d\n",
			len(all), unread, length, right[0], right[1], right[2])
	}
	return nil
}

// corpusEncoding is the encoding that a path names; "" for what is no sample.
func corpusEncoding(path string) string {
	ext := filepath.Ext(path)
	if strings.HasPrefix(filepath.Base(path), "README") || strings.HasPrefix(filepath.Base(path), "CMake") || ext == ".c" || ext == ".in" {
		return ""
	}
	for _, name := range []string{filepath.Base(filepath.Dir(path)), strings.TrimSuffix(filepath.Base(path), ext)} {
		name = strings.ToLower(name)
		if known, ok := corpusNames[strings.SplitN(name, ".", 2)[0]]; ok {
			return known
		}
		parts := strings.Split(name, "-") // a language may be after
		for n := len(parts); n > 0; n-- {
			name := strings.Split(strings.Join(parts[:n], "-"), ".")[0]
			if known, ok := corpusNames[name]; ok {
				return known
			}
			if _, err := encoding.NewReader(strings.NewReader(""), name, encoding.Options{}); err == nil && len(name) > 2 {
				return name
			}
		}
	}
	return "johab" // or whatever else is not read
}

var corpusNames = map[string]string{
	"ascii": "utf-8", "utf-8-sig": "utf-8", "cp932": "shift_jis", "cp949": "euc-kr", "uhc": "euc-kr", "gb2312": "gb18030",
	"maccyrillic": "x-mac-cyrillic", "mac-cyrillic": "x-mac-cyrillic", "macroman": "macintosh", "mac-centraleurope": "x-mac-ce",
	"tis-620": "windows-874", "johab": "johab",
}

// unheard is what our detector names of a document whose own declaration is not heard.
func unheard(raw []byte) string {
	choice, _ := encoding.Presume(raw[:min(len(raw), 64<<10)], encoding.Hints{})
	for i := range choice.Evidence {
		switch choice.Evidence[i].From {
		case "xml", "html", "css":
			choice.Evidence[i].From = "passed over"
		}
	}
	return settled(raw, choice)
}

// givesText is isRight for a text that may have characters that its encoding lacks.
func givesText(name string, d document) bool {
	r, err := encoding.NewReader(strings.NewReader(string(d.raw)), name, encoding.Options{Tolerate: true})
	if err != nil {
		return false
	}
	text, err := io.ReadAll(r)
	return err == nil && string(text) == d.text
}
