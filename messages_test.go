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

// TestNoLogicReadsAMessage: a Message is for people, and its words may change. What is to be decided by a finding is in
// its code, its place, its edits, and what it says was meant.
func TestNoLogicReadsAMessage(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || slices.Contains(showMessages, path) {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			for _, e := range judged(n) {
				if s, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && s.Sel.Name == "Message" {
					t.Errorf("%v: logic reads a message", files.Position(s.Pos()))
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// showMessages are the files in which a message is looked at where it is shown: for what it says already.
var showMessages = []string{"cmd/laundromat/harvest.go", "report/text.go"}

// judged are the expressions on which something depends: those that are compared, looked through, or cut up.
func judged(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ || n.Op == token.LSS || n.Op == token.GTR {
			if empty, ok := n.Y.(*ast.BasicLit); ok && empty.Value == `""` { // whether there is one may be asked
				return nil
			}
			return []ast.Expr{n.X, n.Y}
		}
	case *ast.SwitchStmt:
		if n.Tag != nil {
			return []ast.Expr{n.Tag}
		}
	case *ast.AssignStmt: // a name for it hides what becomes of it
		if n.Tok == token.DEFINE {
			return n.Rhs
		}
	case *ast.IndexExpr:
		return []ast.Expr{n.X, n.Index}
	case *ast.SliceExpr:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		return []ast.Expr{n.X}
	case *ast.CallExpr:
		f, ok := n.Fun.(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		of, _ := f.X.(*ast.Ident)
		isText := of != nil && (of.Name == "strings" || of.Name == "bytes" || of.Name == "strconv" || of.Name == "slices")
		isPattern := slices.Contains([]string{"MatchString", "FindString", "FindStringSubmatch", "FindStringIndex", "FindAllString"},
			f.Sel.Name)
		if isText && !slices.Contains(shapes, f.Sel.Name) || isPattern {
			return n.Args
		}
	}
	return nil
}

// shapes are functions that only give a text another shape, to be shown.
var shapes = []string{"ToUpper", "ReplaceAll", "TrimSuffix", "TrimRight", "Join", "Repeat"}
