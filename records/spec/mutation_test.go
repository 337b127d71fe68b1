package spec_test

import (
	"math/rand"
	"slices"
	"strings"
	"testing"

	"laundromat/records"
	"laundromat/records/spec"
)

// mutated is a value with one part of it changed, as an author's slip does.
func mutated(r *rand.Rand, v records.Value, names []string) records.Value {
	v = v.Clone()
	at := &v
	for depth := r.Intn(8); depth > 0; depth-- {
		switch {
		case len(at.Items) > 0:
			at = &at.Items[r.Intn(len(at.Items))]
		case len(at.Fields) > 0:
			at = &at.Fields[r.Intn(len(at.Fields))].Value
		}
	}
	switch n := r.Intn(8); {
	case n == 0 && len(at.Fields) > 0:
		i := r.Intn(len(at.Fields))
		at.Fields = slices.Delete(at.Fields, i, i+1)
	case n == 1 && len(at.Fields) > 0:
		at.Fields[r.Intn(len(at.Fields))].Name = names[r.Intn(len(names))]
	case n == 2 && at.Kind == records.Object:
		at.Fields = append(at.Fields, records.Field{Name: names[r.Intn(len(names))], Value: records.TextOf("a")})
	case n == 3 && len(at.Items) > 0:
		i := r.Intn(len(at.Items))
		at.Items = slices.Delete(at.Items, i, i+1)
	case n == 4 && at.Kind == records.List:
		at.Items = append(at.Items, records.TextOf("b"))
	case n == 5:
		*at = records.Value{Kind: records.List, Items: []records.Value{*at}}
	case n == 6:
		*at = records.Value{Kind: records.Object, Fields: []records.Field{{Name: names[r.Intn(len(names))], Value: *at}}}
	default:
		*at = []records.Value{{}, records.BoolOf(true), records.BoolOf(false), records.NumberOf("0"), records.NumberOf("2"),
			records.NumberOf("-1.5"),
			records.TextOf(""), records.TextOf("a"), records.TextOf(","), records.TextOf("%Y"), {Kind: records.List},
			{Kind: records.Object}}[r.Intn(12)]
	}
	return v
}

// keysOf are all keys in a value.
func keysOf(v *records.Value, names []string) []string {
	for i := range v.Items {
		names = keysOf(&v.Items[i], names)
	}
	for i := range v.Fields {
		names = keysOf(&v.Fields[i].Value, append(names, v.Fields[i].Name))
	}
	return names
}

// TestWhatCompilesIsValid: a spec that the program takes is valid by the schema, whatever
// slips its author made.
func TestWhatCompilesIsValid(t *testing.T) {
	valid := validity(t)
	r := rand.New(rand.NewSource(1))
	var sound []records.Value
	var names []string
	for _, text := range soundSpecs {
		root, err := spec.Parse("spec.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		v := root.Value()
		sound = append(sound, v)
		names = keysOf(&v, names)
	}
	compiled, refused, alike := 0, 0, 0
	for range 4000 {
		v := mutated(r, sound[r.Intn(len(sound))], names)
		if v.Kind != records.Object {
			continue
		}
		text := string(v.AppendJSON(nil))
		err := compileAll(text)
		if err != nil && strings.Contains(err.Error(), "already in line") {
			continue // a key twice is no value
		}
		switch ok := valid(text); {
		case err == nil && !ok:
			t.Errorf("compiled, and not valid: %s", text)
		case err == nil:
			compiled++
		default:
			refused++
			if !ok {
				alike++
			}
		}
	}
	t.Logf("%d compiled; %d refused, %d of them by the schema", compiled, refused, alike)
	if compiled < 200 || alike*10 < refused*5 {
		t.Errorf("%d compiled; %d refused, %d of them by the schema", compiled, refused, alike)
	}
}
