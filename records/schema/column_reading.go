package schema

import (
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
)

// A Reading is a way to read the texts of a column as numbers or dates. Infer proposes it.
type Reading struct {
	Name string // for people, as "decimal , group ." or the pattern of a date
	Type string // of Table Schema

	// Decimal and Group are the signs of a number; empty where no value shows one.
	Decimal, Group string
	// Beside are texts that stand before or behind the numbers, as "%" and "€".
	Beside []string
	// Brackets says that (5) is -5.
	Brackets bool

	// Patterns are those of strptime that dates fit, and Language the one of their months.
	Patterns []string
	Language string

	// Nulls are the words that stand for no value.
	Nulls []string
	// Values fit, and Nulled are such words. Others are neither; Against is the first of them.
	Values, Nulled, Others int64
	Against                *Counterexample
	// Impossible are dates of a day that its month does not have. NoDay is the first of them.
	Impossible int64
	NoDay      *Counterexample
	// Doubt is why the reading is not certain; empty where it is.
	Doubt string
}

// mostWritten is how much of a column must fit a reading that is named. Only what fits all of it is certain.
const mostWritten = 0.5

// patience is how many values are looked at of a column that has nothing but other texts.
const patience = 200

// maxNullWords is how many different words for no value are counted in a column.
const maxNullWords = 8

// columnReading finds how the texts of a column are to be read.
type columnReading struct {
	numbers numberTrial
	dates   dateTrial
	values  int64 // without words for null
	nulls   []nullWord
	closed  bool // there is nothing to be found
}

type nullWord struct {
	text  string
	times int64
}

// nullWords are what people write where there is no value, in small letters.
var nullWords = map[string]bool{"n/a": true, "na": true, "n.a.": true, "n.a": true, "#n/a": true, "null": true, "nil": true, "none": true,
	"nan":    true,
	"(null)": true, "-": true, "--": true, "---": true, "–": true, "—": true, "?": true, "..": true, "...": true, "…": true, ".": true,
	":":       true,
	"missing": true, "unknown": true, "k.a.": true, "k. a.": true, "n.d.": true, "nd": true, "s/d": true, "n.b.": true, `\n`: true,
	"#value!": true,
	"#ref!":   true, "#div/0!": true}

// see looks at a value; plain says that it is a whole number as JSON writes it.
func (c *columnReading) see(v *records.Value, plain bool, at func() *Counterexample) {
	switch {
	case c.closed:
		return
	case v.Kind == records.Number || plain:
		c.values++
		c.numbers.plain++
		c.numbers.longest = max(c.numbers.longest, len(v.Text))
		c.dates.others(at)
		return
	case v.Kind != records.Text:
		c.closed = true
		return
	}
	text := strings.TrimSpace(v.Text)
	if len(text) < 12 && nullWords[strings.ToLower(text)] {
		c.addNull(text)
		return
	}
	c.values++
	c.numbers.see(text, at)
	c.dates.see(text, at)
	if c.values >= patience && c.numbers.few(c.values) && c.dates.few(c.values) {
		c.closed = true
	}
}

func (c *columnReading) addNull(text string) {
	for i := range c.nulls {
		if c.nulls[i].text == text {
			c.nulls[i].times++
			return
		}
	}
	if len(c.nulls) == maxNullWords {
		c.closed = true // it is a vocabulary
		return
	}
	c.nulls = append(c.nulls, nullWord{text, 1})
}

// readings are those that are proposed. The type of the column is that which its values have without them.
func (c *columnReading) readings(chosen string) (all []Reading) {
	if c.closed || c.values == 0 {
		return nil
	}
	switch chosen {
	case "string", "any":
		if all = c.dates.readings(c.values); len(all) == 0 {
			all = c.numbers.readings(c.values)
		}
	case "number":
		// The column is read as numbers already. Whether that is right may be in doubt.
		for _, r := range c.numbers.readings(c.values) {
			if r.Doubt != "" {
				all = append(all, r)
			}
		}
	}
	for i := range all {
		for _, w := range c.nulls {
			all[i].Nulls = append(all[i].Nulls, w.text)
			all[i].Nulled += w.times
		}
	}
	return all
}

// Certain says that all values fit the reading, and that there is no other.
func (r *Reading) Certain() bool { return r.Doubt == "" && r.Others == 0 && r.Values > 0 }

// exampleAt makes the counter-example that a value is.
func exampleAt(v *records.Value, pos fault.Pos, name string) *Counterexample {
	shown := v.Text
	if v.Kind != records.Text {
		shown = string(v.AppendJSON(nil))
	}
	return &Counterexample{name, fault.Excerpt([]byte(shown)), pos.Line}
}
