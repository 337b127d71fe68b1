package hosts

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Manners are what a visitor promised.
type Manners struct {
	Delay time.Duration // between two requests to a host
	// RobotsRetry is how soon a robots.txt that could not be had may be asked for again.
	RobotsRetry time.Duration
	Agent       string // what its User-Agent must hold
	// AreMany says that the log is of several visitors who share the turns of each host. Each has a User-Agent of its
	// own, and reads robots.txt itself. One that died, or was cut off, may leave a document to another, which
	// asks for it again.
	AreMany bool
}

// Verdict is what the log says of a visitor.
type Verdict struct {
	Requests    int
	Robots      int
	Pages       int // of the catalog
	Documents   int // replies with a whole document, or a part
	NotModified int
	Refused     int // 4xx, 5xx, reset
	Redirects   int
	Bytes       int64 // of the bodies of documents
	Hosts       int   // that were asked at all
	Visitors    int   // with a User-Agent of their own
	Again       int   // requests of many visitors for what one had got already
	// Breaches are what was asked against a host's rules, by rule, with the first of each.
	Breaches []Breach
	// ShortestPause is the least time between two requests to one host.
	ShortestPause time.Duration
	// Others is when the last document came of the hosts that are neither slow nor delaying. Crowd is
	// when the last of the crowded host came. Both are from the first request of all.
	Others, Crowd time.Duration
	Lasted        time.Duration
}

// Breach is a rule that was broken.
type Breach struct {
	Rule  string
	Times int
	First string
}

// The rules, in the order in which verdicts name them.
const (
	RuleOne       = "one request at a time"
	RuleOneOpen   = "one connection open at a time"
	RulePause     = "the pause between requests, Crawl-delay included"
	RuleFirst     = "robots.txt before anything else"
	RuleOnce      = "robots.txt once in its life"
	RuleDisallow  = "no disallowed path"
	RuleUnruled   = "nothing without a robots.txt that could be had"
	RuleRest      = "Retry-After"
	RuleForGood   = "no second request after 403, or for what came whole"
	RuleCookie    = "no cookie from before the chain of redirects"
	RuleEnd       = "a catalog without an end is left after a few pages"
	RuleAgent     = "a User-Agent that says whom to ask"
	slackOfClocks = 2 * time.Millisecond
)

// Rules are all of them.
var Rules = []string{RuleOne, RuleOneOpen, RulePause, RuleFirst, RuleOnce, RuleDisallow, RuleUnruled, RuleRest, RuleForGood, RuleCookie,
	RuleEnd, RuleAgent}

// fewPages is how many pages of a catalog that names nothing new may be asked for.
const fewPages = 5

// Judge holds the log against the rules.
func (w *Web) Judge(m Manners) Verdict {
	return judge(w.Log(), w.options, m)
}

func judge(log []Visit, o Options, m Manners) (verdict Verdict) {
	verdict.Requests = len(log)
	if len(log) == 0 {
		return verdict
	}
	slices.SortStableFunc(log, func(a, b Visit) int { return a.Begun.Compare(b.Begun) })
	byHost, agents := map[string][]Visit{}, map[string]bool{}
	start := log[0].Begun
	for _, v := range log {
		byHost[v.Host] = append(byHost[v.Host], v)
		agents[v.Agent] = true
		verdict.count(v, start)
	}
	verdict.Hosts, verdict.Visitors = len(byHost), len(agents)
	broken := map[string]*Breach{}
	breach := func(rule string, v Visit, format string, args ...any) {
		if broken[rule] == nil {
			broken[rule] = &Breach{Rule: rule, First: fmt.Sprintf("%s %s (%s): ", v.Host, v.Path, v.Temper) + fmt.Sprintf(format, args...)}
		}
		broken[rule].Times++
	}
	for _, visits := range byHost {
		pause, again := judgeHost(visits, o, m, breach)
		if verdict.ShortestPause == 0 || pause > 0 && pause < verdict.ShortestPause {
			verdict.ShortestPause = pause
		}
		verdict.Again += again
	}
	for _, rule := range Rules {
		if b := broken[rule]; b != nil {
			verdict.Breaches = append(verdict.Breaches, *b)
		}
	}
	return verdict
}

func (verdict *Verdict) count(v Visit, start time.Time) {
	since := v.Ended.Sub(start)
	verdict.Lasted = max(verdict.Lasted, since)
	switch {
	case v.isRobots():
		verdict.Robots++
		return
	case strings.Contains(v.Path, "/api/"):
		verdict.Pages++
		return
	case v.Status == http.StatusOK, v.Status == http.StatusPartialContent:
		verdict.Documents++
		verdict.Bytes += v.Bytes
		switch v.Temper {
		case Crowded:
			verdict.Crowd = max(verdict.Crowd, since)
		case Plain, Open, Dated:
			verdict.Others = max(verdict.Others, since)
		}
	case v.Status == http.StatusNotModified:
		verdict.NotModified++
	case v.Status == http.StatusFound:
		verdict.Redirects++
	default:
		verdict.Refused++
	}
}

func (v *Visit) isRobots() bool { return v.Path == "/robots.txt" }

// hostJudge judges the visits to one host, in order.
type hostJudge struct {
	options Options
	manners Manners
	breach  func(rule string, v Visit, format string, args ...any)

	last     *Visit           // nil before the first
	shortest time.Duration    // pause between two visits
	rest     time.Time        // when the host may be visited again
	queues   map[string]Visit // the reply that asked for the same, of a path alone
	endless  int              // pages of the catalog that has no end
	done     map[string]int   // paths that need no other request, and the status they got
	again    int              // requests of many visitors for these
	visitors map[string]*visitor
}

// visitor is what one of the visitors to a host knows.
type visitor struct {
	begun      bool
	given      map[string]bool // paths whose last reply set a cookie
	ruled      bool            // the robots.txt was had, or is none
	robotsTill time.Time       // how long that is kept
}

// visitor is who makes a visit.
func (j *hostJudge) visitor(v Visit) *visitor {
	name := ""
	if j.manners.AreMany {
		name = v.Agent
	}
	if j.visitors[name] == nil {
		j.visitors[name] = &visitor{given: map[string]bool{}}
	}
	return j.visitors[name]
}

// judgeHost judges the visits to one host, in order. It returns the shortest pause between two of them, and how many
// were for what another visitor had got.
func judgeHost(visits []Visit, o Options, m Manners, breach func(string, Visit, string, ...any)) (shortest time.Duration, again int) {
	j := &hostJudge{
		options: o, manners: m, breach: breach,
		queues: map[string]Visit{}, done: map[string]int{}, visitors: map[string]*visitor{},
	}
	for _, v := range visits {
		j.judgeClient(v)
		j.judgePause(v)
		j.judgeRest(v)
		who := j.visitor(v)
		if v.Cookie && !who.given[v.Path] {
			breach(RuleCookie, v, "nothing had given it one")
		}
		who.given[v.Path] = v.Temper == Walled && v.Status == http.StatusFound
		if v.isRobots() {
			j.judgeRobots(v, who)
		} else {
			j.judgeDocument(v, who)
		}
		j.last, who.begun = &v, true
	}
	return j.shortest, j.again
}

// judgeClient holds how many requests and connections there are at once, and the name of the client.
func (j *hostJudge) judgeClient(v Visit) {
	if v.InFlight > 1 {
		j.breach(RuleOne, v, "%d requests at once", v.InFlight)
	}
	if v.Connections > 1 {
		j.breach(RuleOneOpen, v, "%d connections", v.Connections)
	}
	if j.manners.Agent != "" && !strings.Contains(v.Agent, j.manners.Agent) {
		j.breach(RuleAgent, v, "%q", v.Agent)
	}
}

// judgePause holds the pause since the visit before; the first is for robots.txt.
func (j *hostJudge) judgePause(v Visit) {
	if !j.visitor(v).begun && !v.isRobots() {
		j.breach(RuleFirst, v, "it was the first request")
	}
	if j.last == nil {
		return
	}
	pause, least := v.Begun.Sub(j.last.Ended), j.manners.Delay
	if v.Temper == Delaying && !j.last.isRobots() {
		least = max(least, j.options.CrawlDelay)
	}
	if pause < least-slackOfClocks {
		j.breach(RulePause, v, "%v after %s", pause, j.last.Path)
	}
	if j.shortest == 0 || pause < j.shortest {
		j.shortest = pause
	}
}

// inLogs is how logs of daemons write a time, and finer.
const inLogs = "15:04:05.000"

// judgeRest holds the rest that the host asked for, as a whole or for one document.
func (j *hostJudge) judgeRest(v Visit) {
	if v.Begun.Before(j.rest.Add(-slackOfClocks)) {
		j.breach(RuleRest, v, "%v too early", j.rest.Sub(v.Begun))
	}
	queue := j.queues[v.Path]
	if till := queue.Ended.Add(queue.Rest); v.Begun.Before(till.Add(-slackOfClocks)) {
		j.breach(RuleRest, v, "%v too early, at %s by %q; told at %s to %q", till.Sub(v.Begun), v.Begun.Format(inLogs), v.Agent,
			queue.Ended.Format(inLogs), queue.Agent)
	}
	switch {
	case v.Status == http.StatusAccepted: // of this document alone
		j.queues[v.Path] = v
	case v.Rest > 0:
		j.rest = v.Ended.Add(v.Rest)
	}
}

func (j *hostJudge) judgeRobots(v Visit, who *visitor) {
	if v.Begun.Before(who.robotsTill.Add(-slackOfClocks)) {
		j.breach(RuleOnce, v, "%v too early", who.robotsTill.Sub(v.Begun))
	}
	who.ruled = v.Status < 500 && v.Status != 0
	life := j.manners.RobotsRetry
	if who.ruled {
		life = 24 * time.Hour
	}
	who.robotsTill = v.Ended.Add(life)
}

// judgeDocument checks that a document may be visited, and was not had before.
func (j *hostJudge) judgeDocument(v Visit, who *visitor) {
	if !who.ruled {
		j.breach(RuleUnruled, v, "status %d", v.Status)
	}
	if (&entry{path: v.Path}).isForbidden() || v.Temper == Encoded && !strings.HasPrefix(v.Path, "/data/") {
		j.breach(RuleDisallow, v, "status %d", v.Status)
	}
	if strings.HasPrefix(v.Path, endlessFolder) {
		if j.endless++; j.endless > fewPages {
			j.breach(RuleEnd, v, "it was page %d", j.endless)
		}
	}
	switch status := j.done[v.Path]; {
	case status != 0 && j.manners.AreMany:
		j.again++
	case status != 0:
		j.breach(RuleForGood, v, "it had got %d", status)
	}
	whole := v.Status == http.StatusOK && !v.Cut
	if whole || v.Status == http.StatusForbidden || v.Status == http.StatusNotModified {
		j.done[v.Path] = v.Status
	}
}

// String is a verdict for people.
func (verdict Verdict) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d requests to %d hosts in %.1f s: %d documents (%d bytes), %d not modified, %d redirects, %d refused, %d robots.txt, %d pages of the catalog\n",
		verdict.Requests, verdict.Hosts, verdict.Lasted.Seconds(), verdict.Documents, verdict.Bytes, verdict.NotModified, verdict.Redirects,
		verdict.Refused, verdict.Robots, verdict.Pages)
	if verdict.Visitors > 1 {
		fmt.Fprintf(&b, "%d visitors, and %d requests for what one of them had got already\n", verdict.Visitors, verdict.Again)
	}
	fmt.Fprintf(&b, "shortest pause %v; the last document of a plain host came after %.1f s, of the large slow one after %.1f s\n",
		verdict.ShortestPause.Round(100*time.Microsecond), verdict.Others.Seconds(), verdict.Crowd.Seconds())
	for _, breach := range slices.SortedFunc(slices.Values(verdict.Breaches),
		func(a, b Breach) int { return cmp.Compare(b.Times, a.Times) }) {
		fmt.Fprintf(&b, "BROKEN %d times: %s: %s\n", breach.Times, breach.Rule, breach.First)
	}
	return b.String()
}
