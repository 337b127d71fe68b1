package jsonread

// after says what would wait for what if a fault were mended in some way, and from
// which token on.
func (m *mender) after(all []shape, w way) (_ []shape, i int) {
	i = m.i
	one := *m.token(i)
	s := &shape{} // where no bracket is open
	if len(all) > 0 {
		s = &all[len(all)-1]
	}
	switch w.kind {
	case wayDelete:
		if i++; s.strays(&one) {
			s.state = filled
		}
	case wayClose:
		all = m.afterClose(all, &one, w.close)
	case wayComma:
		s.state = wanted
	case wayClosing:
		s.state = filled
	case wayNoValue:
		if s.state = filled; m.isName(i) {
			s.state = wanted
		}
	case wayNoColon:
		i++
		s.state = m.afterName(i)
	case wayOpen:
		all = m.afterOpen(all, &one, false)
	case wayOpenBoth:
		all = m.afterOpen(all, &one, true)
	case wayCloseOpen:
		all = m.afterOpen(all[:len(all)-w.close], &one, false)
	case wayOrphan:
		s.state = filled
		i++
		all = append(all, shape{object: one.kind == '{', indent: one.indent, sort: s.sort.inner()})
	case wayArray:
		s.state = filled
		all = append(all, m.arrayOf(s, &one))
	case wayTake, wayDecimal:
		i++
		s.state = filled
	case wayName:
		i++
		s.state = named
	case wayAgain:
		all = m.afterReopening(all)
	case wayOther:
		i++
		all = ended(all[:len(all)-1])
	case waySwap:
		i += 2
		all = ended(all[:len(all)-2])
	case wayIgnore:
		i++
		all = m.move(all, i-1)
	case wayUnnamed:
		i++
		s.state = valued
	}
	return all, i
}

// afterClose says what would wait for what if so many brackets ended before a token.
func (m *mender) afterClose(all []shape, one *token, count int) []shape {
	comma := all[len(all)-1].state == wanted
	all = all[:len(all)-count]
	if n := len(all); n > 0 {
		all[n-1].state = m.afterClosing(&all[n-1], one, comma)
	}
	return all
}

// afterName is what an object waits for behind a name without its colon, the i-th token being next.
func (m *mender) afterName(i int) state {
	if m.token(i).begins() && !m.isName(i) {
		return valued
	}
	return filled
}

// afterOpen says what would wait for what if an object began before a token; both says that an array
// around it did, too.
func (m *mender) afterOpen(all []shape, one *token, both bool) []shape {
	s := &all[len(all)-1]
	indent := m.indentOf(s, one)
	s.state = filled
	if both {
		all = append(all, shape{state: filled, indent: indent})
	}
	return append(all, shape{object: true, indent: indent})
}

// afterReopening says what would wait for what if the bracket that was closed last were still open.
func (m *mender) afterReopening(all []shape) []shape {
	again := m.closed.shape
	again.state = filled
	if n := len(all); n > 0 && all[n-1].state == wanted {
		again.state = wanted
	}
	return append(all, again)
}

// afterClosing is what a bracket waits for before a token when brackets in it have
// ended; comma says that a comma stands before the token.
func (m *mender) afterClosing(s *shape, one *token, comma bool) state {
	if (comma || one.begins()) && one.kind != ',' && one.kind != s.closer() {
		return wanted
	}
	return filled
}

// arrayOf is the array whose first item is the last member of an object, its bracket being
// lost and the token its second.
func (m *mender) arrayOf(s *shape, one *token) shape {
	if one.first && s.column > 0 {
		return shape{state: wanted, indent: s.column, column: one.pos.Column}
	}
	return shape{state: wanted, indent: one.indent}
}

// indentOf is the column of the line on which an object began that has lost its brace,
// the token being the first name in it.
func (m *mender) indentOf(s *shape, one *token) int64 {
	switch {
	case !m.layout || !one.first:
		return one.indent
	case s.column < one.pos.Column:
		return s.column // 0 if it is not known
	}
	return 0
}
