package jsonread

// habit says where the nodes of a document that were sound have their @id: before what is said of
// them, or behind it. A document is written by one program, as a rule. So a node which has no @id
// before the first thing that is said of it has none behind it either. Where a node is cut off, that
// tells whether it is one without a name.
type habit struct {
	front, behind int   // nodes
	contexts      int   // nodes with a context of their own, but the outermost
	upTo          int64 // the offset up to which nodes were counted
}

// manyHabits is how many nodes are looked at, and enoughHabits how many must agree.
const manyHabits, enoughHabits = 4096, 4

// known says that enough nodes have their @id in front, and hardly one behind.
func (h *habit) known() bool { return h.front >= enoughHabits && mostly(h.front, h.front+h.behind) }

// mostly says that a habit has hardly an exception: a sound object may be one that was broken, and is sound by chance.
func mostly(n, all int) bool { return 16*(all-n) <= all }

// learn looks at the members of a sound object that ends here; depth is the number of
// brackets around it.
func (p *parser) learn(members []Member, depth int) {
	h := &p.habit
	if h.front+h.behind >= manyHabits || p.offset() <= h.upTo {
		return
	}
	h.upTo = p.offset()
	id, said := -1, -1
	for i := range members {
		switch name := members[i].Name; {
		case p.isID(name):
			id = i
		case name == p.words.Context:
			if depth > 0 {
				h.contexts++
			}
		case said < 0 && p.saysSomething(name):
			said = i
		}
	}
	switch {
	case id < 0 || said < 0:
	case id < said:
		h.front++
	default:
		h.behind++
	}
}

// meant is the keyword that a name means, as far as that can be told here; else the name.
func (p *parser) meant(name string) string {
	if alias, ok := p.aliases[name]; ok {
		return alias
	}
	return name
}

// isID says that a name means @id.
func (p *parser) isID(name string) bool {
	return name == p.words.ID || name == p.words.Usual.ID || p.aliases[name] == p.words.ID
}

// hasID says that an object says what it is about.
func (p *parser) hasID(v *Value) bool {
	for i := range v.Members {
		if p.isID(v.Members[i].Name) {
			return true
		}
	}
	return false
}

// saysSomething says that a name is that of a property: no keyword, and none of the names
// that widely used contexts give to keywords.
func (p *parser) saysSomething(name string) bool {
	switch name = p.meant(name); name {
	case p.words.Usual.Type, p.words.Usual.Value, p.words.Usual.Language:
		return false
	}
	return name != "" && name[0] != p.words.Sign
}

// lineHabit is what the sound objects of a file of lines have in common.
type lineHabit struct {
	seen, contexts, named int // lines; those that begin with a context, and those that have an @id
}

// see notes a sound top-level object.
func (h *lineHabit) see(p *parser, v *Value) {
	if v.Kind != Object || len(v.Members) == 0 || h.seen >= manyHabits {
		return
	}
	if h.seen++; v.Members[0].Name == p.words.Context {
		h.contexts++
	}
	if p.hasID(v) {
		h.named++
	}
}

// doubt says that what is left of a line may be only the rest of its object. It lacks the context with
// which all others begin. Where it lacks the @id that all others have, only what stands in it can be
// read.
func (h *lineHabit) doubt(p *parser, v *Value) bool {
	if h.seen < enoughHabits || v.Kind != Object || len(v.Members) == 0 {
		return false
	}
	if mostly(h.contexts, h.seen) && v.Members[0].Name != p.words.Context {
		return true
	}
	if mostly(h.named, h.seen) && !p.hasID(v) {
		v.Nameless = true
	}
	return false
}
