package pages

import (
	"net/http"
	"strconv"
	"strings"

	"laundromat/seedlist"
	"laundromat/seedlist/views"
	"laundromat/web"
)

const (
	hostsWaiting = 50 // hosts that seeds wait for
	hostsCounted = 50 // hosts by the number of their seeds

	statusesShown = 20 // of a host
)

// hostList is what is known of hosts: which are waited for, which have settings, which have most seeds.
type hostList struct {
	Waits    seedlist.Waits
	Settings []seedlist.HostUse
	Largest  []views.Count
	Total    int
	Typed    string
	Wrong    string // why what was typed is no host; "" where it is one
}

func (s *site) hosts(r *http.Request) (page, error) {
	ctx := r.Context()
	wrong := ""
	if typed := strings.TrimSpace(r.URL.Query().Get("host")); typed != "" {
		host, err := seedlist.HostOf(typed)
		if err == nil {
			return page{location: "/hosts/" + host}, nil
		}
		wrong = "this is no host: " + err.Error()
	}
	waits, err := s.read.Waits(ctx, hostsWaiting)
	if err != nil {
		return page{}, err
	}
	h := hostList{Waits: waits, Typed: r.URL.Query().Get("host"), Wrong: wrong}
	if h.Settings, err = s.read.Hosts(ctx); err != nil {
		return page{}, err
	}
	counted, err := s.read.Counts(ctx, "host", hostsCounted)
	if err != nil {
		return page{}, err
	}
	for _, c := range counted.Counts {
		if len(c.Values) == 1 && c.Values[0] != "" {
			h.Largest = append(h.Largest, c)
		}
	}
	h.Total = counted.Total
	return page{title: "Hosts", template: "hosts.html", data: h, status: statusOf(wrong)}, nil
}

// hostPage is one host as it is now.
type hostPage struct {
	web.HostNow
	MayOperate bool
	// Sums are those of its documents; nil where it has none, or nobody keeps them. Statuses are those of HTTP with
	// which their last downloads ended.
	Sums     *web.PublisherWhole
	Statuses []views.Count
	Form     hostForm
}

// hostForm is the form with the settings of a host, as it was typed.
type hostForm struct {
	Connections, Delay string
	Wrong              string // why it was refused; "" where it was not
}

func (s *site) host(r *http.Request) (page, error) { return hostWith(s, r, hostForm{}) }

// hostWith is the page with a form as it was typed; as the settings are, where nothing was wrong with it.
func hostWith(s *site, r *http.Request, form hostForm) (page, error) {
	now, err := s.read.Host(r.Context(), r.PathValue("host"))
	if err != nil {
		return page{}, err
	}
	p := hostPage{HostNow: now, MayOperate: mayOperate(r), Form: form}
	use := &now.HostUse
	if form.Wrong == "" {
		if use.Connections != 0 {
			p.Form.Connections = strconv.Itoa(use.Connections)
		}
		if use.Delay != nil {
			p.Form.Delay = strconv.FormatFloat(*use.Delay, 'f', -1, 64)
		}
	}
	if sums, err := s.read.Publisher(r.Context(), views.Host.String(), use.Host); err == nil {
		p.Sums = &sums
		among, err := s.read.Among(r.Context(), web.ListQuery{SeedFilter: web.SeedFilter{Host: use.Host}},
			[]views.Facet{views.HTTPStatus}, statusesShown)
		if err != nil {
			return page{}, err
		}
		p.Statuses = among.Facets[views.HTTPStatus].Counts
	}
	return page{title: use.Host, template: "host.html", data: p, status: statusOf(form.Wrong)}, nil
}

// setHost changes the settings of a host. What a form leaves empty is as for all hosts.
func (s *site) setHost(r *http.Request) (page, error) {
	if err := parseForm(r, mostForm); err != nil {
		return page{}, err
	}
	form := r.PostForm
	typed := hostForm{Connections: form.Get("connections"), Delay: form.Get("delay")}
	change := web.HostChange{}
	switch form.Get("paused") {
	case "yes":
		change.Paused = new(true)
	case "no":
		change.Paused = new(false)
	}
	if form.Has("connections") {
		n := 0
		if text := form.Get("connections"); text != "" {
			var err error
			if n, err = strconv.Atoi(text); err != nil {
				typed.Wrong = "connections is a number, not " + strconv.Quote(text)
				return hostWith(s, r, typed)
			}
		}
		change.Connections = &n
	}
	if form.Has("delay") {
		delay := -1.0
		if text := form.Get("delay"); text != "" {
			var err error
			if delay, err = strconv.ParseFloat(text, 64); err != nil || delay < 0 {
				typed.Wrong = "the pause between two downloads is a number of seconds, such as 0.5, not " + strconv.Quote(text)
				return hostWith(s, r, typed)
			}
		}
		change.Delay = &delay
	}
	host := r.PathValue("host")
	err := s.read.SetHost(r.Context(), host, change)
	if typed.Wrong = wrongIn(err); typed.Wrong != "" {
		return hostWith(s, r, typed)
	}
	return page{location: "/hosts/" + host}, err
}
