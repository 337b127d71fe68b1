package transform

import (
	"errors"
	"math/big"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/spec"
	"laundromat/records/unit"
)

// converting is the verb unit.
type converting struct {
	toCode  string
	to      unit.Unit
	ofCode  string // the unit of numbers that have none; empty where there is none
	of      unit.Unit
	form    numberForm
	digits  int
	aliases map[string]string // other ways to write a unit, and their codes

	mutex sync.Mutex
	known map[string]unit.Unit // codes that were read before
	named map[string]string    // what was written in place of codes, and the codes
}

// maxKnown bounds the codes that a rule remembers; a column has few.
const maxKnown = 1000

// maxUnitDigits is how many digits the computation surely has.
const maxUnitDigits = 60

func compileUnit(_ *rule, n *spec.Node, _ Options) (verb, error) {
	v := &converting{}
	to := n
	if n.Kind == spec.Map {
		if err := n.Only("key of unit", "to", "of", "decimal", "digits", "aliases"); err != nil {
			return nil, err
		}
		if to = n.Get("to"); to == nil {
			return nil, n.Errorf("unit needs to, the code of the unit that is wanted")
		}
	}
	var err error
	if v.toCode, v.to, err = readUnit(to); err != nil {
		return nil, err
	}
	if of := n.Get("of"); of != nil {
		if v.ofCode, v.of, err = readUnit(of); err != nil {
			return nil, err
		}
		if !v.of.Commensurable(v.to) {
			return nil, of.Errorf("%s can't be converted into %s: %s and %s", v.ofCode, v.toCode,
				v.of.Dimension(), v.to.Dimension())
		}
	}
	if d := n.Get("decimal"); d != nil {
		if err := v.form.setDecimal(d, &v.form); err != nil {
			return nil, err
		}
	}
	if d := n.Get("digits"); d != nil {
		if v.digits, err = strconv.Atoi(d.Text); err != nil || d.Kind != spec.Number || v.digits < 1 ||
			v.digits > maxUnitDigits {
			return nil, d.Errorf("digits is a number from 1 to %d", maxUnitDigits)
		}
	}
	return v, v.readAliases(n.Get("aliases"))
}

func (v *converting) readAliases(n *spec.Node) error {
	if n == nil {
		return nil
	}
	if err := n.Want(spec.Map); err != nil {
		return err
	}
	v.aliases = map[string]string{}
	for _, e := range n.Entries {
		code, _, err := readUnit(e.Value)
		if err != nil {
			return err
		}
		v.aliases[e.Key] = code
	}
	return nil
}

// readUnit reads a code; 1 may be written as a number.
func readUnit(n *spec.Node) (string, unit.Unit, error) {
	if n.Kind == spec.List {
		return "", unit.Unit{}, n.Errorf("a code with brackets needs quotation marks: \"[mi_i]\"")
	}
	if n.Kind != spec.Text && n.Kind != spec.Number {
		return "", unit.Unit{}, n.Errorf("the code of a unit is a text, not %s", n.Kind)
	}
	u, err := unit.Parse(n.Text)
	if err == nil {
		_, err = unit.Convert(big.NewRat(1, 1), u, u, 0)
		if errors.Is(err, unit.ErrMismatch) {
			return "", u, n.Errorf("%v", err)
		}
		return n.Text, u, nil
	}
	return "", u, n.Errorf("%v", err)
}

func (v *converting) apply(c *call) outcome {
	return c.each(func(value records.Value) outcome {
		o := v.convert(strings.TrimSpace(value.Text))
		if o.value.Kind == records.Null {
			o.value = value
		}
		return o
	})
}

// convert reads one quantity; a null value in the outcome means that it stays as it is.
func (v *converting) convert(text string) outcome {
	fails := func(code fault.Code, message string) outcome { return outcome{code: code, message: message} }
	number, code, from, trouble, why := v.quantity(text)
	if why != "" {
		return fails(fault.MapUnit, why)
	}
	if trouble == twoReadings {
		return fails(fault.MapAmbiguous, strconv.Quote(shown(text))+" has two readings: the rule needs its "+
			"decimal sign")
	}
	value, ok := rational(number)
	if !ok {
		return fails(fault.MapUnit, strconv.Quote(shown(text))+" has a number out of range")
	}
	q, err := unit.Convert(value, from, v.to, v.digits)
	if err != nil {
		message := "from " + code + " into " + v.toCode + ": " + err.Error()
		if meant := unit.Meant(code); meant != "" && meant != code {
			message += "; it may mean " + meant // ft is a femtotonne
		}
		return fails(fault.MapUnitMismatch, message)
	}
	if code == v.toCode && records.IsNumber(number) {
		q = unit.Quantity{Text: number} // nothing to convert: its zeros stay
	}
	o := outcome{value: records.TextOf(q.Text + " " + v.toCode)}
	if q.Rounded {
		digits := v.digits
		if digits == 0 {
			digits = unit.Digits
		}
		o.code, o.severity = fault.MapUnitRounded, fault.Note
		o.message = "the result is rounded to " + strconv.Itoa(digits) + " digits"
	}
	return o
}

// quantity takes a number and a code apart. Without a code the number is one of the rule's
// own unit. why says what is wrong.
func (v *converting) quantity(text string) (number, code string, u unit.Unit, trouble numberTrouble, why string) {
	if number, trouble = v.number(text); trouble != noNumber {
		if v.ofCode == "" {
			return "", "", u, trouble, strconv.Quote(shown(text)) + " has no unit, and the rule has no of"
		}
		return number, v.ofCode, v.of, trouble, ""
	}
	// The code begins after a space, or else where the digits end.
	for i, c := range text {
		if !unicode.IsSpace(c) {
			continue
		}
		if number, trouble = v.number(text[:i]); trouble == noNumber {
			continue
		}
		code = strings.TrimSpace(text[i:])
		if u, why = v.code(code); why == "" {
			return number, v.canonical(code), u, trouble, ""
		}
	}
	if why != "" {
		return "", "", u, trouble, why
	}
	end := len(text) - len(strings.TrimLeft(text, "+-\u22120123456789.,"))
	if number, trouble = v.number(text[:end]); trouble == noNumber {
		return "", "", u, trouble, strconv.Quote(shown(text)) + " does not begin with a number"
	}
	code = text[end:]
	u, why = v.code(code)
	return number, v.canonical(code), u, trouble, why
}

// canonical is the code of what is written: the alias of the rule, a code of UCUM, or an everyday name. Where a name
// is a code as well, as ft is a femtotonne, that is meant which can be converted.
func (v *converting) canonical(written string) string {
	if to, known := v.aliases[written]; known {
		return to
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if code, known := v.named[written]; known {
		return code
	}
	code := written
	if u, err := unit.Parse(written); err != nil || !u.Commensurable(v.to) {
		if everyday := unit.Everyday(written); everyday != "" {
			if u, err := unit.Parse(everyday); err == nil && u.Commensurable(v.to) {
				code = everyday
			}
		}
	}
	if v.named == nil {
		v.named = map[string]string{}
	}
	if len(v.named) < maxKnown {
		v.named[written] = code
	}
	return code
}

func (v *converting) code(code string) (unit.Unit, string) {
	code = v.canonical(code)
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if u, found := v.known[code]; found {
		return u, ""
	}
	u, err := unit.Parse(code)
	if err != nil {
		return u, err.Error()
	}
	if v.known == nil {
		v.known = map[string]unit.Unit{}
	}
	if len(v.known) < maxKnown {
		v.known[code] = u
	}
	return u, ""
}

// number reads a number, or a fraction as a conversion may write it.
func (v *converting) number(text string) (string, numberTrouble) {
	if a, b, found := strings.Cut(text, "/"); found {
		unsigned := strings.TrimPrefix(a, "-")
		if unsigned == "" || b == "" || !isDigits(unsigned) || !isDigits(b) || len(text) > maxDigits ||
			strings.Trim(b, "0") == "" {
			return "", noNumber
		}
		return text, sound
	}
	return v.form.read(text)
}

// rational is a number as a fraction; its exponent is bounded, so that it stays small.
func rational(s string) (*big.Rat, bool) {
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		if n, err := strconv.Atoi(s[i+1:]); err != nil || n > maxDigits || n < -maxDigits {
			return nil, false
		}
	}
	return new(big.Rat).SetString(s)
}
