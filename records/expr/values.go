//go:build !lean

package expr

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"

	"laundromat/records"
)

// activation gives an expression its names.
type activation struct{ Input }

func (a *activation) Parent() interpreter.Activation { return nil }

// ResolveName finds a variable. A declared field that the record lacks is null.
func (a *activation) ResolveName(name string) (any, bool) {
	switch name {
	case "value":
		return toCEL(a.Value), true
	case "record":
		if a.Record == nil {
			return fieldMap(nil), true
		}
		return fieldMap(a.Record.Fields), true
	case "page_url":
		return types.String(a.PageURL), true
	}
	if a.Record != nil {
		if f := a.Record.Field(name); f != nil {
			return toCEL(f.Value), true
		}
	}
	return types.NullValue, true
}

func toCEL(v records.Value) ref.Val {
	switch v.Kind {
	case records.Text:
		return types.String(v.Text)
	case records.Number:
		return numberToCEL(v.Text)
	case records.Bool:
		return types.Bool(v.Text == "true")
	case records.List:
		items := make([]ref.Val, len(v.Items))
		for i := range v.Items {
			items[i] = toCEL(v.Items[i])
		}
		return types.NewRefValList(types.DefaultTypeAdapter, items)
	case records.Object:
		return fieldMap(v.Fields)
	}
	return types.NullValue
}

// numberToCEL is an int for a whole number within 64 bits, else a double; an error where a
// double would be another number. Fifteen digits always survive (IEEE 754, binary64).
func numberToCEL(s string) ref.Val {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return types.Int(n)
	}
	f, err := strconv.ParseFloat(s, 64)
	if err == nil && len(s) <= 16 && f != 0 {
		return types.Double(f)
	}
	if err == nil && sameNumber(s, f) {
		return types.Double(f)
	}
	return types.NewErr("the number %s has more digits than an expression can hold", shortened(s))
}

// sameNumber says that the shortest decimal form of f is the number s. Exponents are
// compared first, so that 1e-999999999 is no work.
func sameNumber(s string, f float64) bool {
	if f == 0 {
		for i := 0; i < len(s) && s[i] != 'e' && s[i] != 'E'; i++ {
			if '1' <= s[i] && s[i] <= '9' {
				return false
			}
		}
		return true
	}
	if len(s) > 1000 {
		return false
	}
	a, ok1 := new(big.Rat).SetString(s)
	b, ok2 := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	return ok1 && ok2 && a.Cmp(b) == 0
}

func shortened(s string) string {
	if len(s) > 40 {
		return s[:37] + "…"
	}
	return s
}

// fieldMap is a record's fields as a map of CEL; a field is converted when it is asked for.
type fieldMap []records.Field

func (m fieldMap) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return nil, false
	}
	for i := range m {
		if m[i].Name == string(name) {
			return toCEL(m[i].Value), true
		}
	}
	return nil, false
}

func (m fieldMap) Get(key ref.Val) ref.Val {
	if v, found := m.Find(key); found {
		return v
	}
	return types.NewErr("no such key: %v", key.Value())
}

func (m fieldMap) Contains(key ref.Val) ref.Val {
	_, found := m.Find(key)
	return types.Bool(found)
}

// whole is the map as CEL makes its own, for what is rarely asked.
func (m fieldMap) whole() traits.Mapper {
	values := make(map[ref.Val]ref.Val, len(m))
	for i := range m {
		key := types.String(m[i].Name)
		if _, found := values[key]; !found {
			values[key] = toCEL(m[i].Value)
		}
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, values)
}

func (m fieldMap) Size() ref.Val               { return types.Int(len(m)) }
func (m fieldMap) Equal(other ref.Val) ref.Val { return m.whole().Equal(other) }
func (m fieldMap) Type() ref.Type              { return types.MapType }
func (m fieldMap) Value() any                  { return m.whole().Value() }
func (m fieldMap) ConvertToType(t ref.Type) ref.Val {
	return m.whole().ConvertToType(t)
}
func (m fieldMap) ConvertToNative(t reflect.Type) (any, error) { return m.whole().ConvertToNative(t) }

// Iterator gives the names in the order of the fields.
func (m fieldMap) Iterator() traits.Iterator {
	names := make([]ref.Val, len(m))
	for i := range m {
		names[i] = types.String(m[i].Name)
	}
	return types.NewRefValList(types.DefaultTypeAdapter, names).Iterator()
}

// maxDepth bounds how deeply a result may be nested.
const maxDepth = 100

// fromCEL makes a value of a result. size is how many bytes are left to it.
func fromCEL(v ref.Val, size *int, depth int) (records.Value, error) {
	if *size--; *size < 0 || depth > maxDepth {
		return records.Value{}, ErrLimit
	}
	switch t := v.(type) {
	case types.String:
		return textFromCEL(string(t), size)
	case types.Null:
		return records.Value{}, nil
	case types.Bool:
		return records.BoolOf(bool(t)), nil
	case types.Int:
		return records.IntOf(int64(t)), nil
	case types.Uint:
		return records.NumberOf(strconv.FormatUint(uint64(t), 10)), nil
	case types.Double:
		if f := float64(t); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return records.NumberOf(formatDouble(f)), nil
		}
		return records.Value{}, errors.New("the result isn't a number: infinite, or of no value")
	case types.Bytes:
		if utf8.Valid(t) {
			return textFromCEL(string(t), size)
		}
		return records.Value{}, errors.New("the result is bytes that aren't UTF-8 text")
	case types.Timestamp:
		return records.TextOf(t.UTC().Format(time.RFC3339Nano)), nil
	case types.Duration:
		return records.TextOf(strconv.FormatFloat(t.Seconds(), 'f', -1, 64) + "s"), nil
	case *types.Optional:
		if !t.HasValue() {
			return records.Value{}, nil
		}
		return fromCEL(t.GetValue(), size, depth+1)
	case fieldMap:
		return fieldsFromCEL(t, size)
	case traits.Lister:
		return listFromCEL(t, size, depth)
	case traits.Mapper:
		return mapFromCEL(t, size, depth)
	case *types.Err:
		return records.Value{}, evalError(t)
	}
	return records.Value{}, fmt.Errorf("a result of type %s can't be a value", v.Type().TypeName())
}

func textFromCEL(s string, size *int) (records.Value, error) {
	if *size -= len(s); *size < 0 {
		return records.Value{}, ErrLimit
	}
	return records.TextOf(s), nil
}

// formatDouble writes a number as JSON does, whole ones without a fraction.
func formatDouble(f float64) string {
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func fieldsFromCEL(m fieldMap, size *int) (records.Value, error) {
	v := records.Value{Kind: records.Object, Fields: m}.Clone()
	*size -= len(v.AppendJSON(nil))
	if *size < 0 {
		return records.Value{}, ErrLimit
	}
	return v, nil
}

func listFromCEL(l traits.Lister, size *int, depth int) (records.Value, error) {
	v := records.Value{Kind: records.List}
	for it := l.Iterator(); it.HasNext() == types.True; {
		item, err := fromCEL(it.Next(), size, depth+1)
		if err != nil {
			return records.Value{}, err
		}
		v.Items = append(v.Items, item)
	}
	return v, nil
}
