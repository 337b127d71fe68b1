package catalog

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
)

// Found is what a document proved to be, as far as it is known.
type Found struct {
	Bytes  int64             // as they came; -1: not known, or not what the catalog can mean
	Digest map[string]string // hex by algorithm: md5, sha1, sha256, …; what is absent is not compared

	ContentType  string // the header, "" without one
	LastModified string // the header

	Format  format.Format // "" if it is not known
	Written int64         // statements, each once; -1: not known
}

// Differences are warnings for what a catalog claims of a document and is not so.
func Differences(claims Claims, found Found) (all []fault.Notice) {
	differ := func(code fault.Code, format string, args ...any) {
		all = append(all, fault.Notice{Code: code, Severity: fault.Warning, Message: fmt.Sprintf(format, args...)})
	}
	if claimed := claims[Size]; claimed != "" && found.Bytes >= 0 && !sameSize(claimed, found.Bytes) {
		differ(fault.ClaimSize, "claimed %s bytes, came %d", claimed, found.Bytes)
	}
	if algorithm, claimed, ok := strings.Cut(claims[Checksum], ":"); ok {
		if is := found.Digest[algorithm]; is != "" && is != claimed {
			differ(fault.ClaimChecksum, "claimed %s %s, it is %s", algorithm, claimed, is)
		}
	}
	if claimed := mediaType(claims[MediaType]); claimed != "" && found.ContentType != "" {
		if sent := mediaType(found.ContentType); !sameMediaType(claimed, sent) {
			differ(fault.ClaimMediaType, "claimed as %s, sent as %s", claimed, sent)
		}
	}
	if claimed := claims[Modified]; claimed != "" && found.LastModified != "" {
		if apart, ok := timesApart(claimed, found.LastModified); ok && apart {
			differ(fault.ClaimModified, "claimed to be of %s, sent as of %s", claimed, Time(found.LastModified))
		}
	}
	if claimed := FormatOf(claims[Format]); claimed != "" && found.Format != "" {
		is := format.Guessed{Format: found.Format}
		if is.Contradicts(claimed.MediaType()) {
			differ(fault.ClaimFormat, "claimed as %s (%s), it is %s", claimed, fault.Excerpt([]byte(claims[Format])), found.Format)
		}
	}
	if claimed, ok := wholeNumber(claims[Triples]); ok && found.Written >= 0 && claimed != found.Written {
		differ(fault.ClaimTriples, "claimed %d triples, there are %d", claimed, found.Written)
	}
	return all
}

// sameSize compares a claim with a number of bytes. A rounded claim ("1.9G", of
// 1,024) is met by all that is less than one of its last digit away.
func sameSize(claimed string, is int64) bool {
	unit := strings.IndexByte("KMGT", claimed[len(claimed)-1])
	if unit < 0 {
		n, err := strconv.ParseInt(claimed, 10, 64)
		return err != nil || n == is
	}
	number := claimed[:len(claimed)-1]
	n, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return true
	}
	digit := 1.0
	if _, decimals, ok := strings.Cut(number, "."); ok {
		digit = math.Pow(10, -float64(len(decimals)))
	}
	return math.Abs(float64(is)/math.Pow(1024, float64(unit+1))-n) < digit
}

// sameMediaType says that a media type does not gainsay another: it is the same, one
// of its old names, or says nothing.
func sameMediaType(claimed, sent string) bool {
	if claimed == sent || saysNothing(claimed) || saysNothing(sent) {
		return true
	}
	a, errA := format.Named(claimed)
	b, errB := format.Named(sent)
	if errA == nil && errB == nil {
		return a == b
	}
	return natureOfWord(claimed) == packed && natureOfWord(sent) == packed && packedName(claimed) == packedName(sent)
}

// saysNothing is a media type that fits any file, or any text or XML or JSON.
func saysNothing(m string) bool {
	switch m {
	case "", "application/octet-stream", "binary/octet-stream", "text/plain", "application/xml", "text/xml", "application/json",
		"application/force-download", "application/download", "application/x-download", "application/unknown", "unknown/unknown":
		return true
	}
	return !strings.Contains(m, "/")
}

// packedName is a media type of a compression without what people put before it.
func packedName(m string) string {
	_, name, _ := strings.Cut(m, "/")
	return strings.TrimPrefix(strings.TrimPrefix(name, "x-"), "vnd.")
}

// timesApart says whether two times are further apart than the claim is exact. That is a minute, or a
// day where it has no zone or is a date. Where it is only a month or a year, or one of them is no
// time, ok is false.
func timesApart(claimed, sent string) (apart, ok bool) {
	claimed, sent = Time(claimed), Time(sent)
	at, err := time.Parse(time.RFC3339, sent)
	if err != nil {
		return false, false
	}
	if exact, err := time.Parse(time.RFC3339, claimed); err == nil {
		return at.Sub(exact).Abs() > time.Minute, true
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02"} {
		if local, err := time.Parse(layout, claimed); err == nil {
			from, to := local.Add(-24*time.Hour), local.Add(24*time.Hour)
			if layout == "2006-01-02" {
				to = to.Add(24 * time.Hour)
			}
			return at.Before(from) || at.After(to), true
		}
	}
	return false, false
}
