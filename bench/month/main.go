// Command month lives through a month of a daemon and of the person who looks after it. The web is that of
// internal/testkit/hosts. Each day some of its hosts turn to something else, or back, and some documents change.
// The operator does the ten tasks of docs/operations.md by the verbs of the program. There are three months: one that
// nobody disturbs, one in which the daemon is killed on the way, and one with the list in PostgreSQL and the files in
// a bucket. All must end with the same products. README.md says how long a day is.
//
//	go -C bench run ./month                                        5,000 seeds, 300 hosts, 30 days
//	go -C bench run ./month -seeds 200 -hosts 50 -days 10 -day 2s       smaller
//	go -C bench run ./month -only embedded                         without PostgreSQL and a bucket
//	go -C bench run ./month -only away                             without the kills
//
// It ends with 1 if a task did not do what it should, or the products differ.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"laundromat/bench/process"
	"laundromat/internal/testkit/hosts"
)

type options struct {
	*process.Setup
	seeds, hosts, days int
	day                time.Duration
	kills              int
	random             uint64
	only               string
	out                io.Writer
}

func main() {
	o := options{out: os.Stdout}
	flag.IntVar(&o.seeds, "seeds", 5000, "documents that the catalog names")
	flag.IntVar(&o.hosts, "hosts", 300, "hosts")
	flag.IntVar(&o.days, "days", 30, "days, at least 7")
	flag.DurationVar(&o.day, "day", 10*time.Second, "how long a day lasts at least")
	flag.IntVar(&o.kills, "kills", 12, "kills of the daemon in one of the months")
	flag.Uint64Var(&o.random, "random", 57, "another number makes another month")
	flag.StringVar(&o.only, "only", "", "embedded: without the month on PostgreSQL and a bucket; away: without the month with kills")
	process.Main("month", 1, func(ctx context.Context, s *process.Setup) error {
		o.Setup = s
		return run(ctx, &o)
	})
}

// month is what all months share: the web, and what happens in it by day.
type month struct {
	*options
	web   *hosts.Web
	plan  []day
	newer string // a program of a higher version
}

// day is what happens at the begin of a day.
type day struct {
	turns map[int]hosts.Temper // by host; "" for back
	edits []int                // documents that change
	kills []float64            // when the daemon is killed, in parts of the day
}

// What -only may say.
const onlyEmbedded, onlyAway = "embedded", "away"

// calmDays are the last days, in which nothing happens any more.
const calmDays = 3

func run(ctx context.Context, o *options) error {
	if o.days < 7 {
		return errors.New("a month has at least 7 days")
	}
	if !slices.Contains([]string{"", onlyEmbedded, onlyAway}, o.only) {
		return fmt.Errorf("-only: %q is neither %s nor %s", o.only, onlyEmbedded, onlyAway)
	}
	m := &month{options: o}
	var err error
	if m.newer, err = process.Build(ctx, filepath.Join(o.Folder, "newer"), "-ldflags", "-X main.release="+newerRelease); err != nil {
		return err
	}
	m.web, err = hosts.Start(hosts.Options{
		Hosts: o.hosts, Entries: o.seeds, Latency: 5 * time.Millisecond, CrawlDelay: 50 * time.Millisecond,
	})
	if err != nil {
		return err
	}
	defer m.web.Close()
	m.makePlan()
	months := []*life{m.life("undisturbed, embedded", m.embedded, false)}
	if o.only != onlyAway {
		months = append(months, m.life("disturbed and killed, embedded", m.embedded, true))
	}
	if o.only != onlyEmbedded {
		if err := haveAway(); err != nil {
			fmt.Fprintln(o.out, "without the month on PostgreSQL and a bucket:", err)
		} else {
			months = append(months, m.life("disturbed, on PostgreSQL and a bucket", m.away, true))
			months[len(months)-1].kills = 0
		}
	}
	var problems []error
	for _, l := range months {
		m.renew()
		if err := l.live(ctx); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		problems = append(problems, l.report())
	}
	for _, l := range months[1:] {
		problems = append(problems, compare(o.out, months[0], l))
	}
	return errors.Join(problems...)
}

// renew makes the web as it was at the start.
func (m *month) renew() {
	for h := range m.hosts {
		m.web.Turn(h, "")
	}
	m.web.Renew()
}

// tempersByDay are those that hosts turn to. A robots.txt that forbids all would be kept for a real day.
func tempersByDay() []hosts.Temper {
	return slices.DeleteFunc(slices.Clone(hosts.Turned), func(t hosts.Temper) bool { return t == hosts.Barring })
}

// makePlan settles what happens when. Only hosts whose documents can be had turn, but that of the catalog.
func (m *month) makePlan() {
	random := rand.New(rand.NewPCG(m.random, 30))
	tempers := tempersByDay()
	mayTurn := map[int]bool{}
	var mayChange []int
	for n := range m.web.Entries() {
		if _, host := m.web.Document(n); m.web.Available(n) {
			mayTurn[host] = host != 0
			mayChange = append(mayChange, n)
		}
	}
	m.plan = make([]day, m.days)
	for d := range m.plan {
		m.plan[d].turns = map[int]hosts.Temper{}
	}
	lastTurned := make([]int, m.hosts) // the day on which a host is well again
	for d := 1; d < m.days-calmDays; d++ {
		for h := range m.hosts {
			if !mayTurn[h] || lastTurned[h] >= d || random.IntN(10) > 0 {
				continue
			}
			lastTurned[h] = min(d+1+random.IntN(4), m.days-calmDays)
			m.plan[d].turns[h] = tempers[random.IntN(len(tempers))]
			m.plan[lastTurned[h]].turns[h] = ""
		}
		for range max(1, len(mayChange)/100) {
			m.plan[d].edits = append(m.plan[d].edits, mayChange[random.IntN(len(mayChange))])
		}
	}
	for range m.kills {
		d := 1 + random.IntN(m.days-calmDays-1)
		m.plan[d].kills = append(m.plan[d].kills, random.Float64())
		slices.Sort(m.plan[d].kills)
	}
}

// begin lets happen what a day begins with.
func (m *month) begin(d int) {
	for h, temper := range m.plan[d].turns {
		m.web.Turn(h, temper)
	}
	for _, n := range m.plan[d].edits {
		m.web.Edit(n)
	}
}

// table writes rows with columns of one width.
func table(out io.Writer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += cell + strings.Repeat(" ", widths[i]-len([]rune(cell))+2)
		}
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
}
