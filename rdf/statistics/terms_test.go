package statistics_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"laundromat/rdf/statistics"
)

// A Counter that is used again shares names and lists with the datasets before, which must not show: each has the terms
// that a new Counter finds, also after others were counted.
func TestTermsAreTheSameWhateverWasCountedBefore(t *testing.T) {
	line := func(subject, property, object string) string {
		return fmt.Sprintf("<http://s.example/%s> <%s> %s .\n", subject, property, object)
	}
	many := func(n int, name string) string {
		var text strings.Builder
		for i := range n {
			text.WriteString(line("1", fmt.Sprintf("%s%05d", name, i), `"x"`))
		}
		return text.String()
	}
	const label = "http://www.w3.org/2000/01/rdf-schema#label"
	few := line("1", label, `"one"`) + line("1", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "<http://c.example/C>")
	datasets := []string{
		few, few, "",
		line("1", label, `"zwei"@de`) + line("2", label, `"two"@en`) + line("2", "http://z.example/link", "<http://other.example/>"),
		few, many(50, "http://p.example/"), many(70, "http://q.example/"), many(70, "http://q.example/"), many(300, "http://r.example/"),
		many(2500, "http://t.example/"), line("1", "http://long.example/"+strings.Repeat("l", 300), `"x"`),
		line("1", "http://long.example/"+strings.Repeat("l", 300)+"2", `"x"`), few,
	}
	again := statistics.New()
	var found, wanted []*statistics.Terms
	for _, text := range datasets {
		for counter, all := range map[*statistics.Counter]*[]*statistics.Terms{again: &found, statistics.New(): &wanted} {
			counter.KeepLabels(statistics.LabelOptions{Most: 10})
			if text != "" {
				ends, shared := []int{}, []int{}
				for i := range text {
					if text[i] == '\n' {
						ends, shared = append(ends, i+1), append(shared, 0)
					}
				}
				counter.Lines([]byte(text), ends, shared)
			}
			*all = append(*all, counter.Terms())
		}
		again.Reset()
	}
	for i := range datasets {
		is, should := reflect.ValueOf(found[i]).Elem(), reflect.ValueOf(wanted[i]).Elem()
		for f := range is.NumField() {
			if field := is.Type().Field(f); field.IsExported() && !reflect.DeepEqual(is.Field(f).Interface(), should.Field(f).Interface()) {
				t.Errorf("dataset %d: %s %v, not %v", i, field.Name, is.Field(f), should.Field(f))
			}
		}
		if found[i].Size() > wanted[i].Size() {
			t.Errorf("dataset %d takes %d bytes, more than alone, %d", i, found[i].Size(), wanted[i].Size())
		}
	}
	if found[1].Size() >= found[0].Size() {
		t.Errorf("the second of two alike takes %d bytes, as the first, %d", found[1].Size(), found[0].Size())
	}
}
