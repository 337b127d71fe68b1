package records

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// AppendJSON appends v as JSON (RFC 8259), without spaces. Text that is not UTF-8 is written
// with U+FFFD in place of each byte that is wrong.
func (v Value) AppendJSON(dst []byte) []byte {
	switch v.Kind {
	case Text:
		return AppendJSONText(dst, v.Text)
	case Number, Bool:
		return append(dst, v.Text...)
	case List:
		dst = append(dst, '[')
		for i := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = v.Items[i].AppendJSON(dst)
		}
		return append(dst, ']')
	case Object:
		return append(appendFields(append(dst, '{'), v.Fields), '}')
	}
	return append(dst, "null"...)
}

func appendFields(dst []byte, fields []Field) []byte {
	for i := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendJSONText(dst, fields[i].Name), ':')
		dst = fields[i].Value.AppendJSON(dst)
	}
	return dst
}

// AppendJSON appends the record as one JSON object without spaces. It has its fields in
// order, then under "was" the originals of what rules changed, if there are any.
func (r *Record) AppendJSON(dst []byte) []byte {
	dst = appendFields(append(dst, '{'), r.Fields)
	if len(r.Was) > 0 {
		if len(r.Fields) > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `"was":{`...)
		for i, w := range r.Was {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendJSONText(dst, w.Field), `:{"value":`...)
			dst = append(w.Value.AppendJSON(dst), `,"rule":`...)
			dst = append(AppendJSONText(dst, w.Rule), '}')
		}
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

// AppendJSONText appends s as a JSON string. Only what RFC 8259 §7 asks for is escaped.
func AppendJSONText(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		b := s[i]
		if b >= utf8.RuneSelf {
			if r, n := utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
			dst = append(append(dst, s[from:i]...), "\uFFFD"...)
			i++
			from = i
			continue
		}
		if b >= ' ' && b != '"' && b != '\\' {
			i++
			continue
		}
		dst = append(dst, s[from:i]...)
		switch b {
		case '"', '\\':
			dst = append(dst, '\\', b)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
		}
		i++
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}

// IsNumber says that s is a number as JSON writes it (RFC 8259 §6).
func IsNumber(s string) bool {
	digits := func() bool {
		n := 0
		for n < len(s) && '0' <= s[n] && s[n] <= '9' {
			n++
		}
		s = s[n:]
		return n > 0
	}
	if s != "" && s[0] == '-' {
		s = s[1:]
	}
	if s == "" {
		return false
	}
	if s[0] == '0' {
		s = s[1:]
	} else if !digits() {
		return false
	}
	if s != "" && s[0] == '.' {
		if s = s[1:]; !digits() {
			return false
		}
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		if s = s[1:]; s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		if !digits() {
			return false
		}
	}
	return s == ""
}

// ToNumber writes a number as JSON has it (RFC 8259 §6), with all its digits: without a plus sign,
// leading zeros or a bare point. Whole numbers in hexadecimal (0x1F) and octal (0o17) are decimal
// then. If s is no number, or one of these beyond 64 bits, ok is false.
func ToNumber(s string) (number string, ok bool) {
	if lower := strings.ToLower(s); strings.HasPrefix(lower, "0x") || strings.HasPrefix(lower, "0o") {
		n, err := strconv.ParseInt(lower, 0, 64)
		return strconv.FormatInt(n, 10), err == nil
	}
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign = "-"
	}
	s = strings.TrimLeft(s, "+-")
	mantissa, exponent := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent = s[:i], s[i:]
	}
	mantissa = strings.TrimSuffix(mantissa, ".")
	digits := strings.TrimLeft(mantissa, "0")
	if digits == "" || digits[0] == '.' {
		digits = "0" + digits
	}
	out := sign + digits + exponent
	if strings.Trim(digits, "0.") == "" && exponent == "" {
		out = strings.TrimPrefix(out, "-")
	}
	return out, IsNumber(out)
}

// IntOf is a value of kind Number for a whole number.
func IntOf(n int64) Value { return NumberOf(strconv.FormatInt(n, 10)) }
