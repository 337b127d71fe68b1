package jsonread

// placeholderBytes is how long a placeholder may be.
const placeholderBytes = 400

// ofTemplate says that a token which begins with a brace or dollar sign is left of a template, and ends it.
func (t *tokens) ofTemplate(one *token) bool {
	if b := t.byte(one.from); b != '{' && b != '$' || !t.rules.on(tokenPlaceholder) {
		return false
	}
	size := t.placeholder(one.from)
	if size > 0 {
		one.kind, one.to, one.flaw = tokenBroken, one.from+size, "this is left of a template: a value was not filled in"
	}
	return size > 0
}

// placeholder is the length of what begins at n and is left of a template: a page was written without a value being
// filled in. Such are {{ name }}, {{{ name }}}, {% if x %}, {# remark #} and ${name} on one line, which no JSON has.
// It is 0 if none begins there.
func (t *tokens) placeholder(n int) int {
	sign, from := t.byte(n+1), n+2
	switch {
	case t.byte(n) == '$' && sign == '{':
		sign = 0
	case t.byte(n) != '{' || sign != '{' && sign != '%' && sign != '#':
		return 0
	case sign == '{':
		if sign = '}'; t.byte(from) == '{' {
			from++
		}
		if from = t.behindBlanks(from); !beginsVariable(t.byte(from)) {
			return 0 // a brace was written twice
		}
	}
	for i := from; i < n+placeholderBytes; i++ {
		switch b := t.byte(i); {
		case t.ends(i) || b == '\n' || b == '\r' || b == '{':
			return 0
		case sign == 0 && b == '}':
			return i + 1 - n
		case b == sign && t.byte(i+1) == '}':
			if i += 2; t.byte(n+2) == '{' && t.byte(i) == '}' {
				i++
			}
			return i - n
		}
	}
	return 0
}

// behindBlanks is where the first byte stands that is no blank, from n on.
func (t *tokens) behindBlanks(n int) int {
	for t.byte(n) == ' ' {
		n++
	}
	return n
}

// beginsVariable says that a byte may begin the name of a variable of a template.
func beginsVariable(b byte) bool { return b == '_' || b == '$' || 'a' <= b|0x20 && b|0x20 <= 'z' }
