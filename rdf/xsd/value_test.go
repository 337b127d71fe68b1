package xsd_test

import (
	"encoding/base64"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// value calculates the value of a sound lexical form by other means than the package
// does, and writes it in a form of its own.
func value(datatype, lexical string) string {
	switch datatype {
	case "xsd:boolean":
		return strconv.FormatBool(lexical == "1" || lexical == "true")
	case "xsd:float", "xsd:double":
		bits := 64
		if datatype == "xsd:float" {
			bits = 32
		}
		v, _ := strconv.ParseFloat(lexical, bits)
		return strconv.FormatFloat(v, 'b', -1, bits)
	case "xsd:dateTime", "xsd:dateTimeStamp", "xsd:date", "xsd:time", "xsd:gYear", "xsd:gYearMonth", "xsd:gMonth", "xsd:gMonthDay",
		"xsd:gDay":
		return moment(datatype, lexical)
	case "xsd:duration", "xsd:yearMonthDuration", "xsd:dayTimeDuration":
		return duration(lexical)
	case "xsd:hexBinary":
		return strings.ToLower(lexical)
	case "xsd:base64Binary":
		octets, err := base64.StdEncoding.Strict().DecodeString(strings.ReplaceAll(lexical, " ", ""))
		return strconv.Quote(string(octets)) + strconv.FormatBool(err == nil)
	case "xsd:decimal":
		r, _ := new(big.Rat).SetString(strings.TrimSuffix(lexical, "."))
		return r.String()
	}
	if n, ok := new(big.Int).SetString(lexical, 10); ok && datatype != "xsd:token" && datatype != "xsd:normalizedString" &&
		strings.HasPrefix(datatype, "xsd:") && datatype != "xsd:NMTOKEN" && datatype != "xsd:anyURI" {
		return n.String()
	}
	return lexical
}

var zone = regexp.MustCompile(`(Z|[+-]\d\d:\d\d)$`)

// moment is the time line of appendix E.3 (timeOnTimeline). The day is calculated by counting, and the
// timezone, which is a part of the value, in minutes.
func moment(datatype, lexical string) string {
	offset := "none"
	if datatype == "xsd:gYear" || datatype == "xsd:gYearMonth" || datatype != "" {
		if z := zone.FindString(lexical); z != "" && !(datatype == "xsd:gMonth" && len(lexical) == 4) {
			minutes := 0
			if z != "Z" {
				h, _ := strconv.Atoi(z[1:3])
				m, _ := strconv.Atoi(z[4:6])
				if minutes = 60*h + m; z[0] == '-' {
					minutes = -minutes
				}
			}
			offset = strconv.Itoa(minutes)
			lexical = lexical[:len(lexical)-len(z)]
		}
	}
	date, clock, hasTime := strings.Cut(lexical, "T")
	if datatype == "xsd:time" {
		date, clock, hasTime = "", lexical, true
	}
	seconds := new(big.Rat)
	if hasTime {
		parts := strings.Split(clock, ":")
		for _, p := range parts {
			n, _ := new(big.Rat).SetString(p)
			seconds.Mul(seconds, big.NewRat(60, 1)).Add(seconds, n)
		}
	}
	if datatype == "xsd:time" {
		if seconds.Cmp(big.NewRat(86400, 1)) == 0 {
			seconds.SetInt64(0)
		}
		return seconds.String() + " " + offset
	}
	if datatype == "xsd:gYear" || datatype == "xsd:gYearMonth" || datatype == "xsd:gMonth" || datatype == "xsd:gMonthDay" ||
		datatype == "xsd:gDay" {
		return strings.Replace(date, "-0000", "0000", 1) + " " + offset
	}
	negative := strings.HasPrefix(date, "-")
	parts := strings.Split(strings.TrimPrefix(date, "-"), "-")
	year, _ := new(big.Int).SetString(parts[0], 10)
	if negative {
		year.Neg(year)
	}
	month, _ := strconv.Atoi(parts[1])
	day, _ := strconv.Atoi(parts[2])
	// Days since the beginning of the 400 years that the year is in.
	cycle, inCycle := new(big.Int).DivMod(year, big.NewInt(400), new(big.Int))
	days := new(big.Int).Mul(cycle, big.NewInt(146097))
	isLeap := func(y int64) bool { return y%4 == 0 && (y%100 != 0 || y == 0) }
	for y := range inCycle.Int64() {
		days.Add(days, big.NewInt(365))
		if isLeap(y) {
			days.Add(days, big.NewInt(1))
		}
	}
	for m, n := range []int64{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31} {
		if m+1 < month {
			days.Add(days, big.NewInt(n))
			if m == 1 && isLeap(inCycle.Int64()) {
				days.Add(days, big.NewInt(1))
			}
		}
	}
	days.Add(days, big.NewInt(int64(day)))
	seconds.Add(seconds, new(big.Rat).SetInt(days.Mul(days, big.NewInt(86400))))
	return seconds.String() + " " + offset
}

var part = regexp.MustCompile(`(\d+\.?\d*|\.\d+)([YMDHS])`)

func duration(lexical string) string {
	months, seconds := new(big.Rat), new(big.Rat)
	date, clock, _ := strings.Cut(lexical, "T")
	for i, text := range []string{date, clock} {
		for _, p := range part.FindAllStringSubmatch(text, -1) {
			n, _ := new(big.Rat).SetString("0" + p[1])
			sum, factor := seconds, map[string]int64{"Y": 12, "M": 1, "D": 86400, "H": 3600, "S": 1}[p[2]]
			switch {
			case i == 0 && p[2] != "D":
				sum = months
			case p[2] == "M":
				factor = 60
			}
			sum.Add(sum, n.Mul(n, big.NewRat(factor, 1)))
		}
	}
	if strings.HasPrefix(lexical, "-") {
		months.Neg(months)
		seconds.Neg(seconds)
	}
	return months.String() + " " + seconds.String()
}
