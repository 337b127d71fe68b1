package xsd

// roomIn is the number of digits of which all positive integers are in bounds.
func roomIn(least, most bound) int {
	switch {
	case most.set && (most.negative || len(most.digits) == 0):
		return 0
	case most.set:
		return len(most.digits) - 1
	}
	return 1 << 30
}

// isPlainInteger knows positive integers without leading zeros, well in bounds.
func (d *Datatype) isPlainInteger(lexical []byte) bool {
	if len(lexical) == 0 || len(lexical) > d.digits || lexical[0] == '0' {
		return false
	}
	return areDigits(lexical)
}

// isPlainDecimal knows numbers without a leading zero, or a final one behind a point.
func (d *Datatype) isPlainDecimal(lexical []byte) bool {
	if len(lexical) > 0 && lexical[0] == '-' {
		lexical = lexical[1:]
	}
	n := 0
	for n < len(lexical) && isDigit(lexical[n]) {
		n++
	}
	if n == 0 || lexical[0] == '0' {
		return false
	}
	if n == len(lexical) {
		return true
	}
	fraction := lexical[n+1:]
	return lexical[n] == '.' && len(fraction) > 0 && fraction[len(fraction)-1] != '0' && areDigits(fraction)
}

func (d *Datatype) isPlainBoolean(lexical []byte) bool {
	return string(lexical) == "true" || string(lexical) == "false"
}

func (d *Datatype) isPlainFloat(lexical []byte) bool  { return isCanonicalFloating(lexical, 32) }
func (d *Datatype) isPlainDouble(lexical []byte) bool { return isCanonicalFloating(lexical, 64) }

// isPlainDate knows days up to the 28th of years of four digits, without a timezone
// or in Z.
func (d *Datatype) isPlainDate(lexical []byte) bool {
	if len(lexical) == 11 && lexical[10] == 'Z' {
		lexical = lexical[:10]
	}
	return len(lexical) == 10 && isPlainDay(lexical)
}

// isPlainDateTime knows whole seconds of such days.
func (d *Datatype) isPlainDateTime(lexical []byte) bool {
	if len(lexical) == 20 && lexical[19] == 'Z' {
		lexical = lexical[:19]
	}
	return len(lexical) == 19 && isPlainDay(lexical[:10]) && lexical[10] == 'T' && lexical[13] == ':' && lexical[16] == ':' &&
		twoUpTo(lexical[11:], 23) && twoUpTo(lexical[14:], 59) && twoUpTo(lexical[17:], 59)
}

func isPlainDay(day []byte) bool {
	return areDigits(day[:4]) && day[4] == '-' && day[7] == '-' && twoUpTo(day[5:], 12) && twoUpTo(day[8:], 28) &&
		(day[5] != '0' || day[6] != '0') && (day[8] != '0' || day[9] != '0')
}

// twoUpTo says that text begins with two digits, of a number up to most.
func twoUpTo(text []byte, most int) bool {
	return isDigit(text[0]) && isDigit(text[1]) && int(text[0]-'0')*10+int(text[1]-'0') <= most
}

func areDigits(text []byte) bool {
	for _, b := range text {
		if !isDigit(b) {
			return false
		}
	}
	return true
}
