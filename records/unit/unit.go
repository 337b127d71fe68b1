// Package unit reads the codes of UCUM, the Unified Code for Units of Measure (version 2.2,
// the case-sensitive codes), and converts quantities exactly.
//
// The table of units is our own; UCUM's is read by a test alone. Numbers
// are fractions (math/big), and powers of pi are kept apart, so that degrees are exact in
// gon. Only what has no exact form is rounded: see [Quantity].
package unit

import (
	"fmt"
	"maps"
	"math/big"
	"strings"
)

// Unit is a unit: a multiple of base units, or a function of one.
type Unit struct {
	factor    *big.Rat // of the base units, without the power of pi
	pi        int      // the power of pi
	dimension [dimensions]int
	arbitrary map[string]int // exponents of arbitrary units

	// function is that of a special unit, whose quantity is described by the fields above;
	// scale is the prefix or number before it.
	function *function
	scale    *big.Rat
	// mixed says that a special unit is multiplied by another, so that it has no meaning.
	mixed bool
}

func one() Unit { return Unit{factor: big.NewRat(1, 1)} }

// IsSpecial says that the unit is a function of another, as a degree Celsius.
func (u Unit) IsSpecial() bool { return u.function != nil || u.mixed }

// Commensurable says that quantities in u can be given in v.
func (u Unit) Commensurable(v Unit) bool {
	return !u.mixed && !v.mixed && u.dimension == v.dimension && maps.Equal(u.arbitrary, v.arbitrary)
}

// Dimension writes what a unit measures in base units, for messages: m/s as m.s-1.
func (u Unit) Dimension() string {
	var parts []string
	write := func(code string, n int) {
		if n == 1 {
			parts = append(parts, code)
		} else if n != 0 {
			parts = append(parts, fmt.Sprintf("%s%d", code, n))
		}
	}
	for i, n := range u.dimension {
		write(bases[i], n)
	}
	for code, n := range u.arbitrary {
		write(code, n)
	}
	if len(parts) == 0 {
		return "1"
	}
	return strings.Join(parts, ".")
}

// times is the product of two units, v to the power of n (1 or -1).
func (u Unit) times(v Unit, n int) Unit {
	if u.IsSpecial() || v.IsSpecial() {
		return u.timesSpecial(v, n)
	}
	w := Unit{factor: new(big.Rat).Set(v.factor)}
	if n < 0 {
		w.factor.Inv(w.factor)
	}
	w.factor.Mul(w.factor, u.factor)
	w.pi = u.pi + n*v.pi
	for i := range w.dimension {
		w.dimension[i] = u.dimension[i] + n*v.dimension[i]
	}
	w.arbitrary = addExponents(u.arbitrary, v.arbitrary, n)
	return w
}

func addExponents(a, b map[string]int, n int) map[string]int {
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	sum := map[string]int{}
	for code, e := range a {
		sum[code] += e
	}
	for code, e := range b {
		sum[code] += n * e
	}
	maps.DeleteFunc(sum, func(_ string, e int) bool { return e == 0 })
	if len(sum) == 0 {
		return nil
	}
	return sum
}

// timesSpecial allows numbers with a special unit alone: 10.dB.
func (u Unit) timesSpecial(v Unit, n int) Unit {
	if !u.mixed && !v.mixed {
		if u.function != nil && v.isNumber() {
			u.scale = scaled(u.scale, v.factor, n)
			return u
		}
		if u.isNumber() && v.function != nil && n == 1 {
			v.scale = scaled(v.scale, u.factor, 1)
			return v
		}
	}
	return Unit{factor: big.NewRat(1, 1), mixed: true}
}

func scaled(scale, by *big.Rat, n int) *big.Rat {
	if n < 0 {
		return new(big.Rat).Quo(scale, by)
	}
	return new(big.Rat).Mul(scale, by)
}

func (u Unit) isNumber() bool {
	return u.function == nil && u.pi == 0 && len(u.arbitrary) == 0 && u.dimension == [dimensions]int{}
}

// power is a unit to a power.
func (u Unit) power(n int) Unit {
	if n == 1 {
		return u
	}
	if u.IsSpecial() {
		return Unit{factor: big.NewRat(1, 1), mixed: true}
	}
	num, den := u.factor.Num(), u.factor.Denom()
	e := n
	if n < 0 {
		num, den, e = den, num, -n
	}
	exponent := big.NewInt(int64(e))
	w := Unit{factor: new(big.Rat).SetFrac(new(big.Int).Exp(num, exponent, nil), new(big.Int).Exp(den, exponent, nil))}
	w.pi = n * u.pi
	for i := range w.dimension {
		w.dimension[i] = n * u.dimension[i]
	}
	w.arbitrary = addExponents(nil, u.arbitrary, n)
	return w
}
