// Command crawl crawls a web of 200 hosts on loopback addresses, some slow, some refusing, some with
// rules of their own. It holds the log of these hosts against the rules: see internal/testkit/hosts. A catalog of
// 5,000 documents is harvested and washed. Then one in a hundred changes, and the catalog says so.
// Then another one in a hundred changes, of which it says nothing, and all are asked for again.
//
//	go -C bench run ./crawl
//	go -C bench run ./crawl -hosts 40 -entries 500            smaller
//	go -C bench run ./crawl -write ../docs/crawling.md           into the section of that page
//
// It ends with 1 if a rule was broken, or something came that had not changed.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"laundromat/bench/process"
	"laundromat/internal/testkit/hosts"
)

type options struct {
	*process.Setup
	web    hosts.Options
	delay  time.Duration
	retry  time.Duration
	write  string
	keptBy string // the folder of the data
}

const contact = "https://example.org/our-crawler"

func main() {
	var o options
	flag.IntVar(&o.web.Hosts, "hosts", 200, "hosts")
	flag.IntVar(&o.web.Entries, "entries", 5000, "documents that the catalog names")
	flag.DurationVar(&o.web.Latency, "latency", 100*time.Millisecond, "how long the large slow host takes for a reply")
	flag.DurationVar(&o.web.CrawlDelay, "crawl-delay", time.Second, "Crawl-delay of the hosts that ask for one")
	flag.DurationVar(&o.delay, "delay", 200*time.Millisecond, "--host-delay")
	flag.DurationVar(&o.retry, "robots-retry", 5*time.Second, "--robots-retry")
	flag.StringVar(&o.write, "write", "", "page whose section is written anew")
	process.Main("crawl", 1, func(ctx context.Context, s *process.Setup) error {
		o.Setup = s
		o.keptBy = filepath.Join(s.Folder, "data")
		return run(ctx, &o)
	})
}

// round is one visit to the web and what came of it.
type round struct {
	name    string
	verdict hosts.Verdict
	usage   process.Usage
	// parsed and failed are the seeds in these states after it.
	parsed, failed int
}

func run(ctx context.Context, o *options) error {
	web, err := hosts.Start(o.web)
	if err != nil {
		return err
	}
	defer web.Close()
	var rounds []round
	visit := func(name string, args ...string) error {
		web.Forget()
		usage, err := o.laundromat(ctx, args...)
		if err != nil {
			return err
		}
		if err := web.Rest(ctx); err != nil {
			return err
		}
		r := round{name: name, usage: usage, verdict: web.Judge(hosts.Manners{Delay: o.delay, RobotsRetry: o.retry, Agent: contact})}
		if r.parsed, err = o.count(ctx, "parsed"); err == nil {
			r.failed, err = o.count(ctx, "failed")
		}
		rounds = append(rounds, r)
		fmt.Printf("%s: %.1f s, %.1f s of processor time\n%s%d parsed, %d failed\n", name, usage.Wall.Seconds(),
			(usage.User + usage.System).Seconds(), r.verdict, r.parsed, r.failed)
		return err
	}
	serve := []string{
		"serve", "--until-idle", "--listen", "127.0.0.1:0", "--quiet", "--allow-private", "--contact", contact,
		"--host-delay", o.delay.String(), "--robots-retry", o.retry.String(), "--tries", "4", "--retry-delay", "2s",
	}
	if err := visit("first", append(serve, "--catalog", web.Catalog())...); err != nil {
		return err
	}
	told := web.Change(7, true)
	harvest := append([]string{"catalog", "harvest", web.Catalog()}, web.OddCatalogs()...)
	if err := visit("harvested again, with two more", append(harvest, "--quiet", "--allow-private", "--contact", contact, "--host-delay",
		o.delay.String())...); err != nil {
		return err
	}
	if err := visit("what the catalog says has changed", serve...); err != nil {
		return err
	}
	untold := web.Change(11, false)
	if _, err := o.laundromat(ctx, "seed", "retry", "--state", "parsed", "--quiet"); err != nil {
		return err
	}
	if err := visit("all asked for again", serve...); err != nil {
		return err
	}
	problems := check(web, rounds, told, untold)
	if o.write != "" {
		problems = errors.Join(problems, o.page(web, rounds, told, untold))
	}
	return problems
}

// check says what is wrong with the rounds.
func check(web *hosts.Web, rounds []round, told, untold int) error {
	var problems []error
	for i, want := range []struct{ documents, parsed int }{{-1, -1}, {0, -1}, {told, -1}, {untold, -1}} {
		r := rounds[i]
		for _, b := range r.verdict.Breaches {
			problems = append(problems, fmt.Errorf("%s: %s was broken %d times: %s", r.name, b.Rule, b.Times, b.First))
		}
		if want.documents >= 0 && r.verdict.Documents != want.documents {
			problems = append(problems, fmt.Errorf("%s: %d documents came, and %d had changed", r.name, r.verdict.Documents,
				want.documents))
		}
		if i != 1 && r.parsed != web.CanBeHad() {
			problems = append(problems, fmt.Errorf("%s: %d documents were washed, and %d can be had", r.name, r.parsed, web.CanBeHad()))
		}
	}
	if first := rounds[0].verdict; first.Others >= first.Crowd {
		problems = append(problems, fmt.Errorf("the documents of plain hosts came after %v, those of the large slow one after %v",
			first.Others, first.Crowd))
	}
	return errors.Join(problems...)
}

// laundromat runs the program on the data folder.
func (o *options) laundromat(ctx context.Context, args ...string) (process.Usage, error) {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	command := exec.CommandContext(ctx, o.Program, append(args, "--data", o.keptBy)...)
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	usage, err := process.Run(command)
	if err != nil {
		err = fmt.Errorf("laundromat %s: %w: %s", args[0], err, said.Bytes())
	}
	return usage, err
}

func (o *options) count(ctx context.Context, state string) (int, error) {
	out, err := exec.CommandContext(ctx, o.Program, "seed", "list", "--data", o.keptBy, "--state", state, "--json").Output()
	return bytes.Count(out, []byte("\n")), err
}

const (
	begin = "<!-- written by bench/crawl: begin -->\n"
	end   = "<!-- written by bench/crawl: end -->\n"
)

// page writes the section again.
func (o *options) page(web *hosts.Web, rounds []round, told, untold int) error {
	text, err := os.ReadFile(o.write)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s has no section between %q and %q", o.write, begin, end)
	}
	var b strings.Builder
	catalog, _ := url.Parse(web.Catalog())
	fmt.Fprintf(&b, "\n    go -C bench run ./crawl -write ../docs/crawling.md\n\n")
	fmt.Fprintf(&b, "A catalog (`http://HOST%s`) names %d documents of 20 statements at %d hosts, each with an address and a port of its own;\n",
		catalog.RequestURI(), web.Entries(), o.web.Hosts)
	fmt.Fprintf(&b, "it calls those of one temper by two names each. Of two more, which name no other documents, one has an empty page in between, the other pages without end. ")
	fmt.Fprintf(&b, "%d of them can be had by who keeps the rules. `--host-delay %v --robots-retry %v --tries 4 --retry-delay 2s`, all else as it is by default.\n\n",
		web.CanBeHad(), o.delay, o.retry)
	b.WriteString("| host | how many | what it does |\n|---|--:|---|\n")
	tempers := web.Tempers()
	for _, t := range hosts.Described {
		fmt.Fprintf(&b, "| %s | %d | %s |\n", t.Temper, tempers[t.Temper], t.Does)
	}
	b.WriteString("\nWhat the hosts' own log says:\n\n")
	b.WriteString("| round | requests | robots.txt | pages of the catalog | documents that came | bytes of them | 304 | redirects | refused | shortest pause | seconds | rules broken |\n")
	b.WriteString("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range rounds {
		v := r.verdict
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %v | %.0f | %d |\n", r.name, v.Requests, v.Robots, v.Pages,
			v.Documents, v.Bytes,
			v.NotModified, v.Redirects, v.Refused, v.ShortestPause.Round(100*time.Microsecond), r.usage.Wall.Seconds(), len(v.Breaches))
	}
	first := rounds[0].verdict
	fmt.Fprintf(&b, "\n%d documents changed before the second harvest, which tells of it, and %d more before all were asked for again. In the first round the last document\n",
		told, untold)
	fmt.Fprintf(&b, "of a host that is neither slow nor has a delay came after %.0f s, that of the large slow host after %.0f s.\n",
		first.Others.Seconds(), first.Crowd.Seconds())
	b.WriteString("The rules that are judged: " + strings.Join(hosts.Rules, "; ") + ".\n\n")
	return os.WriteFile(o.write, []byte(before+begin+b.String()+end+after), 0o644)
}
