package token

import "strings"

// stops says which characters end an address; those beyond ASCII but white space do not.
func stops(c byte) bool {
	switch c {
	case '"', '<', '>', '|', '(', ')':
		return true
	}
	return class[c] == space
}

// runEnd is the end of what may be one address from i.
func (l *lexer) runEnd(i int) int {
	for i < len(l.s) {
		c := l.s[i]
		if stops(c) {
			break
		}
		if c == 0xC2 && strings.HasPrefix(l.s[i:], "\u00a0") {
			break
		}
		i++
	}
	return i
}

// inMail says whether a mail address that begins at i or before may go on behind it.
func (l *lexer) inMail(i int) bool { return l.mailEnd(i) > 0 }

// mailEnd is the end of a mail address that begins at i, or 0: all up to the last @ and the name behind it.
func (l *lexer) mailEnd(i int) int {
	if l.at < i {
		l.at = strings.IndexByte(l.s[i:], '@') + i
		if l.at < i {
			l.at = len(l.s)
		}
	}
	if l.at >= len(l.s) {
		return 0
	}
	if i >= l.run {
		l.run = l.runEnd(i)
		l.mail = lastMail(l.s[i:l.run]) + i
	}
	if l.at < l.run && l.mail > l.at {
		return l.mail
	}
	return 0
}

// lastMail is the end of the longest address in a run of characters.
func lastMail(run string) int {
	best := -1
	for at := strings.LastIndexByte(run, '@'); at > 0; at = strings.LastIndexByte(run[:at], '@') {
		end := at + 1
		for end < len(run) && run[end] != '.' {
			end++
		}
		if end == at+1 {
			continue
		}
		for end+1 < len(run) && run[end] == '.' && run[end+1] != '.' {
			end++
			for end < len(run) && run[end] != '.' {
				end++
			}
		}
		best = max(best, end)
		break
	}
	return best
}

// offerAddress offers web and mail addresses. The first word of it ends at w.
func (l *lexer) offerAddress(m *match, w int) {
	if end := l.mailEnd(l.pos); end > 0 {
		m.offer(end, end)
	}
	switch c := l.byteAt(w); {
	case c == ':':
		if scheme := l.s[l.pos:w]; (scheme == "http" || scheme == "https") && strings.HasPrefix(l.s[w:], "://") {
			if end := l.pathEnd(w + 3); end > w+3 {
				m.offer(end, end)
			}
		}
	case c == '.' || c == '-':
		l.offerHost(m)
	}
}

// offerHost offers a name of a host that is known by its beginning or its end, with a path.
func (l *lexer) offerHost(m *match) {
	i, known, labels := l.pos, 0, 0
	www := strings.HasPrefix(l.s[i:], "www.")
	for {
		end := i
		for end < len(l.s) && (isAlnum(l.s[end]) || l.s[end] == '-') {
			end++
		}
		if end == i {
			break
		}
		if labels++; labels > 1 && domains[strings.ToLower(l.s[i:min(end, i+5)])] && end-i < 5 || www && labels > 2 {
			known = end
		}
		if end+1 >= len(l.s) || l.s[end] != '.' || !isAlnum(l.s[end+1]) {
			break
		}
		i = end + 1
	}
	if known == 0 {
		return
	}
	m.offer(known, known)
	if l.byteAt(known) == '/' {
		end := max(l.pathEnd(known), known+1)
		m.offer(end, end)
	}
}

// domains are the ends of hosts that the reference knows without a scheme before them.
var domains = map[string]bool{"com": true, "net": true, "org": true, "edu": true, "gov": true, "mil": true, "info": true, "biz": true}

// pathEnd is the end of an address from i, without the signs of the sentence behind it.
func (l *lexer) pathEnd(i int) int {
	end := l.runEnd(i)
	for end > i && strings.IndexByte(".!?,{}-", l.s[end-1]) >= 0 {
		end--
	}
	return end
}
