package jsonread

// itemHabit is what the sound items of an array of nodes have in common. A document is written by one program, as a
// rule. What is near a fault and has not what all others have is what is left of one.
type itemHabit struct {
	items  int // that were looked at
	values int // items that are values
	named  int // items that have an @id
}

// habitItems is how many items are looked at. At least sureItems must have something in common.
const habitItems, sureItems = 256, 6

// learnItem looks at a sound item.
func (p *parser) learnItem(s *shape, v *Value) {
	if !s.nodes || p.skipping || v.Kind != Object || s.habit != nil && s.habit.items >= habitItems {
		return
	}
	if s.habit == nil {
		s.habit = new(itemHabit)
	}
	s.habit.items++
	if p.hasID(v) {
		s.habit.named++
	}
	if v.Get(p.words.Value) != nil {
		s.habit.values++
	}
}

// fewNamed is how many items are enough to tell what they have in common where the one before was broken.
const fewNamed = 2

// lacksName says that an item has no @id, as all others have, which are so many at least.
func (s *shape) lacksName(p *parser, v *Value, least int) bool {
	return s.habit != nil && s.habit.items >= least && mostly(s.habit.named, s.habit.items) && !p.hasID(v)
}

// lacksNode says that an item is a value, as no other is.
func (s *shape) lacksNode(p *parser, v *Value) bool {
	return s.habit != nil && s.habit.items >= fewNamed && s.habit.values == 0 && v.Get(p.words.Value) != nil
}
