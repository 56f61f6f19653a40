package main

import (
	"fmt"
	"slices"
)

// The three sums of a cosine, of x*y, x*x and y*y, fill more registers than AVX2 has. So vectors are
// read twice, for the lanes that registers have and for the others, or the stack has the others.

const (
	// cosineSums is the bytes of the sums of half of the lanes, which the stack keeps.
	cosineSums = 384
	// cosineMany is the elements from which on a second pass loses to sums on the stack.
	cosineMany = 16384
	// cosineOne is the most elements for which multiples of 32 have code of their own.
	cosineOne = 4096
	// cosineFew is the most elements whose last lanes need no loop.
	cosineFew = 128
)

// cosine leaves the cosine in X0. Registers 0 to 3 have the lanes of x*y, registers 4 to 7
// the lanes of x*x, and registers 8 to 11 the lanes of y*y.
func (v width) cosine(w *writer) {
	const groups = 4
	lanes, bytes := groups*v.lanes, 4*v.lanes
	whole := lanes == 64
	// at is where the stack has a number: the vectors, their elements, and the passes to come.
	at := func(number string) int { return cosineSums + 8*slices.Index([]string{"x", "y", "n", "left"}, number) }
	add := func(j, x, y int) {
		w.op("VFMADD231PS %s, %s, %s", v.reg(y), v.reg(x), v.reg(j))
		w.op("VFMADD231PS %s, %[1]s, %s", v.reg(x), v.reg(groups+j))
		w.op("VFMADD231PS %s, %[1]s, %s", v.reg(y), v.reg(2*groups+j))
	}
	load := func(j int, index string) {
		w.op("VMOVUPS %d(%s)%s, %s", j*bytes, regX, index, v.reg(14))
		w.op("VMOVUPS %d(%s)%s, %s", j*bytes, regY, index, v.reg(15))
	}
	group := func(j int, index string) {
		load(j, index)
		add(j, 14, 15)
	}
	first := func(j, x, y int) {
		w.op("VMULPS %s, %s, %s", v.reg(y), v.reg(x), v.reg(j))
		w.op("VMULPS %s, %[1]s, %s", v.reg(x), v.reg(groups+j))
		w.op("VMULPS %s, %[1]s, %s", v.reg(y), v.reg(2*groups+j))
	}
	next := func() {
		w.op("ADDQ $256, %s", regX)
		w.op("ADDQ $256, %s", regY)
		w.op("SUBQ $64, %s", regN)
	}
	// pass sums up the lanes that X and Y begin with. N counts the elements from there on.
	pass := func() {
		w.op("loop:")
		w.op("CMPQ %s, $%d", regN, lanes)
		w.op("JLT last")
		for j := range groups {
			group(j, "")
		}
		next()
		w.op("JMP loop")
		w.op("last:")
		w.op("TESTQ %s, %[1]s", regN)
		w.op("JLE summed")
		v.partial(w, product, "last")
		for j := range groups {
			w.op("SUBQ $%d, %s", v.lanes, regN)
			if j == groups-1 {
				break
			}
			w.op("JLT last%d", j)
			group(j, "")
			w.op("JEQ summed")
		}
		for j := groups - 1; j >= 0; j-- {
			if j < groups-1 {
				w.op("last%d:", j)
			}
			add(j, 12, 13)
			if j > 0 {
				w.op("JMP summed")
			}
		}
		w.op("summed:")
	}
	// Few elements fill some registers once. The rest of a sum is left out.
	w.op("CMPQ %s, $%d", regN, lanes)
	w.op("JGE long")
	w.op("VXORPS X0, X0, X0")
	w.op("TESTQ %s, %[1]s", regN)
	w.op("JEQ sum")
	v.partial(w, product, "few")
	for j := range groups {
		w.op("SUBQ $%d, %s", v.lanes, regN)
		if j == groups-1 {
			break
		}
		w.op("JLT few%d", j)
		load(j, "")
		first(j, 14, 15)
		w.op("JEQ tree%d", j+1)
	}
	for j := groups - 1; j >= 0; j-- {
		if j < groups-1 {
			w.op("few%d:", j)
		}
		first(j, 12, 13)
		w.op("JMP tree%d", j+1)
	}
	w.op("long:")
	if whole {
		for j := range groups {
			load(j, "")
			first(j, 14, 15)
		}
		next()
		pass()
	} else {
		v.cosineOf32(w, group, load, first)
		w.op("any:")
		w.frame = cosineSums + 32
		for j := range 3 * groups {
			w.op("VXORPS %s, %[1]s, %[1]s", v.reg(j))
			w.op("VMOVUPS %s, %d(SP)", v.reg(0), j*bytes)
		}
		w.op("MOVQ $1, %d(SP)", at("left"))
		// Many elements come once: the stack keeps the sums of the last lanes for 128 elements.
		w.op("CMPQ %s, $%d", regN, cosineMany)
		w.op("JLT halves")
		w.op("many:")
		for _, index := range []int{0, 2 * groups} {
			for j := range groups {
				load(index+j, "")
				add(j, 14, 15)
			}
		}
		for j := range groups {
			here, there := groups+j, 3*groups+j
			sum := func(k int) string { return fmt.Sprintf("%d(SP)", (groups*k+j)*bytes) }
			load(here, "")
			w.op("VMOVUPS %s, Y12", sum(0))
			w.op("VFMADD231PS Y15, Y14, Y12")
			w.op("VMOVUPS %s, Y13", sum(1))
			w.op("VFMADD231PS Y14, Y14, Y13")
			w.op("VMOVUPS %s, Y14", sum(2))
			w.op("VFMADD231PS Y15, Y15, Y14")
			w.op("VMOVUPS %d(%s), Y15", there*bytes, regY)
			w.op("VFMADD231PS Y15, Y15, Y14")
			w.op("VMOVUPS Y14, %s", sum(2))
			w.op("VMOVUPS %d(%s), Y14", there*bytes, regX)
			w.op("VFMADD231PS Y15, Y14, Y12")
			w.op("VMOVUPS Y12, %s", sum(0))
			w.op("VFMADD231PS Y14, Y14, Y13")
			w.op("VMOVUPS Y13, %s", sum(1))
		}
		w.op("ADDQ $512, %s", regX)
		w.op("ADDQ $512, %s", regY)
		w.op("SUBQ $128, %s", regN)
		w.op("CMPQ %s, $128", regN)
		w.op("JGE many")
		w.op("TESTQ %s, %[1]s", regN)
		w.op("JEQ added")
		w.op("halves:")
		w.op("MOVQ %s, %d(SP)", regX, at("x"))
		w.op("MOVQ %s, %d(SP)", regY, at("y"))
		w.op("MOVQ %s, %d(SP)", regN, at("n"))
		w.op("half:")
		pass()
		w.op("SUBQ $1, %d(SP)", at("left"))
		w.op("JLT added")
		for j := range 3 * groups {
			w.op("VMOVUPS %d(SP), Y15", j*bytes)
			w.op("VMOVUPS %s, %d(SP)", v.reg(j), j*bytes)
			w.op("VMOVAPS Y15, %s", v.reg(j))
		}
		w.op("MOVQ %d(SP), %s", at("x"), regX)
		w.op("MOVQ %d(SP), %s", at("y"), regY)
		w.op("MOVQ %d(SP), %s", at("n"), regN)
		w.op("ADDQ $%d, %s", 4*lanes, regX)
		w.op("ADDQ $%d, %s", 4*lanes, regY)
		w.op("SUBQ $%d, %s", lanes, regN)
		w.op("JMP half")
		w.op("added:")
		for j := range 3 * groups {
			w.op("VADDPS %d(SP), %s, %[2]s", j*bytes, v.reg(j))
		}
	}
	for used := groups; used > 0; used-- {
		w.op("tree%d:", used)
		left := used
		for half := groups / 2; half > 0; half /= 2 {
			for j := half; j < left; j++ {
				for sum := 0; sum < 3*groups; sum += groups {
					w.op("VADDPS %s, %s, %[2]s", v.reg(sum+j), v.reg(sum+j-half))
				}
			}
			left = min(left, half)
		}
		if used > 1 {
			w.op("JMP lanes")
		}
	}
	w.op("lanes:")
	if whole {
		// Parts of 128 bits of x*y, x*x and y*y beside one another.
		w.op("VSHUFF64X2 $0x44, Z4, Z0, Z1")
		w.op("VSHUFF64X2 $0xee, Z4, Z0, Z2")
		w.op("VADDPS Z2, Z1, Z1")
		w.op("VEXTRACTF64X4 $1, Z8, Y2")
		w.op("VADDPS Y2, Y8, Y8")
		w.op("VSHUFF64X2 $0x88, Z8, Z1, Z0")
		w.op("VSHUFF64X2 $0xdd, Z8, Z1, Z2")
		w.op("VADDPS Z2, Z0, Z0")
		w.op("VPERMILPS $0x4e, Z0, Z1")
		w.op("VADDPS Z1, Z0, Z0")
		w.op("VPERMILPS $0xb1, Z0, Z1")
		w.op("VADDPS Z1, Z0, Z0")
		w.op("VEXTRACTF32X4 $1, Z0, X1")
		w.op("VEXTRACTF32X4 $2, Z0, X2")
		w.op("VXORPS X3, X3, X3")
		w.op("VADDSS X3, X0, X0")
		for j := range 3 {
			w.op("VCVTSS2SD X%d, X%[1]d, X%[1]d", j)
		}
	} else {
		for _, sum := range []int{0, 4, 8} {
			w.op("VEXTRACTF128 $1, Y%d, X1", sum)
			w.op("VADDPS X1, X%d, X%[1]d", sum)
		}
		// The last two additions of all sums at once: x*x, y*y and x*y.
		w.op("VUNPCKLPD X8, X4, X1")
		w.op("VUNPCKHPD X8, X4, X2")
		w.op("VADDPS X2, X1, X1")
		w.op("VMOVHLPS X0, X0, X2")
		w.op("VADDPS X2, X0, X0")
		w.op("VSHUFPS $0x88, X0, X1, X2")
		w.op("VSHUFPS $0xdd, X0, X1, X0")
		w.op("VADDPS X2, X0, X0")
		w.op("VCVTPS2PD X0, X1")
		w.op("VUNPCKHPD X1, X1, X2")
		w.op("VMOVHLPS X0, X0, X0")
		w.op("VXORPS X3, X3, X3")
		w.op("VADDSS X3, X0, X0")
		w.op("VCVTSS2SD X0, X0, X0")
	}
	// x*y, x*x and y*y in X0, X1 and X2; the product of the squared norms in X3.
	w.op("VMULSD X2, X1, X3")
	w.op("VSUBSD X3, X3, X4") // 0 or NaN
	w.op("VUCOMISD X4, X3")   // above unless the product is 0 or not finite
	w.op("JLS special")
	w.op("VSQRTSD X3, X3, X3")
	w.op("VDIVSD X3, X0, X0")
	w.op("VMINSD vectorOnes<>+0(SB), X0, X0")
	w.op("VMAXSD vectorOnes<>+8(SB), X0, X4")
	w.op("special:")
	w.op("VXORPS X0, X0, X0")
	w.op("VCVTSD2SS X4, X0, X0")
	w.op("sum:")
}

// cosineOf32 sums up the lanes of a multiple of 32 elements, and jumps to their tree.
func (v width) cosineOf32(w *writer, group, load func(j int, index string), first func(j, x, y int)) {
	const groups, sums = 4, 12 // sums is the register of the first of three
	w.op("TESTQ $31, %s", regN)
	w.op("JNE any")
	w.op("CMPQ %s, $%d", regN, cosineOne)
	w.op("JGT any")
	w.op("SHLQ $2, %s", regN)
	// half sums up the lanes that X and Y begin with, and goes to a label.
	half := func(label string) {
		for j := range groups {
			load(j, "")
			first(j, 14, 15)
		}
		w.op("MOVL $256, AX")
		w.op("CMPQ %s, AX", regN)
		w.op("JLE %s", label)
		w.op("%sLoop:", label)
		for j := range groups {
			group(j, "(AX*1)")
		}
		w.op("ADDQ $256, AX")
		w.op("CMPQ %s, AX", regN)
		w.op("JGT %sLoop", label)
		w.op("%s:", label)
	}
	w.op("CMPQ %s, $%d", regN, 4*cosineFew)
	w.op("JLE one")
	w.op("ADDQ $128, %s", regX)
	w.op("ADDQ $128, %s", regY)
	w.op("SUBQ $128, %s", regN)
	half("two")
	for j := range 3 * groups {
		w.op("VMOVUPS %s, %d(SP)", v.reg(j), 32*j)
	}
	w.op("SUBQ $128, %s", regX)
	w.op("SUBQ $128, %s", regY)
	w.op("ADDQ $128, %s", regN)
	half("both")
	w.op("JMP added")
	w.op("one:")
	half("few")
	w.op("CMPQ %s, $128", regN)
	w.op("JEQ tree%d", groups)
	// The last lanes come eight at a time.
	for j := range groups {
		three := func(product string, offset int) {
			w.op("VMOVUPS %d(%s), Y15", offset, regX)
			w.op("%s %d(%s), Y15, Y%d", product, offset, regY, sums)
			w.op("%s Y15, Y15, Y%d", product, sums+1)
			w.op("VMOVUPS %d(%s), Y15", offset, regY)
			w.op("%s Y15, Y15, Y%d", product, sums+2)
		}
		three("VMULPS", 128+32*j)
		w.op("CMPQ %s, $%d", regN, 4*cosineFew)
		w.op("JNE added%d", j)
		three("VFMADD231PS", 384+32*j)
		w.op("added%d:", j)
		for k := range 3 {
			w.op("VADDPS Y%d, Y%d, Y%[2]d", sums+k, groups*k+j)
		}
	}
	w.op("JMP tree%d", groups)
}

// cosineNEON leaves the cosine in F0. It sums up x*y, x*x and y*y one after the other.
func cosineNEON(w *writer) {
	w.op("MOVD R1, R16")
	w.op("MOVD R2, R17")
	w.op("MOVD R3, R19")
	w.op("MOVD $2, R20")
	w.op("again:")
	sumNEON(w, product)
	w.op("FMOVD F30, F29")
	w.op("FMOVD F31, F30")
	w.op("FCVTSD F0, F31")
	w.op("SUBS $1, R20")
	w.op("BLT sums")
	w.op("MOVD R16, R1")
	w.op("MOVD R16, R2")
	w.op("MOVD R17, R16")
	w.op("MOVD R19, R3")
	w.op("B again")
	w.op("sums:")
	w.op("FMULD F30, F31, F3")
	w.op("FMOVD ZR, F4")
	w.op("FCMPD F4, F3")
	w.op("BEQ special")
	w.op("FSQRTD F3, F4")
	w.op("FDIVD F4, F29, F4")
	w.op("FSUBD F3, F3, F3") // NaN where the product is not finite
	w.op("FADDD F3, F4, F4")
	w.op("FMOVD $1.0, F5")
	w.op("FMIND F5, F4, F4")
	w.op("FMOVD $-1.0, F5")
	w.op("FMAXD F5, F4, F4")
	w.op("special:")
	w.op("FCVTDS F4, F0")
}
