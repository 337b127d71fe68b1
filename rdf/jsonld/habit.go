package jsonld

// habit says where the nodes of a document that were sound have their @id: before what
// is said of them, or behind it. A document is written by one program, as a rule, so
// that a node which has no @id before the first thing that is said of it has none
// behind it either. Where a node is cut off, that tells whether it is one without a name.
type habit struct {
	front, behind int   // nodes
	contexts      int   // nodes with a context of their own, but the outermost
	upTo          int64 // the offset up to which nodes were counted
}

// manyHabits is how many nodes are looked at, and enoughHabits how many must agree.
const manyHabits, enoughHabits = 4096, 4

// known says that enough nodes have their @id in front, and none behind.
func (h *habit) known() bool { return h.front >= enoughHabits && h.behind == 0 }

// learn looks at the members of a sound object that ends here; depth is the number of
// brackets around it.
func (p *parser) learn(members []member, depth int) {
	h := &p.habit
	if h.front+h.behind >= manyHabits || p.offset() <= h.upTo {
		return
	}
	h.upTo = p.offset()
	id, said := -1, -1
	for i := range members {
		switch name := members[i].name; {
		case p.isID(name):
			id = i
		case name == "@context":
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
	return name == "@id" || name == "id" || p.aliases[name] == "@id"
}

// saysSomething says that a name is that of a property: no keyword, and none of the names
// that widely used contexts give to keywords.
func (p *parser) saysSomething(name string) bool {
	switch name = p.meant(name); name {
	case "type", "value", "language":
		return false
	}
	return name != "" && name[0] != '@'
}
