package main

// The three sums of a cosine, of x*y, x*x and y*y, fill more registers than AVX2 has. So a pass over
// the vectors sums up the lanes that registers take, the last lanes first.

// cosineFrame is the bytes of the sums of the last lanes, which are kept while the first are added.
const cosineFrame = 384

// cosine leaves the cosine in X0. Registers 0 to 3 have the lanes of x*y, registers 4 to 7
// the lanes of x*x, and registers 8 to 11 the lanes of y*y.
func (v width) cosine(w *writer) {
	const groups = 4
	lanes, bytes := groups*v.lanes, 4*v.lanes
	add := func(j, x, y int) {
		w.op("VFMADD231PS %s, %s, %s", v.reg(y), v.reg(x), v.reg(j))
		w.op("VFMADD231PS %s, %[1]s, %s", v.reg(x), v.reg(groups+j))
		w.op("VFMADD231PS %s, %[1]s, %s", v.reg(y), v.reg(2*groups+j))
	}
	load := func(j int) {
		w.op("VMOVUPS %d(%s), %s", j*bytes, regX, v.reg(14))
		w.op("VMOVUPS %d(%s), %s", j*bytes, regY, v.reg(15))
	}
	group := func(j int) {
		load(j)
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
	pass := func(label string, many bool) {
		if !many {
			w.op("CMPQ %s, $%d", regN, lanes)
			w.op("JGE %sMany", label)
			for j := range 3 * groups {
				w.op("VXORPS %s, %[1]s, %[1]s", v.reg(j))
			}
			w.op("JMP %sFew", label)
			w.op("%sMany:", label)
		}
		for j := range groups {
			load(j)
			first(j, 14, 15)
		}
		next()
		w.op("%sLoop:", label)
		w.op("CMPQ %s, $%d", regN, lanes)
		w.op("JLT %sFew", label)
		for j := range groups {
			group(j)
		}
		next()
		w.op("JMP %sLoop", label)
		w.op("%sFew:", label)
		w.op("TESTQ %s, %[1]s", regN)
		w.op("JLE %sEnd", label)
		v.partial(w, product, label)
		for j := range groups {
			w.op("SUBQ $%d, %s", v.lanes, regN)
			if j == groups-1 {
				break
			}
			w.op("JLT %s%d", label, j)
			group(j)
			w.op("JEQ %sEnd", label)
		}
		for j := groups - 1; j >= 0; j-- {
			if j < groups-1 {
				w.op("%s%d:", label, j)
			}
			add(j, 12, 13)
			if j > 0 {
				w.op("JMP %sEnd", label)
			}
		}
		w.op("%sEnd:", label)
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
		load(j)
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
	whole := lanes == 64
	if !whole {
		w.frame = cosineFrame + 24
		for k, register := range []string{regX, regY, regN} {
			w.op("MOVQ %s, %d(SP)", register, cosineFrame+8*k)
		}
		w.op("SUBQ $%d, %s", lanes, regN)
		w.op("JEQ first")
		w.op("ADDQ $%d, %s", 4*lanes, regX)
		w.op("ADDQ $%d, %s", 4*lanes, regY)
		pass("last", false)
		for j := range 3 * groups {
			w.op("VMOVUPS %s, %d(SP)", v.reg(j), j*bytes)
		}
		w.op("first:")
		for k, register := range []string{regX, regY, regN} {
			w.op("MOVQ %d(SP), %s", cosineFrame+8*k, register)
		}
	}
	pass("first", true)
	if !whole {
		w.op("CMPQ %d(SP), $%d", cosineFrame+16, lanes)
		w.op("JLE tree%d", groups)
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
		// The last two additions of all sums at once.
		w.op("VUNPCKLPD X4, X0, X1")
		w.op("VUNPCKHPD X4, X0, X2")
		w.op("VADDPS X2, X1, X1")
		w.op("VMOVHLPS X8, X8, X2")
		w.op("VADDPS X2, X8, X8")
		w.op("VSHUFPS $0x88, X8, X1, X0")
		w.op("VSHUFPS $0xdd, X8, X1, X2")
		w.op("VADDPS X2, X0, X0")
		w.op("VXORPS X3, X3, X3")
		w.op("VADDPS X3, X0, X0")
		w.op("VCVTPS2PD X0, Y0")
		w.op("VEXTRACTF128 $1, Y0, X2")
		w.op("VUNPCKHPD X0, X0, X1")
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
