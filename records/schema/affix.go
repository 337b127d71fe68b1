package schema

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// currencies are the codes of ISO 4217 that are in use.
const currencies = " AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY " +
	"COP CRC CUP CVE CZK " +
	"DEM DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP FRF GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK ITL JMD " +
	"JOD JPY KES KGS " +
	"KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD " +
	"OMR PAB PEN PGK " +
	"PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH " +
	"UGX USD UYU UZS " +
	"VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW "

// currencyWords are other names of currencies, in small letters, with the code or sign of each.
var currencyWords = map[string]string{"€": "EUR", "euro": "EUR", "euros": "EUR", "eur": "EUR", "eur.": "EUR", "£": "GBP", "us$": "USD",
	"$us": "USD", "usd": "USD",
	"kr": "kr", "kr.": "kr", "kč": "CZK", "zł": "PLN", "zl": "PLN", "ft": "HUF", "lei": "RON", "fr.": "CHF", "sfr.": "CHF", "chf": "CHF",
	"лв": "BGN", "лв.": "BGN",
	"руб": "RUB", "руб.": "RUB", "р.": "RUB", "₽": "RUB", "¥": "¥", "円": "JPY", "元": "CNY", "원": "KRW", "₩": "KRW", "₹": "INR",
	"rs.": "INR", "rs": "INR",
	"r$": "BRL", "a$": "AUD", "c$": "CAD", "hk$": "HKD", "nt$": "TWD", "s$": "SGD", "nz$": "NZD", "грн": "UAH", "грн.": "UAH", "₴": "UAH",
	"₺": "TRY", "tl": "TRY"}

// affixKind is what a text beside a number says of it: percent, or a currency; empty if it is neither. Names of one
// currency have one kind.
func affixKind(s string) string {
	switch s {
	case "%", "٪", "％", "﹪":
		return "%"
	case "‰":
		return "‰"
	}
	if len(s) == 3 && strings.Contains(currencies, " "+s+" ") {
		return s
	}
	if kind := currencyWords[strings.ToLower(s)]; kind != "" {
		return kind
	}
	if r, size := utf8.DecodeRuneInString(s); size == len(s) && unicode.Is(unicode.Sc, r) {
		return s
	}
	return ""
}
