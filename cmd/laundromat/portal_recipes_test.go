package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// portalRecipes are the recipes of the portal: one whose pages lead to others, one that makes statements of records,
// and one that says how documents are read.
var portalRecipes = map[string]string{
	"calendar": `name: calendar
match: {uri: "*/calendar/1.html"}
products: [records]
spec:
  version: "2"
  select: [.event, {id: {attr: [h2, data-id]}, title: h2, place: .place, seats: .seats}]
  schema:
    fields: [{name: id, type: integer}, {name: title, type: string, constraints: {required: true}}, {name: place}, {name: seats, type: integer}]
    primaryKey: id
pages: {detail: a.more, next: a.next}
`,
	"rows": `name: rows
match: {uri: ["*/rows.csv", "*/empty.html"]}
spec:
  rdf:
    context: {name: "http://schema.org/name", value: {"@id": "http://e.example/value", "@type": "http://www.w3.org/2001/XMLSchema#decimal"}}
    id: "http://e.example/row/{id}"
`,
	"measures": `name: measures
match: {uri: "*/measures.dat"}
read: {format: CSV, encoding: windows-1252}
products: [records]
`,
}

// wrongRecipe is no recipe.
const wrongRecipe = "name: wrong\nmatch: {uri: \"*\"}\npages: {next: .next, depth: two}\n"

// portalRecipeFiles writes the recipes of the portal into files.
func portalRecipeFiles(t *testing.T) map[string]string {
	t.Helper()
	folder, paths := t.TempDir(), map[string]string{}
	for name, text := range portalRecipes {
		paths[name] = filepath.Join(folder, name+".yaml")
		if err := os.WriteFile(paths[name], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// The events of the calendar: on each of its pages some, each with a page of its own. The second version has one more.
const (
	calendarPages = 3
	pageEvents    = 4
)

// calendarFiles are the pages of a calendar of events in two levels. In the second version titles and details have
// changed, an event is new, the page of one is gone, that of another came, and the last page of the list is one to log
// in.
func calendarFiles(version int) map[string]portalFile {
	all := map[string]portalFile{}
	html := func(name, body string) {
		all["calendar/"+name] = portalFile{"text/html; charset=utf-8", "<!DOCTYPE html><title>Calendar</title>" + body}
	}
	for page := 1; page <= calendarPages; page++ {
		var list strings.Builder
		last := page * pageEvents
		event := func(n int) {
			title := fmt.Sprint("Event ", n)
			if n == 2 && version > 0 {
				title += ", moved"
			}
			more := fmt.Sprintf(`<a class=more href="event-%d.html#top">more</a>`, n)
			if n == 3 {
				more = "" // it has no page
			}
			fmt.Fprintf(&list, `<div class=event><h2 data-id=%d>%s</h2>%s</div>`, n, title, more)
		}
		for n := last - pageEvents + 1; n <= last; n++ {
			event(n)
		}
		if page == 2 && version > 0 {
			event(calendarPages*pageEvents + 1)
		}
		html(fmt.Sprintf("%d.html", page), fmt.Sprintf(`%s<a class=next href="%d.html">next</a>`, list.String(), page%calendarPages+1))
	}
	for n := 1; n <= calendarPages*pageEvents+version; n++ {
		seats := 10 * n
		if n%4 == 1 {
			seats += version
		}
		html(fmt.Sprintf("event-%d.html", n),
			fmt.Sprintf(`<h2>Event %d, in full</h2><p class=place>Hall %d<p class=seats>%d`, n, n%3, seats))
	}
	if version == 0 {
		delete(all, "calendar/event-8.html")
	} else {
		delete(all, "calendar/event-6.html")
		all[fmt.Sprintf("calendar/%d.html", calendarPages)] = portalFile{"text/html", loginPage}
	}
	return all
}

// recipesAreRefusedAndMake holds what the recipes made in an undisturbed run.
func recipesAreRefusedAndMake(t *testing.T, p *portal, data string) {
	t.Helper()
	wrong := filepath.Join(t.TempDir(), "wrong.yaml")
	if err := os.WriteFile(wrong, []byte(wrongRecipe), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := process(t, t.TempDir(), "recipe", "add", wrong, "--data", data).CombinedOutput()
	if code := exitCodeOf(t, err); code != exitUsage || !strings.Contains(string(said), "wrong.yaml:3:") {
		t.Errorf("a wrong recipe: exit %d: %s", code, said)
	}
	events := output(t, "get", "--recipe", "calendar", "--data", data)
	if n := strings.Count(events, "\n"); n != calendarPages*pageEvents || !strings.Contains(events, `{"id":3,"title":"Event 3"}`) ||
		!strings.Contains(events, `{"id":5,"title":"Event 5","place":"Hall 2","seats":50}`) {
		t.Errorf("%d events:\n%s", n, events)
	}
	measures := output(t, "get", "--recipe", "measures", "--data", data)
	if !strings.Contains(measures, `"Zürich"`) {
		t.Errorf("measures:\n%s", measures)
	}
	rows := output(t, "get", p.URL+"/rows.csv", "--data", data)
	if n := strings.Count(rows, "\n"); n != 800 || !strings.Contains(rows, `<http://e.example/row/7> <http://schema.org/name> "Name 7" .`) {
		t.Errorf("%d statements of rows", n)
	}
}

// joinedAre the rows of the view of the calendar as get --recipe has them.
func joinedAre(t *testing.T, into, data string) {
	t.Helper()
	view := askTable(t, into, nil, `SELECT id, title, place, seats FROM calendar_joined ORDER BY id`)
	if len(view) != calendarPages*pageEvents || view[4] != "5|Event 5|Hall 2|50" || view[2] != "3|Event 3||" {
		t.Errorf("the view has\n%s", strings.Join(view, "\n"))
	}
	got := strings.Split(strings.TrimSpace(output(t, "get", "--recipe", "calendar", "--as", "csv", "--data", data)), "\r\n")
	want := []string{"id,title,place,seats"}
	for _, row := range view {
		want = append(want, strings.ReplaceAll(row, "|", ","))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("get --recipe has\n%q\nand the view\n%q", got, want)
	}
}
