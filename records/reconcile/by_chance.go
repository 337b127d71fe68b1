package reconcile

import "math"

// standing is how many records of a table have a candidate that stands out.
type standing struct{ share, of, all float64 }

// farOut is how many times as far the best candidate is from the next as by chance, to stand out.
const farOut = 5

// standingOut counts the records of a side whose best candidate stands out. Of candidates that are all wrong, the
// best are the largest of many draws, and then the distance of the first from the second is on average twice that
// of the second from the third; that it is c times as large as that has the chance 1/(1+c), whatever the scores
// are.
func (m *matching) standingOut(side int) (s standing) {
	from, to := 0, m.firsts
	if side == 1 {
		from, to = m.firsts, m.n
	}
	top := make([][3]float64, m.n)
	for i := range top {
		top[i] = [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	}
	for _, p := range m.pairs {
		for _, r := range [...]uint32{p.a, p.b} {
			switch t := &top[r]; {
			case p.z > t[0]:
				t[0], t[1], t[2] = p.z, t[0], t[1]
			case p.z > t[1]:
				t[1], t[2] = p.z, t[1]
			case p.z > t[2]:
				t[2] = p.z
			}
		}
	}
	for _, t := range top[from:to] {
		s.all++
		if math.IsInf(t[2], -1) {
			continue
		}
		s.of++
		if t[0]-t[1] > farOut*2*(t[1]-t[2]) {
			s.share++
		}
	}
	s.share /= max(s.of, 1)
	return s
}

// byChance says that there are no more candidates that stand out than by chance, both by what the records have in
// common and by what was learned: then nothing shows that any are the same.
func byChance(first, last standing) bool {
	const chance = 1.0 / (1 + farOut)
	if last.of < 30 || last.of < last.all/3 {
		return false
	}
	deviation := math.Sqrt(chance * (1 - chance) / last.of)
	return last.share < chance+3*deviation && first.share < chance+.08
}
