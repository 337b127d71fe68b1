package unit

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// maxCode bounds the length of a code in bytes, maxExponent an exponent, maxDepth the
// nesting of parentheses. They allow every unit, and no number grows beyond use.
const (
	maxCode     = 250
	maxExponent = 400
	maxDepth    = 20
)

// Parse reads a code of UCUM. The error says in plain words what is wrong, and where it can,
// what the code would be.
func Parse(code string) (Unit, error) {
	return (&parser{atoms: table()}).parse(code)
}

// parser follows the grammar of UCUM (section 2.2 of its specification). A method is named
// for a production.
type parser struct {
	atoms map[string]*atom
	code  string
	at    int
	depth int
}

func (p *parser) parse(code string) (Unit, error) {
	if code == "" {
		return Unit{}, fmt.Errorf("the code is empty")
	}
	if len(code) > maxCode {
		return Unit{}, fmt.Errorf("the code is longer than %d bytes", maxCode)
	}
	for _, c := range code {
		if c <= ' ' || c > '~' {
			return Unit{}, fmt.Errorf("%q isn't a code of UCUM: it has the character %q%s", code, c, p.hint(code))
		}
	}
	p.code, p.at, p.depth = code, 0, 0
	u, err := p.mainTerm()
	if err == nil && p.at < len(code) {
		err = fmt.Errorf("%q isn't a code of UCUM: an operator is missing before %q%s", code, code[p.at:], p.hint(code))
	}
	if err == nil && u.factor.Sign() == 0 {
		err = fmt.Errorf("%q isn't a unit: it is zero", code)
	}
	return u, err
}

func (p *parser) peek() byte {
	if p.at < len(p.code) {
		return p.code[p.at]
	}
	return 0
}

// mainTerm = [ "/" ] term
func (p *parser) mainTerm() (Unit, error) {
	if p.peek() != '/' {
		return p.term()
	}
	p.at++
	u, err := p.component()
	if err != nil {
		return u, err
	}
	return p.rest(one().times(u, -1))
}

// term = component { ( "." | "/" ) component }; what follows a slash is divided by, one
// component at a time.
func (p *parser) term() (Unit, error) {
	u, err := p.component()
	if err != nil {
		return u, err
	}
	return p.rest(u)
}

func (p *parser) rest(u Unit) (Unit, error) {
	for p.peek() == '.' || p.peek() == '/' {
		n := 1
		if p.peek() == '/' {
			n = -1
		}
		p.at++
		v, err := p.component()
		if err != nil {
			return v, err
		}
		if n < 0 && v.factor.Sign() == 0 {
			return v, fmt.Errorf("%q divides by zero", p.code)
		}
		if u = u.times(v, n); u.factor.Num().BitLen()+u.factor.Denom().BitLen() > 100_000 {
			return u, fmt.Errorf("the number in %q is too large", p.code)
		}
	}
	return u, nil
}

// component = annotation | factor [ annotation ] | "(" term ")" | simpleUnit [ exponent ]
// [ annotation ]
func (p *parser) component() (Unit, error) {
	switch c := p.peek(); {
	case c == 0:
		return Unit{}, fmt.Errorf("%q ends where a unit is missing", p.code)
	case c == '{':
		return one(), p.annotation()
	case c == '(':
		if p.depth++; p.depth > maxDepth {
			return Unit{}, fmt.Errorf("%q has more than %d parentheses in one another", p.code, maxDepth)
		}
		p.at++
		u, err := p.term()
		if err != nil {
			return u, err
		}
		if p.peek() != ')' {
			return u, fmt.Errorf("%q lacks a closing parenthesis", p.code)
		}
		p.at++
		p.depth--
		return u, nil
	case '0' <= c && c <= '9' && !p.isTen():
		n := new(big.Rat)
		n.SetString(p.digits())
		u := Unit{factor: n}
		if n.Sign() == 0 {
			return u, fmt.Errorf("%q has the factor zero", p.code)
		}
		return u, p.annotation()
	}
	u, err := p.simpleUnit()
	if err != nil {
		return u, err
	}
	if u, err = p.exponent(u); err != nil {
		return u, err
	}
	return u, p.annotation()
}

// isTen says that the number ten to a power is here, which is a unit: 10*3, 10^3.
func (p *parser) isTen() bool {
	rest := p.code[p.at:]
	return strings.HasPrefix(rest, "10*") || strings.HasPrefix(rest, "10^")
}

func (p *parser) digits() string {
	from := p.at
	for c := p.peek(); '0' <= c && c <= '9'; c = p.peek() {
		p.at++
	}
	return p.code[from:p.at]
}

// exponent = [ "+" | "-" ] digit { digit }
func (p *parser) exponent(u Unit) (Unit, error) {
	sign := ""
	if c := p.peek(); c == '+' || c == '-' {
		sign = p.code[p.at : p.at+1]
		p.at++
	}
	digits := p.digits()
	if digits == "" {
		if sign != "" {
			return u, fmt.Errorf("%q has a sign without an exponent", p.code)
		}
		return u, nil
	}
	n, err := strconv.Atoi(sign + digits)
	if err != nil || n > maxExponent || n < -maxExponent {
		return u, fmt.Errorf("%q has an exponent beyond %d", p.code, maxExponent)
	}
	return u.power(n), nil
}

// annotation = [ "{" text "}" ]; it has no meaning for the conversion.
func (p *parser) annotation() error {
	if p.peek() != '{' {
		return nil
	}
	end := strings.IndexByte(p.code[p.at:], '}')
	if end < 0 || strings.IndexByte(p.code[p.at+1:p.at+end], '{') >= 0 {
		return fmt.Errorf("%q has an annotation that does not end", p.code)
	}
	p.at += end + 1
	return nil
}

// simpleUnit = atom | prefix metric-atom. What is in square brackets belongs together.
func (p *parser) simpleUnit() (Unit, error) {
	from := p.at
	if p.isTen() {
		p.at += 3
		return p.atoms[p.code[from:p.at]].unit, nil
	}
scan:
	for p.at < len(p.code) {
		switch c := p.code[p.at]; {
		case c == '[':
			end := strings.IndexByte(p.code[p.at:], ']')
			if end < 0 {
				return Unit{}, fmt.Errorf("%q has a bracket that does not end", p.code)
			}
			p.at += end
		case '0' <= c && c <= '9', strings.IndexByte(".()/{}+-=\"", c) >= 0:
			break scan
		}
		p.at++
	}
	name := p.code[from:p.at]
	if name == "" {
		return Unit{}, fmt.Errorf("%q has %q where a unit is missing", p.code, p.code[from:])
	}
	if a := p.atoms[name]; a != nil {
		return a.unit, nil
	}
	var notMetric string
	for n := min(2, len(name)-1); n >= 1; n-- {
		by, known := prefixes[name[:n]]
		if !known {
			continue
		}
		if a := p.atoms[name[n:]]; a != nil && a.metric {
			return prefixed(a.unit, number(by)), nil
		} else if a != nil {
			notMetric = name[n:]
		}
	}
	if notMetric != "" {
		return Unit{}, fmt.Errorf("%q isn't a code of UCUM: %s takes no prefix%s", name, notMetric, p.hint(name))
	}
	return Unit{}, fmt.Errorf("%q isn't a code of UCUM%s", name, p.hint(name))
}

func prefixed(u Unit, by *big.Rat) Unit {
	if u.function != nil {
		u.scale = new(big.Rat).Mul(u.scale, by)
		return u
	}
	u.factor = new(big.Rat).Mul(u.factor, by)
	return u
}
