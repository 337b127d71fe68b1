package storage

import (
	"context"

	"laundromat/seedlist"
	"laundromat/states/daemon"
	"laundromat/web"
)

// asking says how the daemon asks a host, and what came of its last request; nil before it begins to work.
func (f *Folder) asking(ctx context.Context, host string) (*web.HostAsking, *seedlist.Exchange, error) {
	runner := f.Runner.Load()
	if runner == nil {
		return nil, nil, nil
	}
	known, err := daemon.HostKnown(ctx, runner, host)
	if err != nil {
		return nil, nil, err
	}
	asking := &web.HostAsking{Pause: known.Delay.Seconds(), Next: known.Next}
	for _, r := range known.Robots {
		asking.Robots = append(asking.Robots, web.HostRobots{
			Origin: r.Origin, IsBeingAsked: r.IsBeingAsked, Asked: r.Asked, Until: r.Until, Status: r.Status,
			Error: r.Error, Rules: r.Rules, Total: r.Total, Delay: r.Delay.Seconds(),
		})
	}
	if known.Last == nil {
		return asking, nil, nil
	}
	last := known.Last
	return asking, &seedlist.Exchange{URI: last.URI, Time: last.Time, Status: last.Status, Walltime: last.Walltime, Error: last.Error}, nil
}
