package pages

import (
	"cmp"
	"context"
	"encoding/csv"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"laundromat/internal/fault"
	"laundromat/seedlist/views"
	"laundromat/web"
)

// troubles is what is wrong, by code, format and host. It is of errors, with which seeds failed or wait for
// another try, or of notices, which documents that were washed have.
type troubles struct {
	Kind  string // "error" or "notice"
	Kinds []kindLink
	CSV   string

	// All codes, where none is chosen.
	Formats []string // the columns
	Rows    []codeRow
	Codes   int

	// One code.
	Code    string
	Info    fault.Info
	Chips   []chip
	Seeds   int64
	List    string // the address of the list of the seeds
	Cells   []cell
	Looked  bool // only the first rows were counted
	Left    int  // cells that are not shown
	Samples web.SeedPage
	As      ways
}

// kindLink is one of the two kinds.
type kindLink struct {
	Label, Path string
	IsHere      bool
}

// codeRow is a code with its counts by format.
type codeRow struct {
	Code, Title string
	Path        string // to its samples
	All         linked
	Cells       []linked // in the order of the columns; without a path where there is none
}

// cell is how many seeds have a code, a format and a host.
type cell struct {
	Format, Host string
	N            int64
	Path         string // to these seeds
	Narrow       string // the address of this page for them alone
}

const (
	formatsShown = 12
	troublesMost = 1000 // codes
	cellsShown   = 50
	samplesShown = 10
)

// errorTakes are the parameters of the page.
var errorTakes = []string{"kind", "code", "format", "host"}

// troubleQuery reads the address of the page: which seeds are meant, and by which facet.
func troubleQuery(query url.Values) (kind views.Facet, q web.ListQuery, err error) {
	kind = views.Error
	switch name := query.Get("kind"); name {
	case "", "error":
	case "notice":
		kind = views.Notice
	default:
		return kind, q, web.Invalid("kind is error or notice, not " + name)
	}
	q.Format, q.Host = query.Get("format"), strings.ToLower(query.Get("host"))
	if kind == views.Notice {
		q.Notice = query.Get("code")
	} else {
		q.Error = query.Get("code")
	}
	return kind, q, nil
}

func (s *site) errors(r *http.Request) (page, error) {
	query := r.URL.Query()
	kind, q, err := troubleQuery(query)
	if err != nil {
		return page{}, err
	}
	t := troubles{
		Kind: kind.String(), Code: query.Get("code"),
		Kinds: []kindLink{
			{"why seeds failed or are tried again", "/errors", kind == views.Error},
			{"what was noticed in documents", "/errors?kind=notice", kind == views.Notice},
		},
		CSV: address("/errors.csv", "kind", kind.String(), "code", query.Get("code"), "format", q.Format, "host", q.Host),
	}
	for _, name := range errorTakes[1:] {
		if value := query.Get(name); value != "" {
			t.Chips = append(t.Chips, chipOf(r.Context(), s, name, value, changedAt("/errors", query, name, "")))
		}
	}
	if t.Code == "" {
		err = s.fillCodes(r.Context(), &t, kind, q)
	} else {
		err = s.fillCode(r, &t, q, query)
	}
	if err != nil {
		return page{}, err
	}
	return page{title: "Errors", template: "errors.html", data: t, listens: true}, nil
}

// changedAt is the address of a page in which one parameter is another.
func changedAt(path string, query url.Values, name, value string) string {
	other := url.Values{}
	for known, values := range query {
		if known != name && values[0] != "" {
			other[known] = values[:1]
		}
	}
	if value != "" {
		other.Set(name, value)
	}
	if len(other) == 0 {
		return path
	}
	return path + "?" + other.Encode()
}

// fillCodes makes the table of all codes by format, perhaps of one host or format alone.
func (s *site) fillCodes(ctx context.Context, t *troubles, kind views.Facet, q web.ListQuery) error {
	all, err := s.read.Among(ctx, q, []views.Facet{kind}, troublesMost)
	if err != nil {
		return err
	}
	t.Codes = all.Facets[kind].Total
	t.Looked = all.Facets[kind].IsPartial
	cells := map[[2]string]int64{}
	sums := map[string]int64{}
	if q.Host == "" && q.Format == "" { // with one of these, a row is a number
		pairs, err := s.read.Counts(ctx, kind.String()+",format", 10_000)
		if err != nil {
			return err
		}
		for _, c := range pairs.Counts {
			cells[[2]string(c.Values)] = c.Seeds
			sums[c.Values[1]] += c.Seeds
		}
	}
	for format := range sums {
		t.Formats = append(t.Formats, format)
	}
	slices.SortFunc(t.Formats, func(a, b string) int { return cmp.Or(cmp.Compare(sums[b], sums[a]), cmp.Compare(a, b)) })
	t.Formats = t.Formats[:min(len(t.Formats), formatsShown)]
	for _, c := range all.Facets[kind].Counts {
		code := c.Values[0]
		info, _ := fault.Explain(fault.Code(code))
		row := codeRow{
			Code: code, Title: info.Title,
			Path: address("/errors", "kind", otherKind(kind), "code", code, "format", q.Format, "host", q.Host),
			All:  linked{address("/seeds", kind.String(), code, "format", q.Format, "host", q.Host), c.Seeds},
		}
		for _, format := range t.Formats {
			one := linked{N: cells[[2]string{code, format}]}
			if one.N > 0 {
				one.Path = address("/seeds", kind.String(), code, "format", format)
			}
			row.Cells = append(row.Cells, one)
		}
		t.Rows = append(t.Rows, row)
	}
	return nil
}

// otherKind is the kind as addresses have it: that of errors is left out.
func otherKind(kind views.Facet) string {
	if kind == views.Notice {
		return "notice"
	}
	return ""
}

// fillCode tells of one code: what it means, where it is, and some seeds that have it.
func (s *site) fillCode(r *http.Request, t *troubles, q web.ListQuery, query url.Values) (err error) {
	ctx := r.Context()
	q.Limit = samplesShown
	if t.Samples, err = s.read.List(ctx, q); err != nil {
		return err // also where there is no such code
	}
	t.Info, _ = fault.Explain(fault.Code(t.Code))
	among, err := s.read.Among(ctx, q, []views.Facet{views.Host}, hostsShown)
	if err != nil {
		return err
	}
	t.Seeds = among.Seeds
	t.List = address("/seeds", t.Kind, t.Code, "format", q.Format, "host", q.Host)
	tallied, err := s.read.Tally(ctx, q, [2]views.Facet{views.Format, views.Host})
	if err != nil {
		return err
	}
	t.Looked = tallied.Next != ""
	for _, c := range cellsOf(tallied.Counts) {
		if len(t.Cells) == cellsShown {
			t.Left++
			continue
		}
		c.Path = address("/seeds", t.Kind, t.Code, "format", c.Format, "host", c.Host)
		c.Narrow = changedAt("/errors", query, "host", c.Host)
		t.Cells = append(t.Cells, c)
	}
	q.Limit = 0
	t.As = waysOf(r, q)
	return nil
}

// cellsOf are counts by format and host, the largest first.
func cellsOf(counts map[[2]string]int64) (cells []cell) {
	for values, n := range counts {
		cells = append(cells, cell{Format: values[0], Host: values[1], N: n})
	}
	slices.SortFunc(cells, func(a, b cell) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Format, b.Format), cmp.Compare(a.Host, b.Host))
	})
	return cells
}

// errorsCSV gives the whole table of codes, formats and hosts: each seed that has a code is counted. It
// reads on and on in stretches, as long as somebody takes it.
func (s *site) errorsCSV(w http.ResponseWriter, r *http.Request) {
	if err := web.Unknown(r.URL.Query(), errorTakes); err != nil {
		s.refuse(w, r, err)
		return
	}
	kind, q, err := troubleQuery(r.URL.Query())
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	codes := []string{r.URL.Query().Get("code")}
	if codes[0] == "" {
		all, err := s.read.Among(r.Context(), web.ListQuery{}, []views.Facet{kind}, troublesMost)
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		codes = nil
		for _, c := range all.Facets[kind].Counts {
			codes = append(codes, c.Values[0])
		}
	}
	var begun bool
	table := csv.NewWriter(w)
	for _, code := range codes {
		counts, err := s.tallyAll(r.Context(), kind, code, q)
		switch {
		case err != nil && begun:
			panic(http.ErrAbortHandler) // nobody must take what came for all
		case err != nil:
			s.refuse(w, r, err)
			return
		case !begun:
			w.Header().Set("Content-Type", "text/csv; charset=utf-8")
			w.Header().Set("Content-Disposition", `attachment; filename="`+kind.String()+`s.csv"`)
			w.Header().Set("X-Content-Type-Options", "nosniff")
			table.Write([]string{"code", "format", "host", "seeds"})
			begun = true
		}
		for _, c := range cellsOf(counts) {
			table.Write([]string{code, cellText(c.Format), cellText(c.Host), strconv.FormatInt(c.N, 10)})
		}
		if table.Flush(); table.Error() != nil {
			return
		}
	}
	if !begun {
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		table.Write([]string{"code", "format", "host", "seeds"})
		table.Flush()
	}
}

// cellText keeps a text of others from being a formula, where a table is opened by a program that has some.
func cellText(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// tallyAll counts a code by format and host, over the whole list.
func (s *site) tallyAll(ctx context.Context, kind views.Facet, code string, q web.ListQuery) (map[[2]string]int64, error) {
	if kind == views.Notice {
		q.Notice = code
	} else {
		q.Error = code
	}
	all := map[[2]string]int64{}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tallied, err := s.read.Tally(ctx, q, [2]views.Facet{views.Format, views.Host})
		if err != nil {
			return nil, err
		}
		for values, n := range tallied.Counts {
			all[values] += n
		}
		if q.Cursor = tallied.Next; q.Cursor == "" {
			return all, nil
		}
	}
}
