package web

import (
	"slices"
	"strconv"
	"strings"
)

// Negotiated is the media type among offers that an Accept header asks for most (RFC 9110 §12.5.1): of those that it
// wants equally, the first. The offer "" says that none of them will do. Without a header, any will.
//
// Parameters of a media range, such as a profile, are not looked at.
func Negotiated(accept []string, offers ...string) (offer string) {
	ranges := rangesOf(accept)
	if len(ranges) == 0 {
		return offers[0]
	}
	best := 0.0
	for _, one := range offers {
		if q := qualityOf(one, ranges); q > best {
			offer, best = one, q
		}
	}
	return offer
}

// mediaRange is one of an Accept header, in lower case.
type mediaRange struct {
	kind, subtype string // "*" for any
	quality       float64
}

// rangesOf reads Accept headers. What is no media range is left out.
func rangesOf(accept []string) (all []mediaRange) {
	for one := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		parameters := strings.Split(one, ";")
		kind, subtype, ok := strings.Cut(strings.ToLower(strings.TrimSpace(parameters[0])), "/")
		if kind == "*" && !ok {
			subtype, ok = "*", true // as some old clients write it
		}
		if !ok || kind == "" || subtype == "" || kind == "*" && subtype != "*" {
			continue
		}
		m := mediaRange{kind, subtype, 1}
		for _, parameter := range parameters[1:] {
			name, value, _ := strings.Cut(parameter, "=")
			if !strings.EqualFold(strings.TrimSpace(name), "q") {
				continue
			}
			q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || !(q >= 0 && q <= 1) {
				q = 0
			}
			m.quality = q
			break // what follows is an extension
		}
		all = append(all, m)
	}
	return all
}

// qualityOf is how much a media type is wanted: as the most exact of the ranges that it is in says.
func qualityOf(mediaType string, ranges []mediaRange) float64 {
	kind, subtype, _ := strings.Cut(mediaType, "/")
	exact := [3]float64{-1, -1, -1}
	for _, m := range ranges {
		switch {
		case m.kind == kind && m.subtype == subtype:
			exact[0] = max(exact[0], m.quality)
		case m.kind == kind && m.subtype == "*":
			exact[1] = max(exact[1], m.quality)
		case m.kind == "*":
			exact[2] = max(exact[2], m.quality)
		}
	}
	if i := slices.IndexFunc(exact[:], func(q float64) bool { return q >= 0 }); i >= 0 {
		return exact[i]
	}
	return 0
}
