package extract

import (
	"fmt"
	"strconv"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/spelling"
	"laundromat/records"
)

// list is a list of records, with its place.
type list struct{ records.Field }

// at is the place of an item.
func (l *list) at(i int) fault.Pos {
	if fields := l.Value.Items[i].Fields; len(fields) > 0 {
		return fields[0].Pos
	}
	return l.Pos
}

// recordsIn finds the list of records in a value. That is the value itself, or in an object the list that key names,
// or else the only list of objects. Where key is empty and there is none, found is false: the value is the record.
// What stands beside the list is reported.
func recordsIn(v records.Value, pos fault.Pos, key string, to records.Sink) (l list, found bool) {
	if v.Kind == records.List {
		return list{records.Field{Value: v, Pos: pos}}, true
	}
	if v.Kind != records.Object {
		return l, false
	}
	way := wayToList(&v)
	if key != "" {
		way = wayToName(&v, key)
	} else if len(way) == 0 {
		return l, false
	}
	var others []records.Field
	at, outer := &v, ""
	for _, step := range way {
		others = append(others, besides(at, outer, step)...)
		l.Field = at.Fields[step]
		outer += l.Name + "."
		at = &at.Fields[step].Value
	}
	if len(way) == 0 {
		others = besides(&v, "", -1)
		var names []string
		for i := range others {
			names = append(names, others[i].Name)
		}
		to.Notice(noRecords("list "+strconv.Quote(key), key, pos, names))
	} else {
		var names []string
		for i := range others {
			names = append(names, others[i].Name)
		}
		to.Notice(fault.Notice{Code: fault.RecordList, Severity: fault.Note, Pos: l.Pos, Field: l.Name,
			Message: fmt.Sprintf("the records are the items of %q%s", l.Name, besideThem(names))})
		if l.Value.Kind != records.List { // a list of one, as programs that make JSON of XML write it
			l.Value = records.Value{Kind: records.List, Items: []records.Value{l.Value}}
		}
	}
	for i := range others {
		to.Notice(beside(others[i].Name, others[i].Pos, excerptOf(&others[i].Value)))
	}
	return l, true
}

// noRecords is the finding of a document without what the spec calls its records.
func noRecords(what, name string, pos fault.Pos, names []string) fault.Notice {
	n := fault.Notice{Code: fault.RecordNothingFound, Severity: fault.Drop, Lost: 1, Pos: pos,
		Message: "there is no " + what + ", of which the spec says that it has the records"}
	if near := spelling.Nearest(name, names...); near != "" {
		n.Message += fmt.Sprintf("; nearest: %q", near)
	}
	return n
}

// besides are the members of an object but one, with names from the root on.
func besides(v *records.Value, outer string, but int) (others []records.Field) {
	for i := range v.Fields {
		if i != but {
			f := v.Fields[i]
			f.Name = outer + f.Name
			others = append(others, f)
		}
	}
	return others
}

// besideThem names what stands beside the records: 20 names at most.
func besideThem(names []string) string {
	switch {
	case len(names) == 0:
		return ""
	case len(names) > 20:
		return fmt.Sprintf("; beside them are %s and %d more", strings.Join(names[:20], ", "), len(names)-20)
	}
	return "; beside them are " + strings.Join(names, ", ")
}

// beside is the finding of what stands beside the records and is in none.
func beside(name string, pos fault.Pos, text []byte) fault.Notice {
	return fault.Notice{Code: fault.RecordBeside, Severity: fault.Warning, Field: name, Pos: pos, Excerpt: fault.Excerpt(text),
		Message: fmt.Sprintf("%q is beside the records, and is in none", name)}
}

// excerptOf is the beginning of a value.
func excerptOf(v *records.Value) []byte {
	switch v.Kind {
	case records.List, records.Object:
		return nil
	}
	return []byte(v.Text)
}

// wayToList is the way to the only list of objects among the members of an object, or of an object in it. The way
// is the places of members. It is empty if there is no such list, or there are several.
func wayToList(v *records.Value) (way []int) {
	found := 0
	for i := range v.Fields {
		if isListOfObjects(&v.Fields[i].Value) {
			way = []int{i}
			found++
		}
	}
	if found == 0 {
		for i := range v.Fields {
			if v.Fields[i].Value.Kind == records.Object {
				if inner := wayToList(&v.Fields[i].Value); len(inner) > 0 {
					way = append([]int{i}, inner...)
					found++
				}
			}
		}
	}
	if found != 1 {
		return nil
	}
	return way
}

// wayToName is the way to the list of that name in an object, or in an object in it. A list of one may be written
// as its item.
func wayToName(v *records.Value, name string) []int {
	for i := range v.Fields {
		if f := &v.Fields[i]; f.Name == name && (f.Value.Kind == records.List || f.Value.Kind == records.Object) {
			return []int{i}
		}
	}
	for i := range v.Fields {
		if way := wayToName(&v.Fields[i].Value, name); len(way) > 0 {
			return append([]int{i}, way...)
		}
	}
	return nil
}

func isListOfObjects(v *records.Value) bool {
	if v.Kind != records.List || len(v.Items) == 0 {
		return false
	}
	for i := range v.Items {
		if v.Items[i].Kind != records.Object {
			return false
		}
	}
	return true
}
