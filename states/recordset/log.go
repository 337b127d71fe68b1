package recordset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/records/job"
	"laundromat/records/spec"
	"laundromat/report"
)

// Log is the record of a run, which is added to a file.
type Log struct {
	path  string
	start time.Time

	// Into counts the records that are new in a database; nil where the run writes files.
	Into func() int64 `json:"-"`

	ID        string    `json:"id"`
	Name      string    `json:"parser_name"`
	Version   string    `json:"parser_version,omitempty"`
	Runtime   float64   `json:"parser_runtime"`
	URL       string    `json:"source_url,omitempty"`
	Text      *headText `json:"source_text,omitempty"`
	Accessed  string    `json:"access_datetime"`
	Inserted  int64     `json:"insert_count"`
	Result    string    `json:"result"`
	Traceback string    `json:"traceback,omitempty"`

	urls, errors []string
	named        string // the document whose address came last
	code         fault.Code
}

// maxLogged is how much of the source the record of a run holds, and how many URLs and errors.
const (
	maxLogged      = 1 << 20
	maxLoggedLines = 1000
)

// NewLog begins the record of a run by the spec of that file, "" for none; path is the file that it is added to.
func NewLog(path string, s *spec.Spec, specFile string, accessed time.Time) *Log {
	l := &Log{path: path, start: time.Now(), Name: s.Name, Version: s.Version,
		Accessed: accessed.UTC().Format("2006-01-02T15:04:05Z")}
	if l.Name == "" {
		l.Name = strings.TrimSuffix(filepath.Base(specFile), filepath.Ext(specFile))
	}
	if specFile == "" {
		l.Name = "laundromat"
	}
	return l
}

// source notes where a document comes from, and keeps the beginning of its text as it is read.
func (l *Log) source(doc *job.Document) io.Reader {
	name := doc.URL
	if name == "" {
		name = doc.Name
	}
	l.from(name)
	l.named = doc.Name
	if doc.Text == nil {
		return nil
	}
	if l.Text == nil {
		l.Text = &headText{}
	}
	return io.TeeReader(doc.Text, l.Text)
}

// from notes an address.
func (l *Log) from(address string) {
	if len(l.urls) < maxLoggedLines {
		l.urls = append(l.urls, address)
	}
}

// document notes an error that a document ended in, and the address of one that was not even opened.
func (l *Log) document(d *report.Document) {
	if d.Error == nil {
		return
	}
	if d.Name != l.named {
		l.from(d.Name)
		l.named = d.Name
	}
	if len(l.errors) < maxLoggedLines {
		l.errors = append(l.errors, d.Name+": "+d.Error.Message)
	}
	// What is no table, tree or page decides only where nothing else went wrong.
	if l.code == "" || l.code == fault.RecordFormat {
		l.code = d.Error.Code
	}
}

// Append adds the record of a run to the file. failed is the error in which the run ended, if any.
func (l *Log) Append(whole *report.Report, failed error) error {
	l.Runtime = time.Since(l.start).Seconds()
	l.URL = strings.Join(l.urls, "\n")
	switch {
	case l.Into != nil:
		l.Inserted = l.Into()
	case whole.Records != nil:
		l.Inserted = whole.Records.Written
	}
	l.Result = success
	if failed != nil || !whole.IsRead() {
		if failed != nil {
			l.code = codeOf(failed)
			l.errors = append(l.errors, failed.Error())
			l.Inserted = 0 // the output did not get its name
		}
		l.Result = string(cmp.Or(l.code, "failure"))
		l.Traceback = strings.Join(l.errors, "\n")
	}
	l.ID = RunID(l.Accessed, l.Name, l.Result, fmt.Sprintf("%016x", rand.Uint64()))
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(l); err != nil {
		return err
	}
	return appendTo(l.path, line.Bytes())
}

// codeOf is the code of an error of the run itself.
func codeOf(err error) fault.Code {
	if fault.KindOf(err) == fault.Stopped {
		return fault.LocalStopped
	}
	return cmp.Or(fault.CodeOf(err), fault.LocalDisk)
}

// success is the result of a run without an error.
const success = "success"

// RunID is the name of a run: when, by what, with which result, and what tells it from others of the same second.
func RunID(accessed, name, result, own string) string {
	return strings.Join([]string{accessed, name, result, own}, " – ")
}

// appendTo adds a line to a file, by one write.
func appendTo(path string, line []byte) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(line)
	return errors.Join(err, file.Close())
}

// headText keeps the beginning of what is written to it.
type headText struct{ text []byte }

func (h *headText) Write(p []byte) (int, error) {
	h.text = append(h.text, p[:min(len(p), maxLogged-len(h.text))]...)
	return len(p), nil
}

// MarshalText is whole characters.
func (h *headText) MarshalText() ([]byte, error) {
	text := h.text
	for range utf8.UTFMax {
		if r, size := utf8.DecodeLastRune(text); r != utf8.RuneError || size != 1 {
			break
		}
		text = text[:len(text)-1]
	}
	return text, nil
}
