package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptCommands are what scripts can say besides the commands of package testscript.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"exits":   scriptExits,
	"json":    scriptJSON,
	"pack":    scriptPack,
	"unzip":   scriptUnzip,
	"lines":   scriptLines,
	"change":  scriptChange,
	"repeat":  scriptRepeat,
	"await":   scriptAwait,
	"empty":   scriptEmpty,
	"recode":  scriptRecode,
	"mention": scriptMention,
	"site":    scriptSite,
	"session": scriptSession,
}

// scriptExits runs "exits CODE program args…" and holds the exit code, which may be one of several ("0,1").
func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE program [args...]")
	}
	code := 0
	var ended *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &ended) {
		code = ended.ExitCode()
	} else {
		ts.Check(err)
	}
	if !slices.Contains(strings.Split(args[0], ","), strconv.Itoa(code)) {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// scriptJSON holds values of a JSON file: "json FILE path=value…". A path is made of
// keys and numbers with dots between; length is that. Of a file of JSON lines, the
// path begins with the number of the line. A value that is absent is null.
func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: json FILE path=value...")
	}
	var values []any
	decoder := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	decoder.UseNumber()
	for {
		var value any
		err := decoder.Decode(&value)
		if errors.Is(err, io.EOF) {
			break
		}
		ts.Check(err)
		values = append(values, value)
	}
	var root any = values
	if len(values) == 1 && !strings.HasPrefix(args[1], "0.") && !strings.HasPrefix(args[1], "length=") {
		root = values[0]
	}
	for _, pair := range args[1:] {
		path, want, _ := strings.Cut(pair, "=")
		if got := jsonText(jsonAt(root, path)); got != want {
			ts.Fatalf("%s: %s is %s, want %s", args[0], path, got, want)
		}
	}
}

func jsonAt(value any, path string) any {
	for key := range strings.SplitSeq(path, ".") {
		switch at := value.(type) {
		case map[string]any:
			value = at[key]
			if key == "length" {
				value = len(at)
			}
		case []any:
			if key == "length" {
				value = len(at)
				continue
			}
			n, err := strconv.Atoi(key)
			if err != nil || n >= len(at) {
				return nil
			}
			value = at[n]
		default:
			return nil
		}
	}
	return value
}

func jsonText(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// scriptPack makes archives: "pack zip|tar OUT name=FILE…" or "pack gz OUT FILE".
func scriptPack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: pack zip|tar|gz OUT name=FILE...")
	}
	var out bytes.Buffer
	switch args[0] {
	case "gz":
		w := gzip.NewWriter(&out)
		_, err := io.WriteString(w, ts.ReadFile(args[2]))
		ts.Check(err)
		ts.Check(w.Close())
	case "zip":
		w := zip.NewWriter(&out)
		for _, pair := range args[2:] {
			name, file, _ := strings.Cut(pair, "=")
			entry, err := w.Create(name)
			ts.Check(err)
			_, err = io.WriteString(entry, ts.ReadFile(file))
			ts.Check(err)
		}
		ts.Check(w.Close())
	case "tar":
		w := tar.NewWriter(&out)
		for _, pair := range args[2:] {
			name, file, _ := strings.Cut(pair, "=")
			body := ts.ReadFile(file)
			ts.Check(w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(body)), Mode: 0o644}))
			_, err := io.WriteString(w, body)
			ts.Check(err)
		}
		ts.Check(w.Close())
	default:
		ts.Fatalf("pack knows zip, tar and gz")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), out.Bytes(), 0o666))
}

// scriptUnzip unpacks a gzip file, or the standard output: "unzip FILE OUT".
func scriptUnzip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unzip FILE OUT")
	}
	r, err := gzip.NewReader(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	text, err := io.ReadAll(r)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), text, 0o666))
}

// scriptLines sorts the lines of files by their bytes, each once: "lines OUT FILE…".
func scriptLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: lines OUT FILE...")
	}
	var lines []string
	for _, name := range args[1:] {
		lines = append(lines, strings.SplitAfter(ts.ReadFile(name), "\n")...)
	}
	slices.Sort(lines)
	lines = slices.DeleteFunc(slices.Compact(lines), func(line string) bool { return line == "" })
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(lines, "")), 0o666))
}

// scriptChange damages a file: "change FILE cut N" cuts the last N bytes off,
// "change FILE flip N" turns the byte at N over.
func scriptChange(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: change FILE cut|flip|zero N, or spoil TEXT")
	}
	body := []byte(ts.ReadFile(args[0]))
	if args[1] == "spoil" { // each place where the file has the text
		spoilt := bytes.ReplaceAll(body, []byte(args[2]), append([]byte{args[2][0] ^ 1}, args[2][1:]...))
		if bytes.Equal(spoilt, body) {
			ts.Fatalf("%s is nowhere in %s", args[2], args[0])
		}
		ts.Check(os.WriteFile(ts.MkAbs(args[0]), spoilt, 0o666))
		return
	}
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	switch args[1] {
	case "cut":
		body = body[:len(body)-n]
	case "flip":
		body[n] ^= 0xff
	case "zero": // the page of 4,096 bytes with this number
		clear(body[n*4096 : (n+1)*4096])
	default:
		ts.Fatalf("change cuts, flips or makes zero")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), body, 0o666))
}

// scriptRepeat writes a file of N lines in which %d is the number of the line:
// "repeat OUT N line".
func scriptRepeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat OUT N line")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	var out bytes.Buffer
	for i := range n {
		out.WriteString(strings.ReplaceAll(args[2], "%d", fmt.Sprint(i)))
		out.WriteByte('\n')
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), out.Bytes(), 0o666))
}

// scriptAwait waits until a file is there and not empty, or holds a text: "await FILE [TEXT]".
func scriptAwait(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: await FILE [TEXT]")
	}
	text := []byte(strings.Join(args[1:], ""))
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if held, err := os.ReadFile(ts.MkAbs(args[0])); err == nil && len(held) > 0 && bytes.Contains(held, text) {
			return
		}
	}
	ts.Fatalf("%s did not appear", strings.Join(args, " with "))
}

// scriptEmpty checks that folders hold no files, at any depth.
func scriptEmpty(ts *testscript.TestScript, neg bool, args []string) {
	for _, folder := range args {
		ts.Check(filepath.WalkDir(ts.MkAbs(folder), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				err = fmt.Errorf("%s was left behind", path)
			}
			return err
		}))
	}
}

// scriptRecode writes a UTF-8 file in ISO-8859-1 or UTF-16: "recode latin1|utf16le FILE".
func scriptRecode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: recode latin1|utf16le FILE")
	}
	var out []byte
	if args[0] == "utf16le" {
		out = append(out, 0xff, 0xfe)
	}
	for _, r := range ts.ReadFile(args[1]) {
		out = append(out, byte(r))
		if args[0] == "utf16le" {
			out = append(out, byte(r>>8))
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), out, 0o666))
}

// scriptMention checks that a file contains the text of another, without its line end:
// "mention FILE NAME". If negated, "[!] mention FILE NAME", it checks only that the text is
// absent.
func scriptMention(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: mention FILE NAME")
	}
	text := strings.TrimSpace(ts.ReadFile(args[1]))
	if strings.Contains(ts.ReadFile(args[0]), text) == neg {
		ts.Fatalf("%s: %q: found is %v", args[0], text, !neg == false)
	}
}
