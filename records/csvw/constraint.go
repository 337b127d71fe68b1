package csvw

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// compare orders two values of a datatype; ok is false where they have no order.
func compare(d *datatype, a, b string) (order int, ok bool) {
	switch d.base.family {
	case numeric:
		x, okX := rational(a)
		y, okY := rational(b)
		if okX && okY {
			return x.Cmp(y), true
		}
		f, errF := strconv.ParseFloat(a, 64)
		g, errG := strconv.ParseFloat(b, 64)
		return cmp.Compare(f, g), f == f && g == g && errF == nil && errG == nil
	case temporal:
		x, okX := instant(d.name, a)
		y, okY := instant(d.name, b)
		return x.Compare(y), okX && okY
	case lasting:
		x, okX := lastingSeconds(a)
		y, okY := lastingSeconds(b)
		return cmp.Compare(x, y), okX && okY
	}
	return 0, false
}

// holds says how a value breaks the limits of its datatype; "" if it does not.
func (d *datatype) holds(lexical string) string {
	if d.limits {
		outside := func(limit string, has bool, wrong func(int) bool) bool {
			order, ok := compare(d, lexical, limit)
			return has && (!ok || wrong(order))
		}
		switch {
		case outside(d.minInclusive, d.hasMin, func(o int) bool { return o < 0 }):
			return "it is less than " + d.minInclusive
		case outside(d.maxInclusive, d.hasMax, func(o int) bool { return o > 0 }):
			return "it is more than " + d.maxInclusive
		case outside(d.minEx, d.hasMinEx, func(o int) bool { return o <= 0 }):
			return "it is not more than " + d.minEx
		case outside(d.maxEx, d.hasMaxEx, func(o int) bool { return o >= 0 }):
			return "it is not less than " + d.maxEx
		}
	}
	if d.length < 0 && d.minLength < 0 && d.maxLength < 0 {
		return ""
	}
	n := utf8.RuneCountInString(lexical)
	switch d.name {
	case "hexBinary":
		n = len(lexical) / 2
	case "base64Binary", "binary":
		if raw, err := base64.StdEncoding.DecodeString(lexical); err == nil {
			n = len(raw)
		}
	}
	switch {
	case d.length >= 0 && n != d.length:
		return fmt.Sprintf("its length is %d, not %d", n, d.length)
	case d.minLength >= 0 && n < d.minLength:
		return fmt.Sprintf("its length is %d, less than %d", n, d.minLength)
	case d.maxLength >= 0 && n > d.maxLength:
		return fmt.Sprintf("its length is %d, more than %d", n, d.maxLength)
	}
	return ""
}
