package web_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/web"
)

func TestAHostSaysWhetherItMayBeAsked(t *testing.T) {
	soon, before := time.Now().Add(time.Hour).UTC().Truncate(time.Second), time.Now().Add(-time.Hour)
	later := soon.Add(time.Hour)
	robots := func(all ...web.HostRobots) *web.HostAsking { return &web.HostAsking{Pause: 1, Robots: all} }
	for _, c := range []struct {
		name   string
		asking *web.HostAsking
		change func(*seedlist.HostSettings)
		want   web.HostStanding
		until  time.Time
	}{
		{"where nobody asks", nil, nil, web.HostFree, time.Time{}},
		{"never asked", robots(), nil, web.HostFree, time.Time{}},
		{"with rules", robots(web.HostRobots{Until: soon, Status: 200, Total: 1}), nil, web.HostFree, time.Time{}},
		{"asked for its robots.txt", robots(web.HostRobots{Until: soon}, web.HostRobots{IsBeingAsked: true}), nil,
			web.HostAwaited, time.Time{}},
		{"whose robots.txt can't be had", robots(web.HostRobots{Until: soon, Error: "503"}), nil, web.HostClosed, soon},
		{"of two schemes", robots(web.HostRobots{Until: later, Error: "503"}, web.HostRobots{Until: soon, Status: 200}), nil,
			web.HostClosed, later},
		{"whose robots.txt could not be had once", robots(web.HostRobots{Until: before, Error: "503"}), nil, web.HostFree, time.Time{}},
		{"paused", robots(web.HostRobots{IsBeingAsked: true}), func(s *seedlist.HostSettings) { s.Paused = true },
			web.HostPaused, time.Time{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t, false, func(h *house, o *web.Options) {
				o.Daemon.Asking = func(context.Context, string) (*web.HostAsking, *seedlist.Exchange, error) {
					return c.asking, &seedlist.Exchange{URI: "http://h.example/x", Status: 404}, nil
				}
				if c.change != nil {
					if _, err := h.seeds.SetHost(t.Context(), "h.example", c.change); err != nil {
						t.Fatal(err)
					}
				}
			})
			reply, body := h.ask(http.MethodGet, "/api/v1/hosts/h.example", "")
			var now web.HostNow
			if err := json.Unmarshal([]byte(body), &now); err != nil || reply.StatusCode != http.StatusOK {
				t.Fatalf("%d %s (%v)", reply.StatusCode, body, err)
			}
			if now.Standing != c.want || !now.Until.Equal(c.until) {
				t.Errorf("it is %s until %v, not %s until %v", now.Standing, now.Until, c.want, c.until)
			}
			if now.Last == nil || now.Last.Status != 404 || (now.Asking == nil) != (c.asking == nil) {
				t.Errorf("it says %s", body)
			}
		})
	}
}
