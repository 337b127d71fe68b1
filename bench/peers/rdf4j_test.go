package peers_test

import (
	"math/big"
	"regexp"
	"strings"
)

// rdf4jAccepts is a model of what Eclipse RDF4J does with VERIFY_DATATYPE_VALUES. Its rules are those
// that the documentation and the source of its XMLDatatypeUtil and XMLDateTime state, written again.
// RDF4J itself is not run: it is in no package that is at hand.
func rdf4jAccepts(datatype, text string) bool {
	// The types derived from strings, the binary ones and dateTimeStamp are not looked at.
	if bounds, whole := rdf4jIntegers[datatype]; whole {
		n, ok := new(big.Int).SetString(collapsed(text), 10)
		if !ok || strings.Contains(text, "_") {
			return false
		}
		for i, end := range strings.Split(bounds, " ") {
			if bound, bounded := new(big.Int).SetString(end, 10); bounded && (i == 0 && n.Cmp(bound) < 0 || i == 1 && n.Cmp(bound) > 0) {
				return false
			}
		}
		return true
	}
	switch datatype {
	case "decimal":
		return rdf4jDecimal.MatchString(collapsed(text))
	case "float":
		return rdf4jFloating(collapsed(text), -149, 104)
	case "double":
		return rdf4jFloating(collapsed(text), -1075, 970)
	case "boolean":
		text = collapsed(text)
		return text == "true" || text == "false" || text == "1" || text == "0"
	case "dateTime":
		// Years of any length are known here, unlike in the other types of dates.
		return rdf4jMoment(`^(?P<y>-?(\d{4}|[1-9]\d{4,}))-(?P<m>\d\d)-(?P<d>\d\d)T`+rdf4jClock+`$`, collapsed(text))
	case "date":
		return rdf4jMoment(`^(?P<y>-?\d{4})-(?P<m>\d\d)-(?P<d>\d\d)`+rdf4jZone+`$`, text)
	case "time":
		return rdf4jMoment(`^`+rdf4jClock+`$`, text)
	case "gYear":
		return rdf4jMoment(`^(?P<y>-?\d{4})`+rdf4jZone+`$`, text)
	case "gYearMonth":
		return rdf4jMoment(`^(?P<y>-?\d{4})-(?P<m>\d\d)`+rdf4jZone+`$`, text)
	case "gMonth":
		return rdf4jMoment(`^--(?P<m>\d\d)`+rdf4jZone+`$`, text)
	case "gMonthDay":
		return rdf4jMoment(`^--(?P<m>\d\d)-(?P<d>\d\d)`+rdf4jZone+`$`, text)
	case "gDay":
		return rdf4jMoment(`^---(?P<d>\d\d)`+rdf4jZone+`$`, text)
	case "duration":
		return len(text) > 1 && rdf4jDuration.MatchString(text)
	case "yearMonthDuration":
		return len(text) > 1 && rdf4jDuration.MatchString(text) && !strings.ContainsAny(text, "DT")
	case "dayTimeDuration":
		before, _, _ := strings.Cut(text, "T")
		return len(text) > 1 && rdf4jDuration.MatchString(text) && !strings.ContainsAny(before, "YM")
	case "language":
		return rdf4jLanguage.MatchString(text)
	}
	return true
}

var rdf4jIntegers = map[string]string{
	"integer": "- -", "negativeInteger": "- -1", "nonPositiveInteger": "- 0", "nonNegativeInteger": "0 -", "positiveInteger": "1 -",
	"long": "-9223372036854775808 9223372036854775807", "int": "-2147483648 2147483647", "short": "-32768 32767", "byte": "-128 127",
	"unsignedLong": "0 18446744073709551615", "unsignedInt": "0 4294967295", "unsignedShort": "0 65535", "unsignedByte": "0 255",
}

const (
	rdf4jZone  = `(Z|[+-](?P<zh>\d\d):(?P<zm>\d\d))?`
	rdf4jClock = `(?P<H>\d\d):(?P<M>\d\d):(?P<S>\d\d)(\.\d+)?` + rdf4jZone
)

var (
	// A point alone is a decimal there.
	rdf4jDecimal  = regexp.MustCompile(`^[+-]?(\d+(\.\d*)?|\.\d*)$`)
	rdf4jDuration = regexp.MustCompile(`^-?P(\d+Y)?(\d+M)?(\d+D)?(T\d+H(\d+M)?(\d+(\.\d+)?S)?|T\d+M(\d+(\.\d+)?S)?|T\d+(\.\d+)?S)?$`)
	// BCP 47 by its form, as the tags of Java know it.
	rdf4jLanguage = regexp.MustCompile(
		`^(?i:[a-z]{2,8}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?(-([a-z\d]{5,8}|\d[a-z\d]{3}))*(-x(-[a-z\d]{1,8})+)?|x(-[a-z\d]{1,8})+)$`)
)

func collapsed(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }), " ")
}

// rdf4jFloating holds the exponent of one digit before the point to bounds, not the value.
func rdf4jFloating(text string, least, most int64) bool {
	if text == "INF" || text == "-INF" || text == "NaN" {
		return true
	}
	mantissa, exponent := text, "0"
	if i := strings.IndexAny(text, "Ee"); i >= 0 {
		mantissa, exponent = text[:i], text[i+1:]
	}
	n, ok := new(big.Int).SetString(exponent, 10)
	if !ok || !rdf4jDecimal.MatchString(mantissa) {
		return false
	}
	whole, fraction, _ := strings.Cut(strings.TrimLeft(mantissa, "+-"), ".")
	shift := int64(0)
	if whole = strings.TrimLeft(whole, "0"); whole != "" {
		shift = int64(len(whole) - 1)
	} else if rest := strings.TrimLeft(fraction, "0"); rest != "" {
		shift = -int64(len(fraction)-len(rest)) - 1
	}
	n.Add(n, big.NewInt(shift))
	return n.IsInt64() && least <= n.Int64() && n.Int64() <= most
}

// rdf4jMoment knows no year 0, as XSD 1.0 did not, and the lengths of months.
func rdf4jMoment(pattern, text string) bool {
	form := regexp.MustCompile(pattern)
	found := form.FindStringSubmatch(text)
	if found == nil {
		return false
	}
	part := func(name string, otherwise int64) int64 {
		i := form.SubexpIndex(name)
		if i < 0 || found[i] == "" {
			return otherwise
		}
		n, _ := new(big.Int).SetString(found[i], 10)
		return n.Int64()
	}
	year, month, day := part("y", 4), part("m", 1), part("d", 1)
	hour, minute, second := part("H", 0), part("M", 0), part("S", 0)
	zone := 60*part("zh", 0) + part("zm", 0)
	most := int64(31)
	switch month {
	case 4, 6, 9, 11:
		most = 30
	case 2:
		if most = 28; year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			most = 29
		}
	}
	return year != 0 && 1 <= month && month <= 12 && 1 <= day && day <= most &&
		(hour < 24 || hour == 24 && minute == 0 && second == 0) && minute < 60 && second < 60 && zone <= 14*60 && part("zm", 0) < 60
}
