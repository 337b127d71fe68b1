//go:build !lean

package expr

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/ext"

	"laundromat/internal/pattern"
	"laundromat/records"
	"laundromat/records/spec"
)

// Program is a compiled expression. Several goroutines may evaluate it.
type Program struct {
	program     cel.Program
	resultLimit int
}

// Compile checks an expression, the text of n. The error is an *spec.Error with the place
// of the fault within the spec.
func Compile(n *spec.Node, opt Options) (*Program, error) {
	opt.applyDefaults()
	if n.Kind != spec.Text {
		return nil, n.Errorf("an expression is a text, not %s", n.Kind)
	}
	if strings.TrimSpace(n.Text) == "" {
		return nil, n.Errorf("the expression is empty")
	}
	env, names, err := environment(opt)
	if err != nil {
		return nil, n.Errorf("expression: %v", err)
	}
	checked, issues := env.Compile(n.Text)
	if issues != nil && issues.Err() != nil {
		return nil, refusal(n, issues, names)
	}
	options := []cel.ProgramOption{cel.EvalOptions(cel.OptOptimize)}
	if !isShort(checked.NativeRep().Expr()) {
		options = append(options, cel.CostLimit(opt.CostLimit))
	}
	program, err := env.Program(checked, options...)
	if err != nil {
		return nil, n.Errorf("expression: %v", err)
	}
	return &Program{program, opt.ResultLimit}, nil
}

// isShort says that an expression has few nodes and goes through no list. So it needs no
// account of its cost, which takes half the time. Each node works once, on texts that the
// guard of replace bounds.
func isShort(e ast.Expr) bool {
	nodes, loops := 0, false
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		nodes++
		loops = loops || e.Kind() == ast.ComprehensionKind
	}))
	return nodes <= maxShort && !loops
}

// maxShort bounds the work of an expression without account: so many passes over a text.
const maxShort = 64

// environment declares what an expression may use, and gives the names of the variables.
func environment(opt Options) (*cel.Env, []string, error) {
	names := []string{"value", "record", "page_url"}
	declared := []cel.EnvOption{
		cel.Variable("value", cel.DynType),
		cel.Variable("record", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("page_url", cel.StringType),
	}
	seen := map[string]bool{"value": true, "record": true, "page_url": true}
	for _, f := range opt.Fields {
		if !seen[f] && isBare(f) {
			seen[f] = true
			names = append(names, f)
			declared = append(declared, cel.Variable(f, cel.DynType))
		}
	}
	env, err := cel.NewEnv(append(declared,
		ext.Strings(), ext.Math(), cel.OptionalTypes(),
		cel.CrossTypeNumericComparisons(true), cel.DefaultUTCTimeZone(true),
		cel.ParserExpressionSizeLimit(maxLength), cel.ExpressionNodeLimit(maxLength),
		cel.RegexProgramSizeLimit(maxLength), cel.Macros(guardMacros()...), guards(),
	)...)
	return env, names, err
}

// isBare says that a field's name may be a variable of CEL: an identifier that is neither
// reserved nor the name of a type.
func isBare(name string) bool {
	for i, c := range []byte(name) {
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && !strings.Contains(reserved, " "+name+" ")
}

const reserved = " as break const continue else false for function if import in let loop namespace null " +
	"package return true var void while int uint double bool string bytes list map type null_type optional_type dyn "

// A call of replace or join can make a text of any length before its cost is counted. So
// macros put a check of the result's length before it.
const guardReplace, guardJoin = "guarded_replace", "guarded_join"

// maxResult bounds the text that one call may make.
const maxResult = 16 * DefaultResultLimit

func guardMacros() []cel.Macro {
	replace := func(f cel.MacroExprFactory, target ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
		guarded := f.NewCall(guardReplace, f.Copy(target), f.Copy(args[0]), f.Copy(args[1]))
		return f.NewMemberCall("replace", guarded, args...), nil
	}
	join := func(f cel.MacroExprFactory, target ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
		separator := f.NewLiteral(types.String(""))
		if len(args) == 1 {
			separator = f.Copy(args[0])
		}
		return f.NewMemberCall("join", f.NewCall(guardJoin, f.Copy(target), separator), args...), nil
	}
	return []cel.Macro{cel.ReceiverMacro("replace", 2, replace), cel.ReceiverMacro("replace", 3, replace),
		cel.ReceiverMacro("join", 0, join), cel.ReceiverMacro("join", 1, join)}
}

func guards() cel.EnvOption {
	text, texts := cel.StringType, cel.ListType(cel.StringType)
	replace := cel.Function(guardReplace, cel.Overload(guardReplace+"_string", []*cel.Type{text, text, text}, text,
		cel.FunctionBinding(func(args ...ref.Val) ref.Val {
			from, ok1 := args[0].(types.String)
			old, ok2 := args[1].(types.String)
			with, ok3 := args[2].(types.String)
			if !ok1 || !ok2 || !ok3 {
				return types.NoSuchOverloadErr()
			}
			if longest(from, old, with) > maxResult {
				return types.WrapErr(ErrLimit)
			}
			return from
		})))
	join := cel.Function(guardJoin, cel.Overload(guardJoin+"_list", []*cel.Type{texts, text}, texts,
		cel.BinaryBinding(func(list, separator ref.Val) ref.Val {
			items, ok1 := list.(traits.Lister)
			between, ok2 := separator.(types.String)
			if !ok1 || !ok2 {
				return types.NoSuchOverloadErr()
			}
			length := 0
			for it := items.Iterator(); it.HasNext() == types.True; {
				item, _ := it.Next().(types.String)
				if length += len(item) + len(between); length > maxResult {
					return types.WrapErr(ErrLimit)
				}
			}
			return list
		})))
	return func(e *cel.Env) (*cel.Env, error) {
		e, err := replace(e)
		if err != nil {
			return nil, err
		}
		return join(e)
	}
}

// plainNames are a message's names without those of the guards.
var plainNames = strings.NewReplacer(guardReplace, "replace", guardJoin, "join")

// longest is how long a text can be after a replacement, at most.
func longest(text, old, with types.String) int {
	times := len(text) + 1
	if len(old) > 0 {
		times = len(text) / len(old)
	}
	return len(text) + times*len(with)
}

// refusal is the first fault that the checker found, at its place in the spec.
func refusal(n *spec.Node, issues *cel.Issues, names []string) error {
	first := issues.Errors()[0]
	for _, e := range issues.Errors()[1:] {
		if e.Location.Line() < first.Location.Line() ||
			e.Location.Line() == first.Location.Line() && e.Location.Column() < first.Location.Column() {
			first = e
		}
	}
	message := plainNames.Replace(first.Message)
	if m := undeclared.FindStringSubmatch(message); m != nil {
		message = fmt.Sprintf("unknown name %q%s", m[1], spec.Meant(m[1], append(names, functions...)...))
		if strings.Contains(message, "it is one of") {
			message = fmt.Sprintf("unknown name %q: the names are %s; a field is written record.%s",
				m[1], strings.Join(names, ", "), m[1])
		}
	}
	message = strings.TrimSuffix(strings.ReplaceAll(message, " (in container '')", ""), ".")
	return n.Within(first.Location.Line(), first.Location.Column()).Errorf("expression: %s", message)
}

var undeclared = pattern.New(`^undeclared reference to '([^']*)'`)

// functions are the names that a misspelt one is compared with.
var functions = strings.Fields("size contains startsWith endsWith matches has all exists exists_one map filter " +
	"int uint " +
	"double string bool bytes timestamp duration type dyn charAt indexOf lastIndexOf join lowerAscii upperAscii " +
	"replace " +
	"split substring trim reverse format quote getFullYear getMonth getDate getDayOfMonth getHours getMinutes " +
	"getSeconds")

// Eval evaluates the expression. It never panics; the error says what the expression could
// not do with these values, and is ErrLimit where it was ended by a limit.
func (p *Program) Eval(in Input) (records.Value, error) {
	result, _, err := p.program.Eval(&activation{in})
	if err != nil {
		return records.Value{}, evalError(err)
	}
	size := p.resultLimit
	v, err := fromCEL(result, &size, 0)
	return v, err
}

func evalError(err error) error {
	text := err.Error()
	if errors.Is(err, ErrLimit) || strings.Contains(text, "cost limit exceeded") {
		return ErrLimit
	}
	text = plainNames.Replace(strings.TrimPrefix(text, "internal error: "))
	if key, found := strings.CutPrefix(text, "no such key: "); found {
		return fmt.Errorf("the record has no field %q", key)
	}
	return errors.New(text)
}
