package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"laundromat/internal/testkit/peer"
)

// peerTime is how long a peer may take for one text of up to 128 kB, and for each further 128 kB. Some
// never end on some texts.
const peerTime = 2 * time.Second

// asked makes a program of a peer.
func asked(p *peer.Peer, folder string) program {
	return program{p.Name, func(ctx context.Context, format, text string) (r reading, ok bool, err error) {
		if !p.Reads(format) {
			return r, false, nil
		}
		file := filepath.Join(folder, "text")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return r, false, err
		}
		answer, err := p.Read(ctx, format, file, base, peerTime*time.Duration(1+len(text)>>17))
		if err != nil {
			return r, false, err
		}
		r.endless, r.lines = answer.Stopped, map[int]bool{}
		r.content = answer.Error == "" && len(answer.Lines) == 0 && !answer.Stopped
		for _, line := range answer.Lines {
			r.lines[line] = true
		}
		// What it wrote is read as N-Quads, since programs escape characters as they like;
		// what it wrote twice counts once.
		written, err := washed(ctx, "N-Quads", answer.Quads)
		if err != nil {
			return r, false, err
		}
		seen := map[statement]bool{}
		for _, s := range written.statements {
			if !seen[s] {
				seen[s] = true
				r.statements, r.repaired = append(r.statements, s), append(r.repaired, false)
			}
		}
		return r, true, nil
	}}
}
