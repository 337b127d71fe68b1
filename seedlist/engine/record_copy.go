package engine

import (
	"reflect"
	"sync"
	"time"

	"laundromat/seedlist"
)

// copied is a record that shares nothing with another. It takes a fifth of the time of decoding it again.
func copied(r seedlist.Record) seedlist.Record {
	unshare(reflect.ValueOf(&r).Elem())
	return r
}

// unshare gives a value its own copy of all that it leads to.
func unshare(v reflect.Value) {
	if !leadsOn(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			unshare(v.Field(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			is := reflect.New(v.Type().Elem())
			is.Elem().Set(v.Elem())
			unshare(is.Elem())
			v.Set(is)
		}
	case reflect.Slice:
		if !v.IsNil() {
			is := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(is, v)
			if leadsOn(v.Type().Elem()) {
				for i := range is.Len() {
					unshare(is.Index(i))
				}
			}
			v.Set(is)
		}
	case reflect.Map:
		if !v.IsNil() {
			is := reflect.MakeMapWithSize(v.Type(), v.Len())
			for each := v.MapRange(); each.Next(); {
				value := reflect.New(v.Type().Elem()).Elem()
				value.Set(each.Value())
				unshare(value)
				is.SetMapIndex(each.Key(), value)
			}
			v.Set(is)
		}
	}
}

// leading are the types that were asked for.
var leading sync.Map

// leadsOn says that values of a type lead to others, which they share with their copies.
func leadsOn(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return true
	case reflect.Struct:
	default:
		return false
	}
	if t == reflect.TypeFor[time.Time]() { // nobody changes what it leads to
		return false
	}
	if is, known := leading.Load(t); known {
		return is.(bool)
	}
	is := false
	for i := range t.NumField() {
		is = is || leadsOn(t.Field(i).Type)
	}
	leading.Store(t, is)
	return is
}
