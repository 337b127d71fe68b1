package fetch

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxAfter is the longest wait that a server may ask for.
const maxAfter = 30 * 24 * time.Hour

// retryAfter reads seconds or a date (RFC 9110 §10.2.3); 0 if it is neither.
func retryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseInt(value, 10, 64); err == nil {
		if seconds > int64(maxAfter/time.Second) {
			return maxAfter
		}
		return max(time.Duration(seconds)*time.Second, 0)
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(at.Sub(now), 0), maxAfter)
	}
	return 0
}

// maxReset is the longest that a limit of requests may take to end: there are such by the day.
const maxReset = 25 * time.Hour

// askedRest is how long a reply asks to be left alone. That is its Retry-After, or else the time
// until the limit of requests ends that it names. It is 0 if it names neither, or what can't be so.
func askedRest(reply *http.Response, now time.Time) time.Duration {
	if after := retryAfter(reply.Header.Get("Retry-After"), now); after > 0 {
		return after
	}
	busy := reply.StatusCode == http.StatusTooManyRequests
	if !busy && (reply.StatusCode != http.StatusServiceUnavailable || hasRequestsLeft(reply.Header)) {
		return 0
	}
	if sent, err := http.ParseTime(reply.Header.Get("Date")); err == nil {
		now = sent // by the clock that a time is of
	}
	after := limitEnd(reply.Header)
	for _, name := range []string{
		"RateLimit-Reset", "X-RateLimit-Reset-After", "X-Rate-Limit-Reset-After", "X-RateLimit-Reset", "X-Rate-Limit-Reset",
	} {
		if after <= 0 {
			after = resetIn(reply.Header.Get(name), now)
		}
	}
	return after
}

// hasRequestsLeft says that a limit of requests is not what a reply is about.
func hasRequestsLeft(header http.Header) bool {
	for _, name := range []string{"RateLimit-Remaining", "X-RateLimit-Remaining", "X-Rate-Limit-Remaining"} {
		if left, err := strconv.ParseFloat(strings.TrimSpace(header.Get(name)), 64); err == nil && left > 0 {
			return true
		}
	}
	return false
}

// resetIn reads when a limit ends: after so many seconds, at a time in seconds or milliseconds since
// 1970, or at a date. Hosts mean all of them by the same names. 0 if it is past or too far.
func resetIn(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	var after time.Duration
	if number, err := strconv.ParseFloat(value, 64); err == nil && number >= 0 && number < 1e15 {
		const firstMillis = 1e11 // seconds since 1970 that no clock shows, and milliseconds of 1973
		switch {
		case number <= maxReset.Seconds():
			after = time.Duration(number * float64(time.Second))
		case number < firstMillis:
			after = time.Unix(int64(number)+1, 0).Sub(now) // the second has to end
		default:
			after = time.UnixMilli(int64(number)).Sub(now)
		}
	} else if at, err := http.ParseTime(value); err == nil {
		after = at.Sub(now)
	} else if at, err := time.Parse(time.RFC3339, value); err == nil {
		after = at.Sub(now)
	}
	if after < 0 || after > maxReset {
		return 0
	}
	return after
}

// limitEnd reads the field RateLimit. In it, t or reset is the seconds until a limit ends; r or
// remaining is what is left of it. Of those that are used up, the one that ends last counts;
// if none is, the one that ends first.
func limitEnd(header http.Header) time.Duration {
	var used, other time.Duration
	for limit := range strings.SplitSeq(strings.Join(header.Values("RateLimit"), ","), ",") {
		left, after := -1.0, time.Duration(0)
		for parameter := range strings.SplitSeq(limit, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
			switch strings.ToLower(name) {
			case "r", "remaining":
				if n, err := strconv.ParseFloat(value, 64); err == nil {
					left = n
				}
			case "t", "reset":
				after = resetIn(value, time.Time{})
			}
		}
		switch {
		case after <= 0:
		case left == 0:
			used = max(used, after)
		case other == 0 || after < other:
			other = after
		}
	}
	if used > 0 {
		return used
	}
	return other
}
