package hosts

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestTheJudgeSeesEachBreach: a log without one, and logs with one each.
func TestTheJudgeSeesEachBreach(t *testing.T) {
	start := time.Now()
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	visit := func(ms int, path string, status int) Visit {
		return Visit{Host: "a", Temper: Plain, Path: path, Begun: at(ms), Ended: at(ms + 10), Status: status, InFlight: 1, Connections: 1,
			Agent: "Me (+mail)"}
	}
	with := func(v Visit, change func(*Visit)) Visit {
		change(&v)
		return v
	}
	robots, document := visit(0, "/robots.txt", 404), visit(200, "/data/1.nt", 200)
	delaying := func(v *Visit) { v.Temper = Delaying }
	walled := func(v *Visit) { v.Temper = Walled }
	cookie := func(v *Visit) { v.Temper, v.Cookie = Walled, true }
	options := Options{}
	options.applyDefaults()
	for _, c := range []struct {
		want string
		log  []Visit
	}{
		{"[]", []Visit{robots, document, visit(400, "/data/2.nt", 200)}},
		{"[]", []Visit{visit(0, "/robots.txt", 503), visit(1100, "/robots.txt", 404), visit(1300, "/data/1.nt", 200)}},
		{"[]", []Visit{robots, with(visit(200, "/data/1.nt", 503), func(v *Visit) { v.Rest = time.Second }),
			visit(1300, "/data/1.nt", 200)}},
		{"[]", []Visit{with(robots, delaying), with(document, delaying), with(visit(1300, "/data/2.nt", 200), delaying)}},
		{RuleOne, []Visit{robots, with(document, func(v *Visit) { v.InFlight = 2 })}},
		{RuleOneOpen, []Visit{robots, with(document, func(v *Visit) { v.Connections = 2 })}},
		{RulePause, []Visit{robots, visit(50, "/data/1.nt", 200)}},
		{RulePause, []Visit{with(robots, delaying), with(document, delaying), with(visit(400, "/data/2.nt", 200), delaying)}},
		{RuleFirst + RuleUnruled, []Visit{document}},
		{RuleOnce, []Visit{robots, visit(3_600_000, "/robots.txt", 404)}},
		{RuleOnce, []Visit{visit(0, "/robots.txt", 503), visit(500, "/robots.txt", 404)}},
		{RuleDisallow, []Visit{with(robots, func(v *Visit) { v.Temper = Closed }),
			with(visit(200, "/private/1.nt", 200), func(v *Visit) { v.Temper = Closed })}},
		{RuleUnruled, []Visit{visit(0, "/robots.txt", 503), document}},
		{RuleRest, []Visit{robots, with(visit(200, "/data/1.nt", 429), func(v *Visit) { v.Rest = time.Second }),
			visit(900, "/data/1.nt", 200)}},
		{RuleForGood, []Visit{robots, visit(200, "/data/1.nt", 403), visit(400, "/data/1.nt", 403)}},
		{"[]", []Visit{robots, with(visit(200, "/data/1.nt", 202), func(v *Visit) { v.Rest = time.Second }), visit(400, "/data/2.nt", 200),
			visit(1300, "/data/1.nt", 200)}},
		{RuleRest, []Visit{robots, with(visit(200, "/data/1.nt", 202), func(v *Visit) { v.Rest = time.Second }),
			visit(900, "/data/1.nt", 200)}},
		{"[]", []Visit{robots, with(visit(200, "/data/1.nt", 302), walled), with(visit(400, "/data/1.nt", 200), cookie)}},
		{RuleCookie, []Visit{robots, with(visit(200, "/data/1.nt", 302), walled), with(visit(400, "/data/2.nt", 302), cookie)}},
		{RuleDisallow, []Visit{robots, with(visit(200, "/gr%C3%B6%C3%9Fe/1.nt", 200), func(v *Visit) { v.Temper = Encoded })}},
		{"[]", []Visit{robots, with(document, func(v *Visit) { v.Cut = true }), visit(400, "/data/1.nt", 200)}},
		{RuleForGood, []Visit{robots, document, visit(400, "/data/1.nt", 200)}},
		{RuleEnd, []Visit{robots, visit(200, "/endless/api/1", 200), visit(400, "/endless/api/2", 200), visit(600, "/endless/api/3", 200),
			visit(800, "/endless/api/4", 200), visit(1000, "/endless/api/5", 200), visit(1200, "/endless/api/6", 200)}},
		{RuleAgent, []Visit{robots, with(document, func(v *Visit) { v.Agent = "curl" })}},
	} {
		got := ""
		for _, b := range judge(c.log, options, Manners{Delay: 100 * time.Millisecond, RobotsRetry: time.Second, Agent: "+mail"}).Breaches {
			got += b.Rule
		}
		if got == "" {
			got = "[]"
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", fmt.Sprintf("%+v", c.log), got, c.want)
		}
	}
}

// TestManyVisitorsShareAHost: each reads robots.txt, and all of them keep its pauses.
func TestManyVisitorsShareAHost(t *testing.T) {
	start := time.Now()
	visit := func(ms int, who, path string) Visit {
		begun := start.Add(time.Duration(ms) * time.Millisecond)
		return Visit{Host: "a", Temper: Plain, Path: path, Begun: begun, Ended: begun.Add(10 * time.Millisecond), Status: 200, InFlight: 1,
			Connections: 1, Agent: who}
	}
	options := Options{}
	options.applyDefaults()
	for _, c := range []struct {
		want  string
		again int
		log   []Visit
	}{
		{"[]", 0, []Visit{visit(0, "a", "/robots.txt"), visit(200, "a", "/data/1.nt"), visit(400, "b", "/robots.txt"),
			visit(600, "b", "/data/2.nt")}},
		{"[]", 1, []Visit{visit(0, "a", "/robots.txt"), visit(200, "a", "/data/1.nt"), visit(400, "b", "/robots.txt"),
			visit(600, "b", "/data/1.nt")}},
		{"[{" + RuleFirst, 0, []Visit{visit(0, "a", "/robots.txt"), visit(200, "b", "/data/1.nt"), visit(400, "b", "/robots.txt")}},
		{"[{" + RulePause, 0, []Visit{visit(0, "a", "/robots.txt"), visit(50, "b", "/robots.txt")}},
		{"[{" + RuleOnce, 0, []Visit{visit(0, "a", "/robots.txt"), visit(200, "b", "/robots.txt"), visit(400, "a", "/robots.txt")}},
	} {
		verdict := judge(c.log, options, Manners{Delay: 100 * time.Millisecond, RobotsRetry: time.Second, AreMany: true})
		if got := fmt.Sprint(verdict.Breaches); !strings.HasPrefix(got, c.want) || verdict.Again != c.again {
			t.Errorf("%+v: %s, %d again", c.log, got, verdict.Again)
		}
	}
}
