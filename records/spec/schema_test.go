package spec_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/records"
	"laundromat/records/extract"
	"laundromat/records/match"
	"laundromat/records/reconcile"
	"laundromat/records/schema"
	"laundromat/records/spec"
	"laundromat/records/statements"
	"laundromat/records/transform"
)

// noExpr stands for the compiler of expressions.
func noExpr(n *spec.Node) (func(*records.Record, records.Value) (records.Value, error), error) {
	if n.Kind != spec.Text || n.Text == "" {
		return nil, n.Errorf("an expression is wanted here")
	}
	return func(*records.Record, records.Value) (records.Value, error) { return records.Value{}, nil }, nil
}

// compileAll compiles every part of a spec, as the program does.
func compileAll(text string) error {
	root, err := spec.Parse("spec.yaml", []byte(text))
	if err != nil {
		return err
	}
	s, err := spec.FromNode(root, ".")
	if err != nil {
		return err
	}
	if _, err := extract.Compile(s.Source); err != nil {
		return err
	}
	if s.Select != nil {
		if _, err := match.Compile(s.Select, match.Options{Expr: noExpr}); err != nil {
			return err
		}
	}
	if s.Reconcile != nil {
		if _, err := reconcile.Compile(s.Reconcile); err != nil {
			return err
		}
	}
	if s.RDF != nil {
		if _, err := statements.Compile(s.RDF, statements.Options{}); err != nil {
			return err
		}
	}
	if s.Map != nil {
		if _, err := transform.Compile(s.Map, transform.Options{}); err != nil {
			return err
		}
	}
	if s.Schema != nil {
		if _, err := schema.Compile(s.Schema, schema.Options{}); err != nil {
			return err
		}
	}
	if s.Pages != nil {
		if _, err := match.CompilePages(s.Pages, match.PlanOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// verdict is a sink that counts what a check lets through.
type verdict struct{ passed, lost int }

func (v *verdict) Record(*records.Record) error { v.passed++; return nil }
func (v *verdict) Notice(n fault.Notice)        { v.lost += int(n.Lost) }

// validity checks specs by the schema that is published.
func validity(t *testing.T) func(text string) bool {
	t.Helper()
	node, err := spec.Parse("spec.schema.json", spec.Schema)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := schema.Compile(node, schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) bool {
		root, err := spec.Parse("spec.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var v verdict
		check, err := compiled.Check(&v)
		if err != nil {
			t.Fatal(err)
		}
		if err := check.Record(&records.Record{Fields: root.Value().Fields}); err != nil {
			t.Fatal(err)
		}
		return v.passed == 1
	}
}

// soundSpecs are specs of every part, verb and matcher.
var soundSpecs = []string{
	`{}`,
	`rdf: {context: {a: "http://e/a", A: "http://e/A"}, id: "http://e/{a}", type: [A], graph: "http://e/g", links: {a: {"@id": "http://e/{a}"}}}`,
	`rdf: {context: [{"@vocab": "http://e/"}], type: A, links: {a: "http://e/{b.c}"}}`,
	`name: trees
version: 1.0
source: {format: csv, delimiter: ";", quote: "'", escape: backslash, comment: "#", header: true, header_rows: 2, header_join: "/", skip: 3}`,
	`source: {url: "https://example.org/a", encoding: latin1, labels: [a, 2], tables: 1, hidden: true, records: items, quote: none}`,
	`source: {delimiter: tab, quote: false, escape: null, skip: 0}`,
	`select: {title: h1}`,
	`reconcile: {id: id}`,
	`reconcile: {id: [a, b], mode: one-to-one, fields: [c, d], keep: all}`,
	`reconcile: {id: [a, b], recipe: other}`,
	`reconcile: {id: a, mode: clusters, fields: {b: ignore, c: newest, d: {kind: code, keep: all, with: e}}, keep: longest, date: f}`,
	`select: [".item", {title: h2, tags: [".tag"], links: [{link: a}], people: [".person", {name: .fn}]}]`,
	`select: [".item", {record: {text: .t}}]`,
	`select: {one: ["#main", {a: a}]}`,
	`select: {or: [{one: [.a, {b: b}]}, {one: [.c, {d: d}]}]}`,
	`select:
  a: {one: [.x, .y]}
  a2: {one: .x}
  a3: {one: [.x]}
  b: {attr: [id]}
  c: {attr: ["", id]}
  c2: {attr: id}
  c3: {attr: [null, id]}
  d: {href: a}
  e: {link: {attr: [img, src]}}
  e2: {link: null}
  e3: {link: [a]}
  "f, g": {regexp: [.d, '(\d+)-(\d+)']}
  h: {regexp: ['\d+']}
  i: {regexp: [{text: .n}, '\d+', "all"]}
  i2: {regexp: '\d+'}
  i3: {regexp: [null, '\d+']}
  j: {html: ""}
  k: {no_html: {html: .b}}
  l: {html_encoded: .b}
  m: {to_i: {regexp: [.seats, '(\d+) seats']}}
  n: {to_f: .price}
  o: {to_date: [.day]}
  p: {to_bool: .open}
  q: {const: {x: [1, null]}}
  r: {page_url: true}
  r2: {access_time: true}
  s: {expr: "a + b"}
  t: {or: [.a, {attr: [.b, title]}, null]}
  u: {or: [.a, ""]}
  v: {record: {attr: .x}}
  w: [{or: [.a, .b]}]
  x: {y: {z: .z}}
  y2: [null, {z: .z}]
  y3: [.a, [.b]]
  z: {text: null}`,
	`map:
  "*": {except: [d, q]}
  name: {from: title}
  day: {from: d, date: {pattern: "%d %B %Y", language: fr, timezone: Europe/Paris}}
  day2: {date: ["%d/%m/%Y %H:%M", "%Y-%m-%d"]}
  day3: {date: true}
  day4: {date: {timezone: {from: tz}, pivot: 30, language: [fr, en]}}
  length: {from: q, unit: km}
  l2: {unit: {to: km, of: "[mi_i]", decimal: ",", digits: 5, aliases: {miles: "[mi_i]"}}}
  l3: {unit: 1}
  person: {split: {pattern: "^(.+), (.+)$", into: [family, given]}}
  p2: {split: {pattern: "(?P<x>.)(?P<y>.)"}}
  price: {number: {decimal: ","}, name: decimal comma}
  p3: {number: true}
  p4: {number: "."}
  p5: {number: {parentheses: negative}}
  p6: {number: {decimal: ",", beside: ["€", EUR], missing: ["-", n/a]}}
  p7: {number: {beside: "%"}}
  d6: {from: d, date: {pattern: ["%d.%m.%Y", "%Y-%m-%d"], as: date, missing: [n/a]}}
  place: {from: [street, town], concat: ", "}
  c2: {concat: [a, b]}
  c3: {concat: {fields: [a, b], separator: "-", all: true}}
  kind: {default: book}
  k2: {default: {a: [1, true, null]}}
  copy: {}`,
	`map: [{"*": true, a: {date: true}}, {b: {from: [a, c], concat: " – "}}]`,
	`map: {"*": {}}`,
	`schema:
  fields:
    - {name: id, type: integer, constraints: {required: true, unique: true, minimum: 1}}
    - {name: n, type: number, decimalChar: ",", groupChar: ".", bareNumber: false}
    - {name: d, type: date, format: "%d/%m/%Y"}
    - {name: s, type: string, format: email, constraints: {pattern: "a.*", minLength: 1, enum: [a@b.org]}}
    - {name: l, type: list, itemType: integer, delimiter: ";"}
    - {name: b, type: boolean, trueValues: [y], falseValues: [n], onError: "null"}
    - {name: e, type: string, onError: default, default: x, categories: [{value: x, label: X}, y]}
    - {name: g, type: geopoint, format: array}
    - {name: o, type: object, constraints: {jsonSchema: {type: object}}}
    - {name: plain, title: Plain, remark: ours}
  fieldsMatch: [subset]
  missingValues: ["", {value: "-", label: none}]
  primaryKey: id
  uniqueKeys: [[id, n], d]
  foreignKeys: [{fields: n, reference: {resource: "", fields: id}}]`,
	`schema: {$schema: "https://json-schema.org/draft/2020-12/schema", type: object, properties: {a: {type: [string, "null"]}}}`,
	`schema: {type: object, required: [a]}`,
	`schema: true`,
	`pages: {next: a.next, detail: h2 a, limit: 5}`,
	`pages: {match: "https://host.example/a/*", depth: 2}`,
}

// wrongSpecs are refused by the schema and by the compilers.
var wrongSpecs = map[string][]string{
	"rdf": {
		`rdf: 5`, `rdf: []`, `rdf: {}`, `rdf: {contexts: {}}`, `rdf: {context: 5}`, `rdf: {context: {}, id: 5}`,
		`rdf: {context: {}, id: "http://e/a"}`, `rdf: {context: {}, type: []}`, `rdf: {context: {}, type: [5]}`,
		`rdf: {context: {}, graph: ""}`, `rdf: {context: {a: "http://e/a"}, links: {a: "http://e/"}}`,
		`rdf: {context: {a: "http://e/a"}, links: {a: {id: "http://e/{a}"}}}`,
	},
	"reconcile": {
		`reconcile: {}`, `reconcile: {mode: clusters}`, `reconcile: {id: 5}`, `reconcile: {id: [a]}`, `reconcile: {id: [a, b, c]}`,
		`reconcile: {id: a, mode: one}`, `reconcile: {id: a, keep: last}`, `reconcile: {id: a, fields: {b: nmae}}`,
		`reconcile: {id: a, fields: {b: {kinds: name}}}`, `reconcile: {id: a, fields: {b: {kind: all}}}`,
		`reconcile: {id: a, fields: {b: {with: 5}}}`, `reconcile: {id: a, fields: [5]}`, `reconcile: {id: a, fields: b}`,
		`reconcile: {ids: a}`, `reconcile: {id: a, date: []}`, `reconcile: {id: ""}`,
	},
	"parts": {
		`selects: {a: b}`, `reconcile: {}`, `rdf: 5`, `name: [a]`, `name: 5`, `version: true`, `name: ""`, `version: {a: 1}`,
		`source: ""`,
		`map: nowhere/is/no/such-file.yaml
title: x`,
	},
	"source": {
		`source: [csv]`, `source: {formats: csv}`, `source: {format: cvs}`, `source: {format: 1}`, `source: {delimiter: ";;"}`,
		`source: {delimiter: null}`,
		`source: {delimiter: "é"}`, `source: {quote: both}`, `source: {escape: slash}`, `source: {comment: ""}`, `source: {header: "yes"}`,
		`source: {header_rows: 0}`, `source: {header_rows: 101}`, `source: {skip: -1}`, `source: {skip: 1.5}`, `source: {labels: [true]}`,
		`source: {hidden: 1}`, `source: {records: [a]}`, `source: {header: false, header_rows: 2}`, `source: {url: 7}`,
		`source: {delimiter: "\n"}`,
	},
	"select": {
		`select: 5`, `select: {}`, `select: [a]`, `select: [a, {b: b}, c]`, `select: [{b: b}, a]`, `select: [a, b]`,
		`select: [a, {attr: [b, c]}]`,
		`select: {text: h1}`, `select: {a: 5}`, `select: {a: true}`, `select: {a: null}`, `select: {a: []}`, `select: {a: [b, c, d]}`,
		`select: {a: [[b]]}`,
		`select: {a: [{b: c}]}`, `select: {a: [{record: {b: c}}]}`, `select: {a: {one: [b, c, d]}}`, `select: {a: {one: {b: c}}}`,
		`select: {a: {attr: [b, c, d]}}`,
		`select: {a: {attr: [b, 5]}}`, `select: {a: {attr: {b: c}}}`, `select: {a: {attr: ""}}`, `select: {a: {href: {text: b}}}`,
		`select: {a: {html: [b, c]}}`,
		`select: {a: {link: {b: c}}}`, `select: {a: {regexp: [b, c, some]}}`, `select: {a: {regexp: [b, 5]}}`, `select: {a: {regexp: []}}`,
		`select: {a: {regexp: [{x: y}, b]}}`, `select: {a: {to_i: 5}}`, `select: {a: {to_f: {x: y}}}`, `select: {a: {to_date: true}}`,
		`select: {a: {to_bool: {record: {x: y}}}}`, `select: {a: {page_url: false}}`, `select: {a: {page_url: body}}`,
		`select: {a: {access_time: now}}`, `select: {a: {or: b}}`,
		`select: {a: {or: []}}`, `select: {a: {or: [[b, c, d]]}}`, `select: {a: {record: b}}`, `select: {a: {record: {}}}`,
		`select: {a: [5, b]}`,
		`select: {a: {text: {b: c}}}`, `select: {a: {no_html: [b, c, d]}}`, `select: {a: {html_encoded: 1}}`,
	},
	"map": {
		`map: []`, `map: {}`, `map: [{}]`, `map: 5`, `map: {a: b}`, `map: {a: 5}`, `map: {was: {from: a}}`, `map: {_a: {from: a}}`,
		`map: {a: {form: b}}`,
		`map: {a: {from: b, number: true, unit: km}}`, `map: {a: {from: [b, c]}}`, `map: {a: {from: [], concat: " "}}`,
		`map: {a: {from: 5}}`,
		`map: {a: {name: 5}}`, `map: {a: {split: x}}`, `map: {a: {split: {into: [b]}}}`, `map: {a: {split: {pattern: x}}}`,
		`map: {a: {split: {pattern: x, into: [was]}}}`,
		`map: {a: {split: {pattern: 5, into: [b]}}}`, `map: {a: {concat: true}}`, `map: {a: {concat: []}}`,
		`map: {a: {concat: {feilds: [b]}}}`,
		`map: {a: {concat: [5]}}`, `map: {a: {concat: {all: 1}}}`, `map: {a: {number: ";"}}`, `map: {a: {number: {decimal: ";"}}}`,
		`map: {a: {number: {parentheses: minus}}}`,
		`map: {a: {number: {beside: " x"}}}`, `map: {a: {number: {beside: []}}}`, `map: {a: {number: {beside: "5"}}}`,
		`map: {a: {number: {missing: x}}}`, `map: {a: {date: {pattern: "%Y", as: time}}}`,
		`map: {a: {number: false}}`, `map: {a: {date: 5}}`, `map: {a: {date: []}}`, `map: {a: {date: "%Q %Y"}}`,
		`map: {a: {date: "%d %m"}}`, `map: {a: {date: "%Y %"}}`,
		`map: {a: {date: {patern: "%Y"}}}`, `map: {a: {date: {pattern: "%Y", pivot: 200}}}`,
		`map: {a: {date: {pattern: "%Y", timezone: {field: b}}}}`,
		`map: {a: {date: {pattern: "%Y", language: 5}}}`, `map: {a: {date: false}}`, `map: {a: {unit: true}}`, `map: {a: {unit: {of: km}}}`,
		`map: {a: {unit: {to: km, digits: 0}}}`,
		`map: {a: {unit: {to: km, digits: 61}}}`, `map: {a: {unit: [mi_i]}}`, `map: {a: {unit: {to: km, aliases: [x]}}}`,
		`map: {a: {expr: 5}}`, `map: {a: {expr: ""}}`,
		`map: {"*": {exept: [a]}}`, `map: {"*": {except: a}}`, `map: {"*": false}`, `map: {"*": {from: a}}`,
		`map: [{a: {from: b}}, {c: {unit: {}}}]`,
	},
	"schema": {
		`schema: 5`, `schema: []`, `schema: {}`, `schema: {fields: {a: b}}`, `schema: {fields: [a]}`, `schema: {fields: [{type: string}]}`,
		`schema: {fields: [{name: 5}]}`, `schema: {fields: [{name: a, type: text}]}`, `schema: {fields: [{name: a, format: 5}]}`,
		`schema: {fields: [{name: a, type: string, format: mail}]}`, `schema: {fields: [{name: a, constraints: {require: true}}]}`,
		`schema: {fields: [{name: a, constraints: {required: 1}}]}`,
		`schema: {fields: [{name: a, type: string, constraints: {minLength: -1}}]}`,
		`schema: {fields: [{name: a, type: string, constraints: {enum: []}}]}`,
		`schema: {fields: [{name: a, type: string, constraints: {enum: b}}]}`,
		`schema: {fields: [{name: a, type: string, constraints: {pattern: 5}}]}`, `schema: {fields: [{name: a, onError: mnd}]}`,
		`schema: {fields: [{name: a, onError: default}]}`, `schema: {fields: [{name: a, type: list, itemType: text}]}`,
		`schema: {fields: [{name: a, bareNumber: "no"}]}`, `schema: {fields: [{name: a, trueValues: [1]}]}`,
		`schema: {fields: [{name: a, decimalChar: ""}]}`,
		`schema: {fields: [{name: a, rdfType: [b]}]}`, `schema: {fields: [], fieldsMatch: all}`,
		`schema: {fields: [], fieldsMatch: [exact, equal]}`,
		`schema: {fields: [{name: a}], missingValues: "-"}`, `schema: {fields: [{name: a}], missingValues: [5]}`,
		`schema: {fields: [{name: a}], missingValues: [{label: x}]}`,
		`schema: {fields: [{name: a}], primaryKey: []}`, `schema: {fields: [{name: a}], primaryKey: 5}`,
		`schema: {fields: [{name: a}], uniqueKeys: a}`,
		`schema: {fields: [{name: a}], foreignKeys: [{fields: a}]}`,
		`schema: {fields: [{name: a}], foreignKeys: [{fields: a, reference: {field: a}}]}`,
		`schema: {type: obj}`, `schema: {properties: 5}`, `schema: {$schema: "https://json-schema.org/draft/2020-12/schema", required: a}`,
		`schema: {fields: [{name: a, type: object, constraints: {jsonSchema: {type: obj}}}]}`,
	},
	"pages": {
		`pages: [a]`, `pages: {}`, `pages: {depth: 2}`, `pages: {nxt: a}`, `pages: {next: 5}`, `pages: {next: " "}`, `pages: {detail: [a]}`,
		`pages: {match: "/a/*"}`,
		`pages: {match: "ftp://h/a"}`, `pages: {match: "https://*/a"}`, `pages: {match: 5}`, `pages: {match: "https://h/*", next: a}`,
		`pages: {next: a, depth: -1}`,
		`pages: {next: a, depth: "2"}`, `pages: {next: a, limit: 1.5}`,
	},
}

func TestSoundSpecsAreValid(t *testing.T) {
	valid := validity(t)
	for _, text := range soundSpecs {
		if err := compileAll(text); err != nil {
			t.Errorf("compile: %v\n%s", err, text)
		}
		if !valid(text) {
			t.Errorf("not valid by the schema:\n%s", text)
		}
	}
}

func TestWrongSpecsAreRefusedBySchemaAndCompiler(t *testing.T) {
	valid := validity(t)
	for part, all := range wrongSpecs {
		if len(all) < 10 {
			t.Errorf("%s has %d wrong specs", part, len(all))
		}
		for _, text := range all {
			if err := compileAll(text); err == nil {
				t.Errorf("%s: compiled: %s", part, text)
			}
			if valid(text) {
				t.Errorf("%s: valid by the schema: %s", part, text)
			}
		}
	}
}

// TestSampleSpecsAreValid looks at the samples that are kept beside the repository.
func TestSampleSpecsAreValid(t *testing.T) {
	folder := rdftest.Shared(t, "records/pages")
	valid := validity(t)
	n := 0
	for _, pattern := range []string{"*/spec*.yaml", "*/spec*.json"} {
		files, _ := filepath.Glob(filepath.Join(folder, pattern))
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			n++
			if err := compileAll(string(text)); err != nil || !valid(string(text)) {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	if n < 6 {
		t.Errorf("only %d samples", n)
	}
}

func TestShippedSpecsAreValid(t *testing.T) {
	valid := validity(t)
	files, _ := filepath.Glob(filepath.Join("..", "shipped", "*", "*.yaml"))
	if len(files) < 5 {
		t.Errorf("only %d files", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(file) == "schema.yaml" {
			text = append([]byte("schema:\n  "), strings.ReplaceAll(string(text), "\n", "\n  ")...)
		}
		if !valid(string(text)) {
			t.Errorf("%s is not valid", file)
		}
	}
}

// TestTableSchemaCasesAreValid looks at the schemas of the cases that are kept beside the
// repository: those that are compiled are valid.
func TestTableSchemaCasesAreValid(t *testing.T) {
	file := filepath.Join(rdftest.Shared(t, "records/table-schema"), "cases.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root, err := spec.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	valid, n := validity(t), 0
	var walk func(*spec.Node)
	walk = func(node *spec.Node) {
		if node.Kind == spec.Map && node.Get("fields") != nil && node.Get("fields").Kind == spec.List {
			v := node.Value()
			text := `{"schema": ` + strings.TrimSpace(string(v.AppendJSON(nil))) + `}`
			if compileAll(text) == nil {
				n++
				if !valid(text) {
					t.Errorf("%d: %s", node.Line, text)
				}
			}
		}
		for _, i := range node.Items {
			walk(i)
		}
		for _, e := range node.Entries {
			walk(e.Value)
		}
	}
	walk(root)
	if n < 20 {
		t.Errorf("only %d schemas", n)
	}
}
