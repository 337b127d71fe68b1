package reconcile_test

import (
	"testing"

	"laundromat/records/reconcile"
)

// Each rule chooses the value of a merged record from those of its originals, and says whose it is.
func TestEachRuleChoosesItsValue(t *testing.T) {
	const (
		old   = "id|name|v|day\n1|Ada Lovelace|"
		other = "id|name|v|day\nx|Ada Lovelace|"
	)
	for _, c := range []struct{ name, part, a, b, want, of string }{
		{"the longest is kept unless another rule is given", "id: id", "abc|2001-01-01", "abcd|2000-01-01", `"abcd"`, "[1]"},
		{"the first of equal length", "{id: id, keep: longest}", "abc|2001-01-01", "xyz|2002-01-01", `"abc"`, "[0]"},
		{"length is that of characters", "{id: id, keep: longest}", "äöü|2001-01-01", "abcd|2002-01-01", `"abcd"`, "[1]"},
		{"an equal value is that of both", "id: id", "abc|2001-01-01", "abc|2002-01-01", `"abc"`, "[0,1]"},
		{"a value that one alone has", "{id: id, keep: trusted}", "|2001-01-01", "abc|2002-01-01", `"abc"`, "[1]"},
		{"the newest", "{id: id, keep: newest, date: day}", "abc|2001-01-01", "x|2002-01-01", `"x"`, "[1]"},
		{"the newest is in the first", "{id: id, keep: newest, date: day}", "x|2003-01-01", "abc|2002-01-01", `"x"`, "[0]"},
		{"days are compared, and not their digits", "{id: id, keep: newest, date: day}", "x|31.12.2001", "y|01.02.2002", `"y"`, "[1]"},
		{"hours decide on one day", "{id: id, keep: newest, date: day}", "x|2002-01-01T10:00", "y|2002-01-01T09:00", `"x"`, "[0]"},
		{"a record without a date is not the newest", "{id: id, keep: newest, date: day}", "x|", "y|1999-01-01", `"y"`, "[1]"},
		{"the newest that has a value", "{id: id, keep: newest, date: day}", "x|2001-01-01", "|2002-01-01", `"x"`, "[0]"},
		{"all", "{id: id, keep: all}", "abc|2001-01-01", "x|2002-01-01", `["abc","x"]`, "[0,1]"},
		{"all are one where they are equal", "{id: id, keep: all}", "abc|2001-01-01", "abc|2002-01-01", `"abc"`, "[0,1]"},
		{"the trusted input is the first", "{id: id, keep: trusted}", "a|2001-01-01", "abcd|2002-01-01", `"a"`, "[0]"},
		{"a field has its own rule", "{id: id, keep: trusted, fields: {v: longest}}", "a|2001-01-01", "abcd|2002-01-01", `"abcd"`, "[1]"},
		{"with its kind", "{id: id, fields: {v: {kind: code, keep: all}}}", "a|2001-01-01", "abcd|2002-01-01", `["a","abcd"]`, "[0,1]"},
	} {
		answers := []reconcile.Answer{{A: "1", B: "x", Same: true}}
		e, _ := reconciled(t, c.part, reconcile.Options{Answers: answers}, rowsOf(old+c.a), rowsOf(other+c.b))
		all := merged(t, e)
		if len(all) != 1 {
			t.Errorf("%s: %d records", c.name, len(all))
			continue
		}
		value := all[0].Field("v").Value
		held, _ := all[0].Field("_merge").Value.Get("values")
		of, _ := held.Get("v")
		if got, whose := string(value.AppendJSON(nil)), string(of.AppendJSON(nil)); got != c.want || whose != c.of {
			t.Errorf("%s: %s of %s, want %s of %s", c.name, got, whose, c.want, c.of)
		}
		if id := all[0].Field("id").Value.Text; id != "1" {
			t.Errorf("%s: the id is %q, not that of the first record", c.name, id)
		}
	}
}
