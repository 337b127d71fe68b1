//go:build !linux

package daemon_test

import "errors"

func mountSmall(string, int) error { return errors.ErrUnsupported }

func unmount(string) error { return nil }
