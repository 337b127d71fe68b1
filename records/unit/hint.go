package unit

import "strings"

// customary are other ways in which people write units in English, with the code of UCUM. Those that are doubtful
// have several meanings; a message names the code, and they are not converted.
var customary = map[string]string{
	"mile": "[mi_i]", "miles": "[mi_i]", "mi": "[mi_i]", "foot": "[ft_i]", "feet": "[ft_i]", "ft": "[ft_i]",
	"inch": "[in_i]", "inches": "[in_i]", "in": "[in_i]", "yd": "[yd_i]", "yard": "[yd_i]", "yards": "[yd_i]",
	"lb": "[lb_av]", "lbs": "[lb_av]", "pound": "[lb_av]", "pounds": "[lb_av]", "oz": "[oz_av]", "ounce": "[oz_av]",
	"acre": "[acr_us]", "acres": "[acr_us]", "ha": "har", "hectare": "har", "gal": "[gal_us]", "gallon": "[gal_us]",
	"mph": "[mi_i]/h", "kmh": "km/h", "kph": "km/h", "knot": "[kn_i]", "knots": "[kn_i]", "kn": "[kn_i]",
	"kt":  "[kn_i]",
	"nmi": "[nmi_i]", "psi": "[psi]", "hp": "[HP]", "mmHg": "mm[Hg]", "inHg": "[in_i'Hg]", "ppm": "[ppm]",
	"ppb": "[ppb]",
	"°C":  "Cel", "℃": "Cel", "°F": "[degF]", "℉": "[degF]", "°": "deg", "degC": "Cel", "degF": "[degF]", "Å": "Ao",
	"sec": "s", "second": "s", "seconds": "s", "secs": "s", "hr": "h", "hrs": "h", "hour": "h", "hours": "h",
	"minute": "min", "minutes": "min", "mins": "min", "day": "d", "days": "d", "week": "wk", "weeks": "wk",
	"month": "mo", "months": "mo", "year": "a", "years": "a", "yr": "a", "yrs": "a", "y": "a",
	"meter": "m", "metre": "m", "meters": "m", "metres": "m", "km²": "km2", "m²": "m2", "m³": "m3", "cm²": "cm2",
	"kilometer": "km", "kilometre": "km", "kilometers": "km", "kilometres": "km", "KM": "km", "Km": "km", "kms": "km",
	"gram": "g", "grams": "g", "gr": "g", "kilogram": "kg", "kilograms": "kg", "kgs": "kg", "KG": "kg", "Kg": "kg",
	"tonne": "t", "tonnes": "t", "ton": "t", "litre": "L", "liter": "L", "litres": "L", "liters": "L", "ltr": "L",
	"cc": "cm3", "µm": "um", "μm": "um", "µg": "ug", "μg": "ug", "µL": "uL", "ohm": "Ohm", "Ω": "Ohm", "IU": "[iU]",
	"kWh": "kW.h", "Wh": "W.h", "kcals": "kcal", "Kcal": "kcal", "calories": "cal", "hz": "Hz", "kbar": "kbar",
	"percent": "%", "‰": "[ppth]", "ly": "[ly]", "KB": "kBy", "kB": "kBy", "MB": "MBy", "GB": "GBy", "byte": "By",
	"bytes": "By",
}

// doubtful are names of units of different sizes: of two countries, of two trades, or of no fixed length.
var doubtful = map[string]bool{"gal": true, "gallon": true, "ton": true, "tons": true, "gr": true, "month": true, "months": true,
	"calories": true,
	"hp":       true, "kb": true, "mb": true, "gb": true}

// Everyday is the code of a unit that is written by its name or sign in English: miles, sq ft, °F, lbs/ft². It is
// empty where there is none, or the name has several meanings.
func Everyday(name string) string {
	if parts := strings.Split(name, "/"); len(parts) > 1 {
		for i, part := range parts {
			part = strings.TrimSpace(part)
			if parts[i] = Everyday(part); parts[i] == "" {
				if _, err := Parse(part); err != nil {
					return ""
				}
				parts[i] = part
			}
		}
		return strings.Join(parts, "/")
	}
	for _, power := range [...]struct{ before, behind, exponent string }{
		{"sq ", "²", "2"}, {"sq. ", "^2", "2"}, {"square ", "", "2"}, {"cu ", "³", "3"}, {"cu. ", "^3", "3"}, {"cubic ", "", "3"},
	} {
		of, found := strings.CutPrefix(strings.ToLower(name), power.before)
		if !found && power.behind != "" {
			of, found = strings.CutSuffix(name, power.behind)
		}
		if !found {
			continue
		}
		code := Everyday(of)
		if _, err := Parse(of); code == "" && err == nil {
			code = of
		}
		if code == "" {
			return ""
		}
		return code + power.exponent
	}
	lower := strings.ToLower(name)
	if doubtful[lower] {
		return ""
	}
	if code := customary[name]; code != "" {
		return code
	}
	return customary[lower]
}

// Meant is the code that people may mean by what they wrote; empty where none is known.
func Meant(code string) string { return (&parser{atoms: table()}).meant(code) }

func (p *parser) meant(code string) string {
	if to, known := customary[code]; known {
		return to
	}
	if to, known := customary[strings.ToLower(code)]; known {
		return to
	}
	plain := signs.Replace(code)
	if plain == code {
		return ""
	}
	if _, err := (&parser{atoms: p.atoms}).parse(plain); err != nil {
		return ""
	}
	return plain
}

// signs are characters that UCUM writes in ASCII.
var signs = strings.NewReplacer("µ", "u", "μ", "u", "²", "2", "³", "3", "⁻", "-", "¹", "1", "·", ".", "×", ".", " "+
	"", "", "\u00a0", "",
	"^", "", "Ω", "Ohm", "Ω", "Ohm", "℃", "Cel", "°C", "Cel", "°F", "[degF]", "Å", "Ao")

// hint is the end of a message: the code that may be meant.
func (p *parser) hint(code string) string {
	if to := p.meant(code); to != "" {
		return "; it may mean " + to
	}
	return ""
}
