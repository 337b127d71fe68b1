package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"laundromat/records/job"
	"laundromat/records/spec"
	"laundromat/report"
)

// timeValue is a flag that holds a time.
type timeValue struct{ time.Time }

func (v *timeValue) Set(text string) (err error) {
	if v.Time, err = time.Parse(time.RFC3339, text); err != nil {
		err = errors.New("not a time (example: 2024-03-01T12:00:00Z)")
	}
	return err
}

func (v *timeValue) String() string {
	if v.IsZero() {
		return ""
	}
	return v.UTC().Format(time.RFC3339)
}

func (v *timeValue) Type() string { return "TIME" }

// runLog is the record of a run, which --log adds to a file.
type runLog struct {
	path  string
	start time.Time

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
}

// maxLogged is how much of the source the record of a run holds, and how many URLs and errors.
const (
	maxLogged      = 1 << 20
	maxLoggedLines = 1000
)

func newRunLog(s *spec.Spec, o *recordsOptions) *runLog {
	l := &runLog{path: o.log, start: time.Now(), Name: s.Name, Version: s.Version,
		Accessed: o.accessed.UTC().Format("2006-01-02T15:04:05Z")}
	if l.Name == "" {
		l.Name = strings.TrimSuffix(filepath.Base(o.spec), filepath.Ext(o.spec))
	}
	if o.spec == "" {
		l.Name = "laundromat"
	}
	return l
}

// source notes where a document comes from, and keeps the beginning of its text as it is read.
func (l *runLog) source(doc *job.Document) io.Reader {
	name := doc.URL
	if name == "" {
		name = doc.Name
	}
	if len(l.urls) < maxLoggedLines {
		l.urls = append(l.urls, name)
	}
	if doc.Text == nil {
		return nil
	}
	if l.Text == nil {
		l.Text = &headText{}
	}
	return io.TeeReader(doc.Text, l.Text)
}

// document notes an error that a document ended in.
func (l *runLog) document(d *report.Document) {
	if d.Error != nil && len(l.errors) < maxLoggedLines {
		l.errors = append(l.errors, d.Name+": "+d.Error.Message)
	}
}

// write adds the record to the file. It returns the error of the run, else its own.
func (l *runLog) write(whole *report.Report, run error) error {
	l.Runtime = time.Since(l.start).Seconds()
	l.URL = strings.Join(l.urls, "\n")
	if whole.Records != nil {
		l.Inserted = whole.Records.Written
	}
	l.Result = "success"
	var ended *exitError
	isExit := errors.As(run, &ended)
	if run != nil && (!isExit || ended.code != exitDropped) {
		l.Result = "failure"
		if !isExit || ended.err != nil {
			l.errors = append(l.errors, run.Error())
			l.Inserted = 0 // the output did not get its name
		}
		l.Traceback = strings.Join(l.errors, "\n")
	}
	l.ID = l.Accessed + " – " + l.Name + " – " + l.Result
	var line bytes.Buffer
	err := encodeTo(&line, l)
	if err == nil {
		err = appendTo(l.path, line.Bytes())
	}
	if run != nil {
		return run
	}
	return err
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
