package unit

import (
	"math/big"
	"strings"
	"sync"
)

// prefixes are those of the SI (Brochure, 9th edition, table 7, up to 1998), and the binary
// ones of IEC 80000-13 that UCUM names.
var prefixes = map[string]string{
	"Y": "1e24", "Z": "1e21", "E": "1e18", "P": "1e15", "T": "1e12", "G": "1e9", "M": "1e6",
	"k": "1e3", "h": "1e2", "da": "1e1", "d": "1e-1", "c": "1e-2", "m": "1e-3", "u": "1e-6",
	"n": "1e-9", "p": "1e-12", "f": "1e-15", "a": "1e-18", "z": "1e-21", "y": "1e-24",
	"Ki": "1024", "Mi": "1048576", "Gi": "1073741824", "Ti": "1099511627776",
}

// bases are the base units of UCUM, in the order of a dimension's exponents. The charge is a
// base where the SI has the current, the angle is one, and the amount of substance is a number.
var bases = [dimensions]string{"m", "s", "g", "rad", "K", "C", "cd"}

const dimensions = 7

// definitions are the units, a line each. A line has the code, m where it takes a prefix, a
// fraction or decimal, and the unit that it is a multiple of. A group names where its units
// are publicly defined; a test compares each number with UCUM's table, none with those
// texts. A unit is after those that it is made of.
//
// Where a code of UCUM means an older value than the newest (AU, pc, [eps_0], m[Hg]), it has
// the value that the code means. The meaning of a code is not ours to change.
const definitions = `
# Numbers
10* - 10 1
10^ - 10 1
[pi] - 1 [pi]
% - 1/100 1
[ppth] - 1e-3 1
[ppm] - 1e-6 1
[ppb] - 1e-9 1
[pptr] - 1e-12 1
bit m 1 1
By m 8 bit

# SI Brochure, 9th edition: 2.3.4 and table 4 (units with special names), 2.3.1 (mole)
mol m 602214076e15 1
eq m 1 mol
osm m 1 mol
sr m 1 rad2
Hz m 1 s-1
Bq m 1 s-1
Bd m 1 s-1
N m 1000 g.m/s2
Pa m 1 N/m2
J m 1 N.m
W m 1 J/s
A m 1 C/s
V m 1 W/A
F m 1 C/V
Ohm m 1 V/A
S m 1 A/V
mho m 1 S
Wb m 1 V.s
T m 1 Wb/m2
H m 1 Wb/A
lm m 1 cd.sr
lx m 1 lm/m2
Gy m 1 m2/s2
Sv m 1 m2/s2
kat m 1 mol/s
U m 1/60000000 mol/s

# SI Brochure: table 8 (units accepted beside the SI), and calendars
min - 60 s
h - 3600 s
d - 86400 s
wk - 604800 s
a_j - 31557600 s
a_t - 365.24219 d
a_g - 146097/400 d
a - 1 a_j
mo_j - 1/12 a_j
mo_g - 1/12 a_g
mo_s - 29.53059 d
mo - 1 mo_j
deg - 1/180 [pi].rad
' - 1/60 deg
'' - 1/3600 deg
gon - 1/200 [pi].rad
circ - 2 [pi].rad
sph - 4 [pi].sr
l m 1e-3 m3
L m 1e-3 m3
ar m 100 m2
t m 1e6 g
bar m 100000 Pa
b - 1e-28 m2
st m 1 m3
Ao - 1e-10 m

# SI Brochure: the defining constants; CODATA; IAU; CGPM 1901 (standard gravity)
[c] m 299792458 m/s
[h] m 662607015e-42 J.s
[k] m 1380649e-29 J/K
[e] m 1602176634e-28 C
eV m 1 [e].V
u m 166053906660e-35 g
[m_e] m 91093837139e-38 g
[m_p] m 167262192595e-35 g
[G] m 6.67430e-11 m3/kg/s2
[eps_0] m 8854187817e-21 F/m
[mu_0] m 4e-7 [pi].N/A2
[g] m 9.80665 m/s2
AU - 149597870691 m
pc m 30856780000000000 m
[ly] m 1 [c].a_j

# NIST SP 811, appendix B: units of the CGS and others that are no longer used
dyn m 1e-5 N
erg m 1e-7 J
P m 0.1 Pa.s
St m 1e-4 m2/s
Bi m 10 A
Mx m 1e-8 Wb
G m 1e-4 T
Oe m 250 A/m/[pi]
Gb m 2.5 A/[pi]
sb m 1e4 cd/m2
Lmb m 1e4 cd/m2/[pi]
ph m 1e-4 lx
Ci m 37000000000 Bq
R m 258e-6 C/kg
RAD m 1/100 Gy
REM m 1/100 Gy
Ky m 100 m-1
Gal m 0.01 m/s2
gf m 1 g.[g]
att - 98066.5 Pa
atm - 101325 Pa
tex m 1e-3 g/m
[den] - 1/9000 g/m
m[H2O] m 9806.65 Pa
m[Hg] m 133322 Pa
[S] - 1e-13 s

# The yard and the pound of 1959 (US Federal Register 24 FR 5348; NIST SP 811, B.6)
[in_i] - 0.0254 m
[ft_i] - 0.3048 m
[yd_i] - 0.9144 m
[mi_i] - 1609.344 m
[fth_i] - 1.8288 m
[nmi_i] - 1852 m
[kn_i] - 1852/3600 m/s
[sin_i] - 1 [in_i]2
[sft_i] - 1 [ft_i]2
[syd_i] - 9 [ft_i]2
[cin_i] - 1 [in_i]3
[cft_i] - 1728 [in_i]3
[cyd_i] - 27 [ft_i]3
[bf_i] - 1/12 [ft_i]3
[cr_i] - 128 [ft_i]3
[crd_us] - 128 [ft_i]3
[mil_i] - 25.4e-6 m
[cml_i] - 1/4 [pi].[mil_i]2
[hd_i] - 0.1016 m
[smoot] - 67 [in_i]
[mesh_i] - 1 1/[in_i]

# The survey foot of the United States, 1200/3937 m (Mendenhall order of 1893)
[ft_us] - 1200/3937 m
[in_us] - 100/3937 m
[yd_us] - 3600/3937 m
[rd_us] - 33/2 [ft_us]
[ch_us] - 66 [ft_us]
[lk_us] - 0.66 [ft_us]
[rch_us] - 100 [ft_us]
[rlk_us] - 1 [ft_us]
[fth_us] - 6 [ft_us]
[fur_us] - 660 [ft_us]
[mi_us] - 5280 [ft_us]
[acr_us] - 43560 [ft_us]2
[srd_us] - 1089/4 [ft_us]2
[smi_us] - 640 [acr_us]
[sct] - 640 [acr_us]
[twp] - 36 [sct]
[mil_us] - 1e-3 [in_us]

# The imperial inch of 2.539998 cm (Great Britain, before 1959)
[in_br] - 0.02539998 m
[ft_br] - 0.30479976 m
[yd_br] - 0.91439928 m
[rd_br] - 33/2 [ft_br]
[ch_br] - 66 [ft_br]
[lk_br] - 0.66 [ft_br]
[fth_br] - 6 [ft_br]
[pc_br] - 5/2 [ft_br]
[mi_br] - 5280 [ft_br]
[nmi_br] - 6080 [ft_br]
[kn_br] - 6080/3600 [ft_br]/s
[acr_br] - 43560 [ft_br]2

# Volumes of the United States (NIST Handbook 44, appendix C; 21 CFR 101.9 for the metric ones)
[gal_us] - 231 [in_i]3
[bbl_us] - 9702 [in_i]3
[qt_us] - 231/4 [in_i]3
[pt_us] - 231/8 [in_i]3
[cup_us] - 231/16 [in_i]3
[gil_us] - 231/32 [in_i]3
[foz_us] - 231/128 [in_i]3
[tbs_us] - 231/256 [in_i]3
[tsp_us] - 231/768 [in_i]3
[fdr_us] - 231/1024 [in_i]3
[min_us] - 231/61440 [in_i]3
[bu_us] - 2150.42 [in_i]3
[gal_wi] - 1/8 [bu_us]
[pk_us] - 1/4 [bu_us]
[dqt_us] - 1/32 [bu_us]
[dpt_us] - 1/64 [bu_us]
[foz_m] - 30 mL
[cup_m] - 240 mL
[tsp_m] - 5 mL
[tbs_m] - 15 mL
[drp] - 0.05 mL

# Volumes of Great Britain (Weights and Measures Act 1985, schedule 1)
[gal_br] - 4.54609 L
[pk_br] - 2 [gal_br]
[bu_br] - 8 [gal_br]
[qt_br] - 1/4 [gal_br]
[pt_br] - 1/8 [gal_br]
[gil_br] - 1/32 [gal_br]
[foz_br] - 1/160 [gal_br]
[fdr_br] - 1/1280 [gal_br]
[min_br] - 1/76800 [gal_br]

# Masses: the pound is 453.59237 g (as above), troy and apothecaries' weight by the grain
[gr] - 0.06479891 g
[lb_av] - 453.59237 g
[oz_av] - 1/16 [lb_av]
[dr_av] - 1/256 [lb_av]
[scwt_av] - 100 [lb_av]
[lcwt_av] - 112 [lb_av]
[ston_av] - 2000 [lb_av]
[lton_av] - 2240 [lb_av]
[stone_av] - 14 [lb_av]
[pwt_tr] - 24 [gr]
[oz_tr] - 480 [gr]
[lb_tr] - 5760 [gr]
[sc_ap] - 20 [gr]
[dr_ap] - 60 [gr]
[oz_ap] - 480 [gr]
[lb_ap] - 5760 [gr]
[oz_m] - 28 g
[car_m] - 0.2 g
[car_Au] - 1/24 1

# Forces, pressures and power of these
[lbf_av] - 1 [lb_av].[g]
[psi] - 1 [lbf_av]/[in_i]2
[in_i'H2O] - 0.0254 m[H2O]
[in_i'Hg] - 0.0254 m[Hg]
[HP] - 550 [ft_i].[lbf_av]/s

# Typography: points of the inch, of American printers, and of Didot
[lne] - 1/12 [in_i]
[pnt] - 1/72 [in_i]
[pca] - 1/6 [in_i]
[pnt_pr] - 0.013837 [in_i]
[pca_pr] - 0.166044 [in_i]
[pied] - 0.3248 m
[pouce] - 1/12 [pied]
[ligne] - 1/144 [pied]
[didot] - 1/864 [pied]
[cicero] - 1/72 [pied]

# Heat (NIST SP 811, B.8; ISO 31-4)
[degR] - 5/9 K
cal_[15] m 4.1858 J
cal_[20] m 4.1819 J
cal_m m 4.19002 J
cal_IT m 4.1868 J
cal_th m 4.184 J
cal m 4.184 J
[Cal] - 4184 J
[Btu_39] - 1059.67 J
[Btu_59] - 1054.8 J
[Btu_60] - 1054.68 J
[Btu_m] - 1055.87 J
[Btu_IT] - 1055.05585262 J
[Btu_th] - 1054.35 J
[Btu] - 1054.35 J

# Clinical use
[PRU] - 1 mm[Hg].s/mL
[wood'U] - 1 mm[Hg].min/L
[diop] - 1 m-1
[Ch] - 1/3 mm
[hnsf'U] - 1 1
[MET] - 3.5 mL/min/kg
g% m 1 g/dL
[HPF] - 1 1
[LPF] - 100 1
[NTU] - 1 1
[FNU] - 1 1
`

// arbitrary are units that a procedure defines: each converts into itself alone. Those of
// the first line take prefixes.
const arbitraryMetric = `[iU]`
const arbitraryOther = `[hp_X] [hp_C] [hp_M] [hp_Q] [kp_X] [kp_C] [kp_M] [kp_Q] [arb'U] [USP'U] [GPL'U] [MPL'U] [APL'U]
	[beth'U] [anti'Xa'U] [todd'U] [dye'U] [smgy'U] [bdsk'U] [ka'U] [knk'U] [mclg'U] [tb'U] [CCID_50] [TCID_50] [EID_50]
	[PFU] [FFU] [CFU] [IR] [BAU] [AU] [Amb'a'1'U] [PNU] [Lf] [D'ag'U] [FEU] [ELU] [EU]`

// specials are units whose values are a function of a quantity. A line has the code, m
// where it takes a prefix, the function, and the number and unit of the quantity.
const specials = `
Cel m celsius 1 K
[degF] - fahrenheit 5/9 K
[degRe] - reaumur 5/4 K
[p'diop] - tangent 1 rad
%[slope] - tangent 1 rad
[hp'_X] - potency10 1 1
[hp'_C] - potency100 1 1
[hp'_M] - potency1000 1 1
[hp'_Q] - potency50000 1 1
[pH] - potency10 1 mol/L
Np m ln 1 1
B m lg 1 1
B[SPL] m lg2 2e-5 Pa
B[V] m lg2 1 V
B[mV] m lg2 1 mV
B[uV] m lg2 1 uV
B[10.nV] m lg2 10 nV
B[W] m lg 1 W
B[kW] m lg 1 kW
[m/s2/Hz^(1/2)] - root 1 m2/s4/Hz
bit_s - ld 1 1
`

// atom is a unit of the table.
type atom struct {
	unit   Unit
	metric bool // takes a prefix
}

// table is made when the first unit is read.
var table = sync.OnceValue(func() map[string]*atom {
	atoms := make(map[string]*atom, 400)
	for i, code := range bases {
		u := one()
		u.dimension[i] = 1
		atoms[code] = &atom{u, true}
	}
	pi := one()
	pi.pi = 1
	atoms["[pi]"] = &atom{pi, false}
	p := &parser{atoms: atoms}
	for line := range strings.Lines(definitions) {
		f := strings.Fields(line)
		if len(f) != 4 || f[0] == "#" {
			continue
		}
		u := p.must(f[3])
		u.factor = new(big.Rat).Mul(u.factor, number(f[2]))
		atoms[f[0]] = &atom{u, f[1] == "m"}
	}
	for i, codes := range []string{arbitraryMetric, arbitraryOther} {
		for _, code := range strings.Fields(codes) {
			u := one()
			u.arbitrary = map[string]int{code: 1}
			atoms[code] = &atom{u, i == 0}
		}
	}
	atoms["[IU]"] = atoms["[iU]"]
	functions := functionsByName()
	for line := range strings.Lines(specials) {
		f := strings.Fields(line)
		if len(f) != 5 {
			continue
		}
		u := p.must(f[4])
		u.factor = new(big.Rat).Mul(u.factor, number(f[3]))
		u.function, u.scale = functions[f[2]], big.NewRat(1, 1)
		atoms[f[0]] = &atom{u, f[1] == "m"}
	}
	return atoms
})

func number(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("unit: the table has no number where it has " + s)
	}
	return r
}

func (p *parser) must(code string) Unit {
	u, err := p.parse(code)
	if err != nil {
		panic("unit: the table has " + code + ": " + err.Error())
	}
	return u
}
