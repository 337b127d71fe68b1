package main

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"laundromat/seedlist"
	"laundromat/web"
	"laundromat/web/client"
)

func (p *program) hostCommand() *cobra.Command {
	return group("host", "List, pause, resume and set the hosts that are downloaded from", "list, show, pause, resume or set",
		p.hostListCommand(), p.hostShowCommand(),
		p.hostChangeCommand("pause", "Download nothing from these hosts until they are resumed", web.HostChange{Paused: ptr(true)}),
		p.hostChangeCommand("resume", "Download from these hosts again", web.HostChange{Paused: ptr(false)}),
		p.hostSetCommand())
}

func (p *program) hostListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "The hosts with settings of their own",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api, err := p.connect(c.Context(), toRead)
			if err != nil {
				return err
			}
			defer api.Close()
			var reply web.Hosts
			if err := api.Get(c.Context(), "/hosts", nil, &reply); err != nil {
				return err
			}
			for _, use := range reply.Hosts {
				if err := p.tellHost(use); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (p *program) hostShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show HOST|URI…",
		Short: "How a host stands: settings, seeds that wait, its pace",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return p.eachHost(c.Context(), args, toRead, func(api *client.Client, path string, use *seedlist.HostUse) error {
				return api.Get(c.Context(), path, nil, use)
			})
		},
	}
}

func (p *program) hostChangeCommand(verb, short string, change web.HostChange) *cobra.Command {
	return &cobra.Command{
		Use:   verb + " HOST|URI…",
		Short: short,
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return p.changeHosts(c.Context(), args, change)
		},
	}
}

func (p *program) hostSetCommand() *cobra.Command {
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
			return p.changeHosts(c.Context(), args, change)
		},
	}
	c.Flags().IntVar(&connections, "connections", 0, "downloads at once; 0: as for all hosts")
	c.Flags().DurationVar(&delay, "delay", 0, "pause between two downloads; below 0: as for all hosts")
	maybeNegative(c.Flags(), "delay")
	return c
}

func (p *program) changeHosts(ctx context.Context, names []string, change web.HostChange) error {
	return p.eachHost(ctx, names, toChange, func(api *client.Client, path string, use *seedlist.HostUse) error {
		return api.Post(ctx, path, change, use)
	})
}

// eachHost asks the API about each host, and shows its state.
func (p *program) eachHost(ctx context.Context, names []string, how access,
	ask func(*client.Client, string, *seedlist.HostUse) error) error {
	api, err := p.connect(ctx, how)
	if err != nil {
		return err
	}
	defer api.Close()
	for _, name := range names {
		host, err := seedlist.HostOf(name)
		if err != nil {
			return usage("%q: %w", seedlist.Shown(name), err)
		}
		var use seedlist.HostUse
		if err := ask(api, "/hosts/"+url.PathEscape(host), &use); err != nil {
			return err
		}
		if err := p.tellHost(use); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) tellHost(use seedlist.HostUse) error {
	if p.json {
		return encodeTo(p.out, use)
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
	_, err := fmt.Fprintf(p.out, "%s; %d seeds wait, %d at work\n", text, use.Waiting, use.Busy)
	return err
}
