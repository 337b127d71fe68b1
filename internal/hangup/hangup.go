// Package hangup calls functions at each SIGHUP, which asks a daemon to read its settings and to open its log anew.
package hangup

import (
	"os"
	"os/signal"
	"syscall"
)

// Watch calls do at each SIGHUP, until what it returns is called. From then on the signal is ignored, also by others
// who watch: it ends no process that is about to end by itself.
func Watch(do func()) (release func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range signals {
			do()
		}
	}()
	return func() {
		signal.Ignore(syscall.SIGHUP)
		close(signals)
		<-done
	}
}
