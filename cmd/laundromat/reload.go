package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"laundromat/internal/commands"
	"laundromat/internal/fetch"
	"laundromat/internal/hangup"
	"laundromat/internal/settings"
	"laundromat/seedlist"
	"laundromat/states/daemon"
	"laundromat/storage"
)

// reloader takes on settings that changed while the daemon runs.
type reloader struct {
	u      *ui
	values map[string]string // in force
	folder *storage.Folder
	pace   *seedlist.Pace
	live   *atomic.Pointer[daemon.Retries]
	served *serviceFlags
	events *commands.Commands
	// bandwidth is that of all downloads.
	bandwidth *fetch.Bandwidth
	// fetcher is nil until there is one.
	fetcher atomic.Pointer[fetch.Fetcher]
	log     zerolog.Logger
}

// reload reads the settings, and takes on those that can change. With a fault in them all stay as they are.
func (r *reloader) reload() {
	fresh, o, err := r.again()
	if err != nil {
		r.log.Error().Err(err).Msg("the settings could not be read again: those in force stay")
		return
	}
	var taken, later []string
	for _, s := range settings.Table {
		is := fresh.Lookup(s.Name)
		if is == nil || is.Value.String() == r.values[s.Name] {
			continue
		}
		if !s.Live {
			later = append(later, s.Name)
			continue
		}
		shown := s.Name + ": " + is.Value.String()
		if s.Secret {
			shown = s.Name
		}
		taken = append(taken, shown)
		r.values[s.Name] = is.Value.String()
	}
	if err := r.served.loadCertificate(); err != nil {
		r.log.Error().Err(err).Msg("the certificate could not be read again: the one in force stays")
	}
	r.pace.Set(o.store.HostConnections, o.store.HostDelay)
	r.live.Store(&o.run.Retries)
	r.folder.Files.KeepFree(o.keepFree)
	o.keepIn(r.folder)
	o.events.setOn(r.events)
	r.bandwidth.Set(o.bandwidth)
	if fetcher := r.fetcher.Load(); fetcher != nil {
		network := o.fetch.Network
		if network == nil {
			network = &fetch.Network{}
		}
		fetcher.SetNetwork(network)
	}
	if len(later) > 0 {
		r.log.Warn().Strs("settings", later).Msg("these settings changed, and are taken on at the next start: " + strings.Join(later, ", "))
	}
	if len(taken) == 0 {
		r.log.Debug().Msg("the settings were read again")
		return
	}
	r.log.Info().Strs("settings", taken).Msg("the settings were read again; in force from now on: " + strings.Join(taken, ", "))
}

// again reads flags, environment and file as at the start.
func (r *reloader) again() (*pflag.FlagSet, *serveOptions, error) {
	u := &ui{in: strings.NewReader(""), out: io.Discard, err: io.Discard, stopping: r.u.stopping, killed: r.u.killed}
	root := rootCommand(u)
	serve, rest, err := root.Find(r.u.args)
	if err != nil {
		return nil, nil, err
	}
	if serve.Name() != "serve" {
		return nil, nil, fmt.Errorf("these are not the arguments of serve: %s", serve.CommandPath())
	}
	if err := serve.ParseFlags(rest); err != nil {
		return nil, nil, err
	}
	if err := errors.Join(checkFlags(serve), fillSettings(u, serve)); err != nil {
		return nil, nil, err
	}
	return serve.Flags(), u.serve, u.serve.complete(u, serve.Flags())
}

// reloading begins to listen for SIGHUP.
func reloading(u *ui, c *cobra.Command, folder *storage.Folder, o *serveOptions, log zerolog.Logger) (r *reloader, release func()) {
	values := map[string]string{}
	c.Flags().VisitAll(func(f *pflag.Flag) { values[f.Name] = f.Value.String() })
	r = &reloader{u: u, values: values, folder: folder, pace: o.store.Pace, live: o.run.Live, served: &o.service, log: log,
		events: o.run.Events, bandwidth: &fetch.Bandwidth{}}
	r.bandwidth.Set(o.bandwidth)
	return r, hangup.Watch(r.reload)
}
