package engine

import (
	"reflect"
	"testing"
	"time"

	"laundromat/seedlist"
)

// fill gives all that a value consists of some value, so deep.
func fill(t *testing.T, v reflect.Value, where string, depth int) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(1e9, 0).UTC()))
			return
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); !f.IsExported() {
				t.Errorf("%s.%s can't be copied", where, f.Name)
			} else {
				fill(t, v.Field(i), where+"."+f.Name, depth)
			}
		}
	case reflect.Pointer:
		if depth > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), where, depth-1)
		}
	case reflect.Slice:
		if depth > 0 {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			fill(t, v.Index(0), where+"[0]", depth-1)
		}
	case reflect.Map:
		if depth > 0 {
			value := reflect.New(v.Type().Elem()).Elem()
			fill(t, value, where+"[]", depth-1)
			v.Set(reflect.MakeMap(v.Type()))
			v.SetMapIndex(reflect.Zero(v.Type().Key()), value)
		}
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(7)
	case reflect.Float64:
		v.SetFloat(7.5)
	default:
		t.Errorf("%s is of a kind that can't be copied: %s", where, v.Kind())
	}
}

// shared fails where two values lead to the same.
func shared(t *testing.T, a, b reflect.Value, where string) {
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if a.Type() != reflect.TypeFor[time.Time]() {
				shared(t, a.Field(i), b.Field(i), where+"."+a.Type().Field(i).Name)
			}
		}
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if a.IsNil() {
			return
		}
		if a.Pointer() == b.Pointer() {
			t.Errorf("%s is shared", where)
		}
		switch a.Kind() {
		case reflect.Pointer:
			shared(t, a.Elem(), b.Elem(), where)
		case reflect.Slice:
			shared(t, a.Index(0), b.Index(0), where+"[0]")
		case reflect.Map:
			for _, key := range a.MapKeys() {
				shared(t, a.MapIndex(key), b.MapIndex(key), where+"[]")
			}
		}
	}
}

func TestACopiedRecordIsEqualAndSharesNothing(t *testing.T) {
	var r seedlist.Record
	if is := copied(r); !reflect.DeepEqual(is, r) {
		t.Errorf("a copy of nothing is %+v", is)
	}
	fill(t, reflect.ValueOf(&r).Elem(), "record", 6)
	is := copied(r)
	if !reflect.DeepEqual(is, r) {
		t.Errorf("%+v was copied as\n%+v", r, is)
	}
	shared(t, reflect.ValueOf(r), reflect.ValueOf(is), "record")
}
