package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"laundromat/internal/spelling"
	"laundromat/seedlist"
	"laundromat/web"
	"laundromat/web/client"
)

func hostCommand(u *ui) *cobra.Command {
	return group("host", "List, pause, resume and set the hosts that are downloaded from", "list, show, pause, resume or set",
		hostListCommand(u), hostShowCommand(u),
		hostChangeCommand(u, "pause", "Download nothing from these hosts until they are resumed", web.HostChange{Paused: ptr(true)}),
		hostChangeCommand(u, "resume", "Download from these hosts again", web.HostChange{Paused: ptr(false)}),
		hostSetCommand(u))
}

func hostListCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "The hosts with settings of their own",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api, err := connect(c.Context(), u, toRead)
			if err != nil {
				return err
			}
			defer api.Close()
			var reply web.Hosts
			if err := api.Get(c.Context(), "/hosts", nil, &reply); err != nil {
				return err
			}
			if err := u.head("host", "paused", "turned", "connections", "delay", "pace", "waiting", "busy"); err != nil {
				return err
			}
			for _, use := range reply.Hosts {
				if err := listHost(u, use); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func hostShowCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "show HOST|URI…",
		Short: "The state of a host: its settings, waiting seeds and pace",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api, err := connect(c.Context(), u, toRead)
			if err != nil {
				return err
			}
			defer api.Close()
			return eachHost(u, args, func(path string, now *web.HostNow) error { return api.Get(c.Context(), path, nil, now) })
		},
	}
}

func hostChangeCommand(u *ui, verb, short string, change web.HostChange) *cobra.Command {
	return &cobra.Command{
		Use:   verb + " HOST|URI…",
		Short: short,
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return changeHosts(c.Context(), u, args, change)
		},
	}
}

// refuseUnknownHosts refuses hosts that no seed has and that have no settings: a pause of a misspelt one would hold
// nothing, and nobody would notice.
func refuseUnknownHosts(ctx context.Context, api *client.Client, names []string) error {
	for _, name := range names {
		host, err := hostOf(name)
		if err != nil {
			return err
		}
		known := false
		err = api.EachSeed(ctx, "/seeds", url.Values{"host": {host}}, 1, func(seedlist.Seed) error { known = true; return nil })
		if err != nil {
			return err
		}
		var hosts []string
		if !known {
			if hosts, err = knownHosts(ctx, api); err != nil {
				return err
			}
		}
		if known || slices.Contains(hosts, host) {
			continue
		}
		text := fmt.Sprintf("no seed is at %s", host)
		if nearest := spelling.Nearest(host, hosts...); nearest != "" {
			text += fmt.Sprintf("; did you mean %s?", nearest)
		}
		return exit(exitNotFound, errors.New(text))
	}
	return nil
}

func hostSetCommand(u *ui) *cobra.Command {
	var connections int
	var delay time.Duration
	c := &cobra.Command{
		Use:   "set HOST|URI…",
		Short: "Give hosts connections or a delay of their own",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var change web.HostChange
			if c.Flags().Changed("connections") {
				change.Connections = &connections
			}
			if c.Flags().Changed("delay") {
				change.Delay = ptr(delay.Seconds())
			}
			if change == (web.HostChange{}) {
				return usage("host set wants --connections or --delay")
			}
			return changeHosts(c.Context(), u, args, change)
		},
	}
	c.Flags().IntVar(&connections, "connections", 0, "downloads at once; 0: as for all hosts")
	c.Flags().DurationVar(&delay, "delay", 0, "pause between two downloads; below 0: as for all hosts")
	maybeNegative(c.Flags(), "delay")
	return c
}

func changeHosts(ctx context.Context, u *ui, names []string, change web.HostChange) error {
	api, err := connect(ctx, u, toChange)
	if err != nil {
		return err
	}
	defer api.Close()
	if change.Paused != nil && *change.Paused {
		if err := refuseUnknownHosts(ctx, api, names); err != nil {
			return err
		}
	}
	return eachHost(u, names, func(path string, now *web.HostNow) error { return api.Post(ctx, path, change, now) })
}

// hostOf is the host that an argument names.
func hostOf(name string) (string, error) {
	host, err := seedlist.HostOf(name)
	if err != nil {
		err = usage("%q: %w", seedlist.Shown(name), err)
	}
	return host, err
}

// eachHost asks about each host by its path in the API, and shows its state.
func eachHost(u *ui, names []string, ask func(path string, now *web.HostNow) error) error {
	for _, name := range names {
		host, err := hostOf(name)
		if err != nil {
			return err
		}
		var now web.HostNow
		if err := ask("/hosts/"+url.PathEscape(host), &now); err != nil {
			return err
		}
		if err := tellHost(u, &now); err != nil {
			return err
		}
	}
	return nil
}

// listHost writes one line about a host. A cell is empty where the host has no setting of its own.
func listHost(u *ui, use seedlist.HostUse) error {
	if u.json {
		return encodeTo(u.out, use)
	}
	var paused, turned, connections, delay, pace string
	if use.Paused {
		paused = "paused"
	}
	if use.Turned != nil {
		turned = use.Turned.Since.Format(time.RFC3339)
	}
	if use.Connections > 0 {
		connections = strconv.Itoa(use.Connections)
	}
	if use.Delay != nil {
		delay = time.Duration(*use.Delay * float64(time.Second)).String()
	}
	if use.Pace > 0 {
		pace = time.Duration(use.Pace * float64(time.Second)).Round(time.Millisecond).String()
	}
	_, err := fmt.Fprintf(u.out, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\n", use.Host, paused, turned, connections, delay, pace,
		use.Waiting, use.Busy)
	return err
}

// tellHost writes what is known of a host: a line about how it is asked, and one for each other fact.
func tellHost(u *ui, use *web.HostNow) error {
	if u.json {
		return encodeTo(u.out, use)
	}
	text := use.Host
	if use.Paused {
		text += ", paused"
	}
	if use.Turned != nil {
		text += fmt.Sprintf(", turned since %s, asked for one document each %v", use.Turned.Since.Format(time.RFC3339),
			use.Turned.PauseTime())
	}
	if use.Connections > 0 {
		text += fmt.Sprintf(", connections %d", use.Connections)
	}
	if use.Delay != nil {
		text += fmt.Sprintf(", delay %v", time.Duration(*use.Delay*float64(time.Second)))
	}
	if use.Pace > 0 {
		text += fmt.Sprintf(", pace %v by its replies", time.Duration(use.Pace*float64(time.Second)).Round(time.Millisecond))
	}
	switch until := use.Until.Format(time.RFC3339); use.Standing {
	case web.HostAwaited:
		text += ", waits for its robots.txt"
	case web.HostClosed:
		text += ", its robots.txt can't be had, asked for no document before " + until
	case web.HostResting:
		text += ", rests until " + until
	}
	text += fmt.Sprintf("; %s, %d at work\n", counted(use.Waiting, "seed waits", "seeds wait"), use.Busy)
	for _, later := range use.Later {
		text += fmt.Sprintf("  %d to be downloaded again after %s\n", later.Seeds, later.Code)
	}
	if last := use.Last; last != nil {
		text += fmt.Sprintf("  last request %s: %s %s\n", last.Time.Format(time.RFC3339), replyOf(last), seedlist.Shown(last.URI))
	}
	if use.Asking != nil {
		for i := range use.Asking.Robots {
			text += "  " + robotsLine(&use.Asking.Robots[i]) + "\n"
		}
	}
	_, err := io.WriteString(u.out, text)
	return err
}

// replyOf is the status of a reply, or why none came.
func replyOf(e *seedlist.Exchange) string {
	if e.Status != 0 {
		return strconv.Itoa(e.Status)
	}
	return "no reply (" + seedlist.ShownIn(e.Error) + ")"
}

// robotsLine says in a line what a robots.txt says.
func robotsLine(r *web.HostRobots) string {
	text := "robots.txt of " + r.Origin
	switch {
	case r.IsBeingAsked:
		return text + " is being asked for"
	case r.Error != "":
		return fmt.Sprintf("%s, asked for %s: %s", text, r.Asked.Format(time.RFC3339), seedlist.ShownIn(r.Error))
	}
	text = fmt.Sprintf("%s, asked for %s: %s for Laundromat", text, r.Asked.Format(time.RFC3339), counted(r.Total, "rule holds",
		"rules hold"))
	if r.Delay > 0 {
		text += fmt.Sprintf(", %v between two requests", time.Duration(r.Delay*float64(time.Second)))
	}
	return text
}
