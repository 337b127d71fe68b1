package laundromat_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostBranches is how many ways a function may have: its cyclomatic complexity, which counts
// one, and one for each if, for, case, && and ||.
const mostBranches = 25

// mostParameters is how many parameters a function may have, its receiver not counted.
const mostParameters = 5

// branchy are the functions that have more branches, and why they are left so.
var branchy = map[string]string{
	"rdf/rdfxml.parser.collect": "every start tag passes here, and each further cut cost 2 to 4 % of BenchmarkRecords",
	"markup/prose.isSettled":    "a table of ranges in a path that every text takes; cut in two, Japanese text was 4 % slower",
}

// wide are the functions that have more parameters, and why they are left so.
var wide = map[string]string{
	"records/match.Plan.Read": "exported; each parameter is of another type: none can be mistaken for another, and none is an option",
}

// A reader holds some twenty-five ways in the head, and no more. Tests may have more: they
// list cases.
func TestFunctionsHaveFewBranches(t *testing.T) {
	holdFunctions(t, "branches", mostBranches, branchy, branches)
}

func TestFunctionsHaveFewParameters(t *testing.T) {
	holdFunctions(t, "parameters", mostParameters, wide, func(f *ast.FuncDecl) (n int) {
		for _, list := range f.Type.Params.List {
			n += max(1, len(list.Names))
		}
		return n
	})
}

// holdFunctions reports the functions of which count gives more than most, and no row in the
// table of exceptions. It also reports rows that are no longer true.
func holdFunctions(t *testing.T, what string, most int, excepted map[string]string, count func(*ast.FuncDecl) int) {
	t.Helper()
	seen := map[string]bool{}
	for path, file := range sources(t) {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			name := filepath.ToSlash(filepath.Dir(path)) + "." + functionName(f)
			n := count(f)
			seen[name] = seen[name] || n > most
			if n > most && excepted[name] == "" {
				t.Errorf("%s: %s has %d %s", path, name, n, what)
			}
		}
	}
	for name := range excepted {
		if !seen[name] {
			t.Errorf("%s does not have more than %d %s: its row goes", name, most, what)
		}
	}
}

func TestBranchesAreCounted(t *testing.T) {
	for body, want := range map[string]int{
		"":                         1,
		"if a && b || c { }":       4,
		"for { }; for range x { }": 3,
		"switch a { case 1, 2: case 3: default: }": 3,
		"select { case <-c: default: }":            2,
		"f := func() { if a { } }; f()":            2,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {"+body+"}", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := branches(file.Decls[0].(*ast.FuncDecl)); got != want {
			t.Errorf("%q: %d branches, want %d", body, got, want)
		}
	}
}

// testFolders are folders whose functions are tests, though their files are not named so.
var testFolders = []string{"seedlist/storetest", "rdf/rdftest"}

// sources are the Go files of the program by their paths, without tests and what is generated.
func sources(t *testing.T) map[string]*ast.File {
	all := map[string]*ast.File{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains(testFolders, filepath.ToSlash(path)) || d.Name() == "testdata" || path != "." &&
			strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err == nil && !ast.IsGenerated(file) {
			all[path] = file
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 100 {
		t.Fatalf("only %d files were found", len(all))
	}
	return all
}

func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if index, ok := of.(*ast.IndexExpr); ok {
		of = index.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

func branches(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}
