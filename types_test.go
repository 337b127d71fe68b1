package laundromat_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// A type with more methods or fields than these is two types.
const (
	mostMethods = 60
	mostFields  = 25
)

// manyMethods are the types that have more methods, with how many. The numbers only fall.
var manyMethods = map[string]int{
	"markup/jsonread.mender":  101,
	"markup/jsonread.parser":  74,
	"markup/jsonread.tokens":  63,
	"markup/xmltext.Reader":   134,
	"rdf/jsonld.expander":     65,
	"rdf/rdfxml.parser":       171,
	"rdf/ttl/lex.Lexer":       71,
	"rdf/ttl/turtle.Reader":   151,
	"seedlist/engine.Moves":   94, // a list has 67 itself
	"seedlist/engine.Session": 133,
	"states/daemon.Runner":    81,
	"text/token.lexer":        79,
	"web.api":                 79,
}

// manyFields are the structs that have more fields, with how many. The numbers only fall.
var manyFields = map[string]int{
	"markup/jsonread.mender": 31,
	"markup/jsonread.parser": 44,
	"markup/xmltext.Reader":  69,
	"rdf/jsonld.expander":    29,
	"rdf/rdfxml.frame":       31,
	"rdf/rdfxml.parser":      48,
	"records/extract.table":  27,
	"seedlist.Record":        38,
}

func TestTypesHaveFewMethodsAndFields(t *testing.T) {
	methods, fields := sizes(sources(t))
	holdSizes(t, "methods", methods, mostMethods, manyMethods)
	holdSizes(t, "fields", fields, mostFields, manyFields)
}

// holdSizes reports the types that are larger than most or than their row in the table of exceptions,
// and the rows that are higher than they need to be.
func holdSizes(t *testing.T, what string, counted map[string]int, most int, excepted map[string]int) {
	t.Helper()
	for name, n := range counted {
		switch allowed, isExcepted := excepted[name]; {
		case n > most && !isExcepted:
			t.Errorf("%s has %d %s, the most is %d", name, n, what, most)
		case n > most && n != allowed:
			t.Errorf("%s has %d %s, its row says %d: the numbers only fall", name, n, what, allowed)
		}
	}
	for name := range excepted {
		if counted[name] <= most {
			t.Errorf("%s has %d %s: remove its row", name, counted[name], what)
		}
	}
}

// sizes counts the methods of each type, and the fields of each struct. A method that is written once per
// system counts once, and so does an embedded type.
func sizes(files map[string]*ast.File) (methods, fields map[string]int) {
	methods, fields = map[string]int{}, map[string]int{}
	seen := map[string]bool{}
	for path, file := range files {
		folder := filepath.ToSlash(filepath.Dir(path)) + "."
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if name := folder + functionName(d); d.Recv != nil && !seen[name] {
					seen[name] = true
					methods[name[:len(name)-len(d.Name.Name)-1]]++
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						if body, ok := s.Type.(*ast.StructType); ok {
							fields[folder+s.Name.Name] = max(fields[folder+s.Name.Name], body.Fields.NumFields())
						}
					}
				}
			}
		}
	}
	return methods, fields
}

func TestMethodsAndFieldsAreCounted(t *testing.T) {
	files := map[string]*ast.File{}
	for path, source := range map[string]string{
		"a/x.go":       "package a\ntype T struct { a, b int; U; c struct { d, e int } }\nfunc (t T) m() {}\nfunc f() {}",
		"a/x_linux.go": "package a\nfunc (t *T) n() {}",
		"a/x_other.go": "package a\nfunc (t *T) n() {}",
		"b/x.go":       "package b\ntype T[K any] struct { a K }\nfunc (t *T[K]) m() {}",
	} {
		file, err := parser.ParseFile(token.NewFileSet(), path, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = file
	}
	methods, fields := sizes(files)
	if methods["a.T"] != 2 || methods["b.T"] != 1 || fields["a.T"] != 4 || fields["b.T"] != 1 {
		t.Errorf("methods %v, fields %v", methods, fields)
	}
}
