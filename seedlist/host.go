package seedlist

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Load is what a download showed of how much its host has to do.
type Load struct {
	// Rest is how long the host asked to be left alone.
	Rest time.Duration
	// Delay is the time between two requests that its robots.txt asks for.
	Delay time.Duration
	// Busy says that it refused because it has too much to do (429, 503).
	Busy bool
	// Latency is how long it took to begin its reply; 0 if it did not.
	Latency time.Duration
}

const (
	leastPace = time.Second
	mostPace  = time.Minute
)

// PaceAfter is the pace of a host after a reply. It is twice as long after a refusal, and
// else half as long, but no shorter than the reply took. A delay of none asks for no
// manners.
func PaceAfter(pace, delay time.Duration, load Load) time.Duration {
	switch {
	case delay <= 0:
		return 0
	case load.Busy:
		pace = max(2*max(pace, delay), leastPace)
	default:
		if pace /= 2; load.Latency > pace {
			pace = load.Latency
		}
	}
	if pace = min(pace, mostPace); pace <= delay {
		return 0
	}
	return pace
}

// Manners are how a host may be asked.
type Manners struct {
	Connections int           // requests at once
	Delay       time.Duration // between two of them; its replies may have made it longer
	Paused      bool          // not at all
}

// HostSettings are what is kept of one host. They are what the operator says, in place of what holds for all, and
// that it turned.
type HostSettings struct {
	Host        string   `json:"host"` // as in [URI.Host]: host[:port], lower case
	Paused      bool     `json:"paused"`
	Connections int      `json:"connections,omitempty"` // at once; 0: as for all
	Delay       *float64 `json:"delay,omitempty"`       // seconds between two downloads; nil: as for all
	// Turned is not to be changed, but replaced; nil: it has not.
	Turned *Turned `json:"turned,omitempty"`
}

// HostUse is a host as it is now.
type HostUse struct {
	HostSettings
	Waiting int `json:"waiting"` // seeds that could be claimed, counted up to 10,000
	Busy    int `json:"busy"`    // downloads now
	// Pace is the delay between two downloads, in seconds, that the host's replies call
	// for; absent if that of the settings is enough.
	Pace float64 `json:"pace,omitempty"`
	// Rests is until when it is left alone.
	Rests time.Time `json:"rests,omitzero"`
}

// ErrHost refuses what names no host.
var ErrHost = errors.New("this isn't a host: want NAME or NAME:PORT, or a URI")

const (
	maxHostDelay       = 24 * 60 * 60 // seconds
	maxHostConnections = 1000
)

// HostOf is the host that name means: itself, or that of a URI.
func HostOf(name string) (string, error) {
	if !strings.Contains(name, "://") {
		name = "http://" + name + "/"
	}
	u, err := ParseURI(name)
	if err != nil || u.Host == "" || u.Relative {
		return "", ErrHost
	}
	return u.Host, nil
}

// ErrHostSettings refuses settings that are out of their bounds.
var ErrHostSettings = errors.New("out of bounds")

// FileConnections is how many files of this machine are read at once.
const FileConnections = 16

// MostCounted bounds how far the waiting seeds of a host are counted.
const MostCounted = 10_000

// Check says what is out of bounds in settings: [ErrHostSettings] with the reason.
func (s *HostSettings) Check() error {
	if s.Connections < 0 || s.Connections > maxHostConnections {
		return fmt.Errorf("%w: connections are 0 (as for all) to %d", ErrHostSettings, maxHostConnections)
	}
	if s.Delay != nil && !(*s.Delay >= 0 && *s.Delay <= maxHostDelay) {
		return fmt.Errorf("%w: the delay is 0 to %d seconds", ErrHostSettings, maxHostDelay)
	}
	return nil
}
