package web

import (
	"context"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/seedlist"
)

// ofHosts are the operations about hosts.
func (a *api) ofHosts() []operation {
	operations := []operation{
		get("/api/v1/hosts", a.hosts),
		get("/api/v1/hosts/{host}", a.host),
	}
	if a.hasWrites() {
		operations = append(operations, post("/api/v1/hosts/{host}", a.setHost))
	}
	return operations
}

// Hosts are those with settings of their own.
type Hosts struct {
	Hosts []seedlist.HostUse `json:"hosts"`
}

// HostChange says what becomes of a host's settings. What is absent stays.
type HostChange struct {
	Paused      *bool    `json:"paused,omitempty"`
	Connections *int     `json:"connections,omitempty" doc:"downloads at once; 0: as for all hosts"`
	Delay       *float64 `json:"delay,omitempty" doc:"seconds between two downloads; below 0: as for all hosts"`
}

func (a *api) hosts(ctx context.Context, _ *struct{}) (*raw, error) {
	all, err := a.Seeds.Hosts(ctx)
	if err != nil {
		return nil, problem(err)
	}
	return rawJSON(Hosts{Hosts: all})
}

func (a *api) host(ctx context.Context, r *struct {
	Host string `path:"host" doc:"NAME or NAME:PORT"`
}) (*raw, error) {
	now, err := hostNow(ctx, a, r.Host)
	if err != nil {
		return nil, err
	}
	return rawJSON(now)
}

func (a *api) setHost(ctx context.Context, r *struct {
	Host string `path:"host" doc:"NAME or NAME:PORT"`
	Body HostChange
}) (*raw, error) {
	use, err := a.Seeds.SetHost(ctx, r.Host, r.Body.apply)
	if err != nil {
		return nil, hostProblem(err)
	}
	return rawJSON(use)
}

// apply changes settings.
func (c *HostChange) apply(settings *seedlist.HostSettings) {
	if c.Paused != nil {
		settings.Paused = *c.Paused
		if !*c.Paused {
			settings.Turned = nil
		}
	}
	if c.Connections != nil {
		settings.Connections = *c.Connections
	}
	if c.Delay != nil {
		if settings.Delay = c.Delay; *c.Delay < 0 {
			settings.Delay = nil
		}
	}
}

func hostProblem(err error) error {
	if errors.Is(err, seedlist.ErrHost) || errors.Is(err, seedlist.ErrHostSettings) {
		return huma.Error422UnprocessableEntity(err.Error())
	}
	return problem(err)
}
