package fault_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
)

func TestEveryRepairIsExplainedOnce(t *testing.T) {
	seen := map[fault.Code]bool{}
	for _, mended := range fault.Repairs() {
		if seen[mended.Code] {
			t.Errorf("%s occurs twice in the table", mended.Code)
		}
		seen[mended.Code] = true
		if _, ok := fault.Explain(mended.Code); !ok {
			t.Errorf("%s isn't code", mended.Code)
		}
		for _, text := range []string{mended.Done, mended.Why} {
			if len(text) < 20 || !strings.HasSuffix(text, ".") || strings.ToUpper(text[:1]) != text[:1] {
				t.Errorf("%s: %q is not a sentence", mended.Code, text)
			}
		}
		if got, ok := fault.RepairOf(mended.Code); !ok || got.Why != mended.Why {
			t.Errorf("%s is not found", mended.Code)
		}
	}
	if !slices.IsSortedFunc(fault.Repairs(), func(a, b fault.Mended) int { return strings.Compare(string(a.Code), string(b.Code)) }) {
		t.Error("the repairs are not sorted")
	}
}

// What the code of any package gives out as a repair is in the table. Codes that reach a notice
// through a variable are not seen here; the laws of rdf/format hold each notice to the table too.
func TestEveryRepairStandsInTheTable(t *testing.T) {
	codes := codeConstants(t)
	found := 0
	for folder, files := range sources(t, filepath.Join("..", "..")) {
		for name := range repairedIn(files) {
			code, known := codes[name]
			if !known {
				continue
			}
			found++
			if _, listed := fault.RepairOf(fault.Code(code)); !listed {
				t.Errorf("%s repairs %s, which is in no row of the table of repairs", folder, code)
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d repairs found in the code", found)
	}
}

// sources parses the code of the module, without tests, by folder.
func sources(t *testing.T, root string) map[string][]*ast.File {
	t.Helper()
	all := map[string][]*ast.File{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		all[filepath.Dir(path)] = append(all[filepath.Dir(path)], file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// repairedIn finds the X of every fault.X that a package gives out as a repair. It looks in calls,
// literals and assignments that hold fault.Repair, and in calls of functions that make a repair of
// the code they are given.
func repairedIn(files []*ast.File) map[string]bool {
	makers := map[string]bool{}
	for grown := true; grown; {
		grown = false
		functions(files, func(name string, kind *ast.FuncType, body *ast.BlockStmt) {
			if makers[name] || !takesCode(kind) {
				return
			}
			ast.Inspect(body, func(n ast.Node) bool {
				call, isCall := n.(*ast.CallExpr)
				if selected(n) == "Repair" || isCall && makers[called(call)] {
					makers[name], grown = true, true
				}
				return !makers[name]
			})
		})
	}
	found := map[string]bool{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				names := direct(n)
				if slices.Contains(names, "Repair") || makers[called(n)] {
					add(found, names)
				}
			case *ast.CompositeLit, *ast.AssignStmt:
				if names := direct(n); slices.Contains(names, "Repair") {
					add(found, names)
				}
			}
			return true
		})
	}
	return found
}

// functions visits each function that has a name, also by assignment.
func functions(files []*ast.File, visit func(name string, kind *ast.FuncType, body *ast.BlockStmt)) {
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Body != nil {
					visit(n.Name.Name, n.Type, n.Body)
				}
			case *ast.AssignStmt:
				for i, value := range n.Rhs {
					name, isName := n.Lhs[min(i, len(n.Lhs)-1)].(*ast.Ident)
					if function, ok := value.(*ast.FuncLit); ok && isName {
						visit(name.Name, function.Type, function.Body)
					}
				}
			}
			return true
		})
	}
}

func takesCode(kind *ast.FuncType) bool {
	return slices.ContainsFunc(kind.Params.List, func(f *ast.Field) bool { return selected(f.Type) == "Code" })
}

// selected is X of fault.X; "" for any other node.
func selected(n ast.Node) string {
	if s, ok := n.(*ast.SelectorExpr); ok {
		if of, ok := s.X.(*ast.Ident); ok && of.Name == "fault" {
			return s.Sel.Name
		}
	}
	return ""
}

// called is the name of the function that is called.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// direct are the X of every fault.X in a node, but not in a call or literal within it.
func direct(in ast.Node) (names []string) {
	ast.Inspect(in, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.CallExpr, *ast.CompositeLit, *ast.FuncLit:
			if n != in && selected(n) == "" {
				return false
			}
		}
		if name := selected(n); name != "" {
			names = append(names, name)
		}
		return true
	})
	return names
}

func add(found map[string]bool, names []string) {
	for _, name := range names {
		found[name] = true
	}
}
