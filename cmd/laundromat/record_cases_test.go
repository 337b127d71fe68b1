//go:build !race

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/rdftest"
)

// recordCase is what is right of a table, tree or page that somebody met with another program.
type recordCase struct {
	Runs []recordRun `json:"runs"`
}

type recordRun struct {
	Name     string   `json:"name"`
	Files    []string `json:"files"`
	Command  string   `json:"cmd"`
	Strip    bool     `json:"strip"`
	ExitIn   []int    `json:"exit_in"`
	Types    map[string][]string
	RawAny   []string        `json:"raw_any"`
	Spec     json.RawMessage `json:"spec"`
	Args     []string        `json:"args"`
	OutText  []string        `json:"out_text"`
	Told     []string        `json:"told"`
	Any      []recordOutcome
	NoDashes bool     `json:"no_record_of_dashes"`
	Prefill  []string `json:"prefill"` // a file in the folder of outputs, and what it holds before
	Raw      []string `json:"raw_contains"`
	recordOutcome
}

// recordOutcome is what records are held against. What is absent isn't looked at.
type recordOutcome struct {
	Labels    []string            `json:"labels"`
	LabelEnds []string            `json:"label_ends"`
	Rows      [][]string          `json:"rows"`
	Contains  [][]string          `json:"contains_rows"`
	Columns   map[string][]string `json:"cols"`
	Include   []string            `json:"values_include"`
	Count     *int                `json:"count"`
	Read      *int                `json:"sums_read"`
	Records   []any               `json:"records"`
	Holding   []map[string]any    `json:"contains"`      // fields that a record has, beside others
	Unlike    map[string]string   `json:"no_value_like"` // of a label, what no value of it matches
	Exits     []int               `json:"exit_in"`
	Says      []string            `json:"told"`
}

// readRecords gives the labels, in their order, and the values of records that are printed as JSON lines.
func readRecords(lines []byte, strip bool) (labels []string, rows [][]string, columns map[string][]string) {
	columns = map[string][]string{}
	for line := range bytes.Lines(lines) {
		d := json.NewDecoder(bytes.NewReader(line))
		if token, err := d.Token(); err != nil || token != json.Delim('{') {
			continue
		}
		row := []string{}
		for d.More() {
			name, err := d.Token()
			var raw json.RawMessage
			if err != nil || d.Decode(&raw) != nil {
				break
			}
			label, text := name.(string), ""
			if strings.HasPrefix(label, "_") || label == "was" {
				continue
			}
			if json.Unmarshal(raw, &text) != nil {
				text = string(raw)
			}
			if strip {
				label, text = strings.TrimSpace(label), strings.TrimSpace(text)
			}
			if !slices.Contains(labels, label) {
				labels = append(labels, label)
			}
			row, columns[label] = append(row, text), append(columns[label], text)
		}
		rows = append(rows, row)
	}
	return labels, rows, columns
}

// withoutEmptyCells leaves out empty cells, which are absent in some readings.
func withoutEmptyCells(rows [][]string) (left [][]string) {
	for _, row := range rows {
		left = append(left, slices.DeleteFunc(slices.Clone(row), func(s string) bool { return s == "" }))
	}
	return left
}

func sameRows(a, b [][]string) bool {
	return slices.EqualFunc(withoutEmptyCells(a), withoutEmptyCells(b), slices.Equal[[]string])
}

// holds says what of an outcome fails.
func (o *recordOutcome) holds(out, report []byte, strip bool) (wrong []string) {
	labels, rows, columns := readRecords(out, strip)
	check := func(name string, is bool) {
		if !is {
			wrong = append(wrong, name)
		}
	}
	check("labels", o.Labels == nil || slices.Equal(labels, o.Labels))
	check("label ends", len(o.LabelEnds) <= len(labels) && slices.Equal(labels[len(labels)-min(len(labels), len(o.LabelEnds)):],
		o.LabelEnds))
	check("rows", o.Rows == nil || sameRows(rows, o.Rows))
	for _, row := range o.Contains {
		check("contains rows", slices.ContainsFunc(rows, func(r []string) bool { return slices.Equal(r, row) }))
	}
	for name, values := range o.Columns {
		check("column "+name, slices.Equal(columns[name], values))
	}
	all := strings.Join(slices.Concat(rows...), "\n")
	for _, value := range o.Include {
		check("value "+value, strings.Contains(all, value))
	}
	if o.Records != nil || o.Holding != nil {
		found := []any{}
		for line := range bytes.Lines(out) {
			var record any
			check("a record is JSON", json.Unmarshal(line, &record) == nil)
			found = append(found, record)
		}
		check("records", o.Records == nil || reflect.DeepEqual(found, o.Records))
		for _, want := range o.Holding {
			check(fmt.Sprint("a record with ", want), slices.ContainsFunc(found, func(record any) bool {
				fields, _ := record.(map[string]any)
				for name, value := range want {
					if !reflect.DeepEqual(fields[name], value) {
						return false
					}
				}
				return true
			}))
		}
	}
	for label, like := range o.Unlike {
		check("value of "+label, len(columns[label]) > 0 && !slices.ContainsFunc(columns[label], regexp.MustCompile(like).MatchString))
	}
	check("count", o.Count == nil || len(rows) == *o.Count)
	var sums struct {
		Records struct{ Read int }
	}
	check("records read", o.Read == nil || json.Unmarshal(report, &sums) == nil && sums.Records.Read == *o.Read)
	return wrong
}

// tableCases are the cases of delimited text.
var tableCases = []string{"01-", "03-", "06-", "12-", "15-", "25-", "31-", "70-", "71-", "72-", "73-", "78-", "80-", "81-"}

// sheetCases are those of workbooks.
var sheetCases = []string{"33-", "74-", "77-", "79-"}

// TestWorkbooksThatPeopleReported: sheets come out right in every format of workbooks.
func TestWorkbooksThatPeopleReported(t *testing.T) { runRecordCases(t, sheetCases) }

// outputCases are those of the order of fields and of what infer proposes.
var outputCases = []string{"63-", "64-"}

// TestTablesThatPeopleReported: the faults that people met in tables with other programs come out right.
func TestTablesThatPeopleReported(t *testing.T) { runRecordCases(t, tableCases) }

// TestOutputsThatPeopleReported: fields keep the order of the spec, and infer says how numbers are written.
func TestOutputsThatPeopleReported(t *testing.T) { runRecordCases(t, outputCases) }

// treeCases are the cases of trees and pages.
var treeCases = []string{"39-", "42-", "45-", "60-", "75-", "76-"}

// TestTreesThatPeopleReported: trees and pages come out right, too.
func TestTreesThatPeopleReported(t *testing.T) { runRecordCases(t, treeCases) }

func runRecordCases(t *testing.T, prefixes []string) {
	folder := rdftest.Shared(t, "cases", "records")
	for _, prefix := range prefixes {
		files, err := filepath.Glob(filepath.Join(folder, prefix+"*.expect.json"))
		if err != nil || len(files) != 1 {
			t.Fatal(prefix, files, err)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		var c recordCase
		if err := json.Unmarshal(text, &c); err != nil {
			t.Fatal(err)
		}
		base := strings.TrimSuffix(files[0], ".expect.json")
		for _, run := range c.Runs {
			t.Run(filepath.Base(base)+"/"+run.Name, func(t *testing.T) { run.check(t, folder, base) })
		}
	}
}

func (run *recordRun) check(t *testing.T, folder, base string) {
	report := filepath.Join(t.TempDir(), "report.json")
	args := []string{"records", "--report", report}
	if run.Command != "" {
		args = []string{"records", "infer"}
	}
	if len(run.Files) == 0 {
		inputs, _ := filepath.Glob(base + ".*")
		run.Files = []string{filepath.Base(slices.DeleteFunc(inputs,
			func(s string) bool { return strings.HasSuffix(s, ".expect.json") })[0])}
	}
	for _, name := range run.Files {
		args = append(args, filepath.Join(folder, name))
	}
	made := t.TempDir()
	if run.Spec != nil {
		spec := filepath.Join(made, "spec.json")
		if err := os.WriteFile(spec, run.Spec, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--spec", spec)
	}
	for _, arg := range run.Args {
		args = append(args, strings.ReplaceAll(arg, "{o}", made))
	}
	if len(run.Prefill) == 2 {
		if err := os.WriteFile(filepath.Join(made, run.Prefill[0]), []byte(run.Prefill[1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	command := process(t, t.TempDir(), args...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	code := exitCodeOf(t, command.Run())
	out, messages := stdout.Bytes(), stderr.Bytes()
	if run.Command != "" {
		var schema struct {
			Fields []struct{ Name, Type string }
		}
		if err := json.Unmarshal(out, &schema); err != nil {
			t.Fatal(err, string(messages))
		}
		if run.RawAny != nil && !slices.ContainsFunc(run.RawAny, func(s string) bool { return regexp.MustCompile(s).Match(out) }) {
			t.Errorf("none of %q is in\n%s", run.RawAny, out)
		}
		for _, f := range schema.Fields {
			if want := run.Types[f.Name]; want != nil && !slices.Contains(want, f.Type) {
				t.Errorf("%s is %s, want one of %v", f.Name, f.Type, want)
			}
		}
		return
	}
	if run.OutText != nil {
		if text, err := os.ReadFile(filepath.Join(made, run.OutText[0])); err != nil || string(text) != run.OutText[1] {
			t.Errorf("%v: %q, want %q", err, text, run.OutText[1])
		}
	}
	found, _ := os.ReadFile(report)
	if wrong := run.holds(out, found, run.Strip); len(wrong) > 0 {
		t.Errorf("%v\n%s\n%s", wrong, out, messages)
	}
	for _, raw := range run.Raw {
		if !bytes.Contains(out, []byte(raw)) {
			t.Errorf("%q is not in the records:\n%s", raw, out)
		}
	}
	says := func(what string) bool { return regexp.MustCompile(what).Match(messages) }
	if len(run.Any) > 0 && !slices.ContainsFunc(run.Any, func(o recordOutcome) bool {
		return len(o.holds(out, found, run.Strip)) == 0 && (o.Exits == nil || slices.Contains(o.Exits, code)) &&
			!slices.ContainsFunc(o.Says, func(s string) bool { return !says(s) })
	}) {
		t.Errorf("none of the outcomes\n%s\n%s", out, messages)
	}
	if run.ExitIn != nil && !slices.Contains(run.ExitIn, code) {
		t.Errorf("exit %d, want one of %v", code, run.ExitIn)
	}
	for _, told := range run.Told {
		if !says(told) {
			t.Errorf("%q is not reported:\n%s", told, messages)
		}
	}
	if _, rows, _ := readRecords(out, true); run.NoDashes &&
		slices.ContainsFunc(rows, func(r []string) bool { return strings.Trim(strings.Join(r, ""), "-") == "" }) {
		t.Errorf("a line of dashes is a record:\n%s", out)
	}
}
