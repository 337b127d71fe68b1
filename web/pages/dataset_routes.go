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
		{pattern: "GET /seeds/{hash}/text", takes: []string{"line", "column", "offset"}, fill: (*site).textAt},
		{pattern: "POST /seeds/{hash}/again", fill: (*site).washAgain},
		{pattern: "GET /seeds/{hash}/records", takes: []string{"table", "from", "column"}, fill: (*site).recordsPage},
		{pattern: "GET /seeds/{hash}/changes", takes: []string{"product", "version", "from", "key"}, fill: (*site).changesPage},
		{pattern: "GET /seeds/{hash}/cell", takes: []string{"row", "field"}, fill: (*site).cellAt},
		{pattern: "GET /seeds/{hash}/articles", takes: []string{"from"}, fill: (*site).articlesPage},
		{pattern: "GET /seeds/{hash}/article", takes: []string{"number"}, fill: (*site).articlePage},
		{pattern: "GET /seeds/{hash}/statistics", fill: (*site).statisticsPage},
		{pattern: "GET /seeds/{hash}/rows", takes: []string{"from", "subject"}, fill: (*site).rowsPage},
	}
}

// serviceRoutes are the pages of what is beside the seeds, in the order of the navigation.
func serviceRoutes() []route {
	filters := append([]string{"do", "from", "priority"}, actionFilters...)
	return []route{
		{pattern: "GET /basket", nav: "Basket", takes: []string{"uris", "seeds", "refused", "new", "known", "refusals", "source", "file"},
			fill: (*site).basketPage},
		{pattern: "GET /basket/preview", takes: []string{"uris"}, fill: (*site).basketPreview},
		{pattern: "POST /basket", fill: (*site).addToBasket},
		{pattern: "GET /hosts", nav: "Hosts", takes: []string{"host"}, fill: (*site).hosts},
		{pattern: "GET /hosts/{host}", fill: (*site).host},
		{pattern: "POST /hosts/{host}", fill: (*site).setHost},
		{pattern: "GET /catalogs", nav: "Catalogs", takes: []string{"cursor"}, fill: (*site).catalogs},
		{pattern: "GET /catalogs/{hash}", fill: (*site).catalog},
		{pattern: "POST /catalogs", fill: (*site).addCatalog},
		{pattern: "POST /catalogs/{hash}/harvest", fill: (*site).harvest},
		{pattern: "POST /catalogs/{hash}/remove", fill: (*site).removeCatalog},
		{pattern: "GET /actions", nav: "Actions", takes: []string{"cursor"}, fill: (*site).actions},
		{pattern: "GET /actions/new", takes: filters, fill: (*site).proposed},
		{pattern: "GET /actions/{id}", fill: (*site).action},
		{pattern: "POST /actions", fill: (*site).askAction},
		{pattern: "POST /actions/{id}/stop", fill: (*site).stopAction},
		{pattern: "GET /recipes/{name}/merges", takes: []string{"after", "source", "id"}, fill: (*site).merges},
		{pattern: "POST /recipes/{name}/merges", fill: (*site).judgeMerges},
		{pattern: "GET /about", nav: "About", fill: (*site).about},
		{pattern: "GET /signin", takes: []string{"next"}, fill: (*site).signIn},
	}
}

// datasetFunctions are what their templates may call beside the others.
var datasetFunctions = template.FuncMap{
	"took":       took,
	"changed":    changedWhy,
	"fieldTable": func(label string, fields []fieldFound) fieldTable { return fieldTable{label, fields} },
	"percent":    func(share *float64) string { return decimalOf(100*(*share), 0) + " %" },
	"blocksOf":   func(a *shownArticle, blocks []shownBlock) articleBlocks { return articleBlocks{a, blocks} },
	"legible":    legible,
	"len64":      func(all []branch) int64 { return int64(len(all)) },
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
