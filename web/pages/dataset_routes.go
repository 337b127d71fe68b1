package pages

import (
	"html/template"
	"strconv"
	"strings"
	"time"
)

// datasetRoutes are the pages of one seed.
func datasetRoutes() []route {
	return []route{
		{pattern: "GET /seeds/{hash}", fill: (*site).dataset},
		{pattern: "GET /seeds/{hash}/attempts", takes: []string{"before"}, fill: (*site).attemptsPage},
		{pattern: "GET /seeds/{hash}/notices", takes: []string{"code", "from"}, fill: (*site).noticesPage},
		{pattern: "GET /seeds/{hash}/text", takes: []string{"line", "column"}, fill: (*site).textAt},
		{pattern: "GET /seeds/{hash}/rows", takes: []string{"from", "subject"}, fill: (*site).rowsPage},
	}
}

// datasetFunctions are what their templates may call beside the others.
var datasetFunctions = template.FuncMap{
	"took":    took,
	"percent": func(share *float64) string { return decimalOf(100*(*share), 0) + " %" },
	"len64":   func(all []branch) int64 { return int64(len(all)) },
}

// took is a time in seconds, as exact as a person wants it.
func took(d time.Duration) string {
	switch s := d.Seconds(); {
	case s <= 0:
		return "0 s"
	case s < 0.0995:
		return decimalOf(s*1000, 1) + " ms"
	case s < 100:
		return decimalOf(s, 2) + " s"
	default:
		return d.Round(time.Second).String()
	}
}

// decimalOf is a number with so many digits after the point, without zeros at its end.
func decimalOf(n float64, digits int) string {
	text := strconv.FormatFloat(n, 'f', digits, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
