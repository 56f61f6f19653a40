package main

// edit replaces one piece of a file; ON(condition) in the new text is the switch.
type edit struct{ file, old, new string }

// mechanism is a special way, with the edits that let it be switched off.
type mechanism struct {
	name  string
	about string
	edits []edit
	// code names the functions that go with it, as file:function, to count their lines.
	code []string
}

var mechanisms = []mechanism{
	{
		name: "newton-sample", about: "the run begins on a sample of the rows",
		edits: []edit{{"solvers/erm/newton.go", "step := sampleStep(t); step > 1", "step := sampleStep(t); ON(step > 1)"}},
		code:  []string{"solvers/erm/newton_start.go:sampleStep", "solvers/erm/newton_start.go:startStep", "solvers/erm/newton_start.go:over", "solvers/erm/newton_start.go:settled"},
	},
	{
		name: "newton-factor", about: "the Cholesky factor of the Hessian takes over from its diagonal",
		edits: []edit{{"solvers/erm/precondition.go", "return age >= m.cost && !(m.near && age < 2*m.cost)", "return ON(age >= m.cost && !(m.near && age < 2*m.cost))"}},
		code:  []string{"solvers/erm/precondition.go:form", "solvers/erm/in_memory.go:gram", "solvers/erm/in_memory.go:gramCost", "internal/cost/cost.go:*"},
	},
	{
		name: "newton-near", about: "near the target the factor is formed half as often",
		edits: []edit{{"solvers/erm/precondition.go", "!(m.near && age < 2*m.cost)", "!ON(m.near && age < 2*m.cost)"}},
	},
	{
		name: "newton-half-product", about: "the last conjugate-gradient iteration takes half a product where it is foreseen",
		edits: []edit{{"solvers/erm/newton.go", "if l.Foreseen {", "if ON(l.Foreseen) {"}},
		code:  []string{"internal/truncated/truncated.go:Last"},
	},
	{
		name: "newton-cached-margins", about: "the end is certified from cached margins",
		edits: []edit{{"solvers/erm/in_memory.go", "seems && !run.Reaches(&m.settings, e)", "seems && !ON(run.Reaches(&m.settings, e))"}},
		code:  []string{"solvers/erm/newton_margins.go:along", "solvers/erm/newton_margins.go:stepped", "solvers/erm/newton_margins.go:norm", "solvers/erm/in_memory.go:lengthOf", "solvers/erm/in_memory.go:strays"},
	},
	{
		name: "rows-by-length", about: "rows are copied in the order of their lengths",
		edits: []edit{
			{"internal/risk/rows.go", "if list == nil {", "if !ON(list != nil) {"},
		},
		code: []string{"solvers/erm/ordering.go:ordered", "internal/risk/rows.go:Ordered", "internal/matrix/lengths.go:RowsByLength"},
	},
	{
		name: "columns-by-frequency", about: "many columns are numbered by their frequency",
		edits: []edit{{"internal/run/solve.go", "if !pays(x) {", "if !ON(pays(x)) {"}},
		code:  []string{"internal/run/numbering.go:Renumber"},
	},
	{
		name: "dual-groups", about: "logistic rows take dual steps in groups",
		edits: []edit{{"solvers/sdca/prox.go", "if m.groups && t.full.dual.Logit() && mean <= groupMean {", "if ON(m.groups && t.full.dual.Logit() && mean <= groupMean) {"}},
		code:  []string{"solvers/sdca/group.go:run", "solvers/sdca/group.go:begin", "solvers/sdca/group.go:step", "solvers/sdca/group.go:state"},
	},
	{
		name: "dual-equal-start", about: "dual steps begin at the best point with equal dual variables",
		edits: []edit{{"solvers/sdca/prox.go", "case l.group != nil:\n\t\tl.equalStart()", "case ON(l.group != nil):\n\t\tl.equalStart()"}},
		code:  []string{"solvers/sdca/equal_start.go:equalStart", "solvers/sdca/equal_start.go:sampledGap"},
	},
	{
		name: "dual-shrinking", about: "rows with a small part of the gap are left out of some passes",
		edits: []edit{{"solvers/sdca/prox.go", "if l.shrinks {", "if ON(l.shrinks) {"}},
		code:  []string{"solvers/sdca/prox.go:due", "solvers/sdca/prox.go:all"},
	},
	{
		name: "dual-missed", about: "certificates end after the margins where both bounds miss the tolerance",
		edits: []edit{{"solvers/sdca/prox.go", "l.full.misses() {", "ON(l.full.misses()) {"}},
		code:  []string{"solvers/sdca/objective.go:misses"},
	},
	{
		name: "dual-hand-over", about: "slow dual passes hand over to Newton's method",
		edits: []edit{{"solvers/sdca/hybrid.go", "if slow(l.before, o.mean) && loss", "if ON(slow(l.before, o.mean)) && loss"}},
		code:  []string{"solvers/sdca/hybrid.go:slow", "solvers/sdca/hybrid.go:turn"},
	},
	{
		name: "columns-compact", about: "columns without an entry are left out",
		edits: []edit{{"internal/run/solve.go", "if s.Settings.Initial != nil || !matrix.CompactingPays(x) || checkpoint.StartSaved(s.Settings.Resume) {", "if s.Settings.Initial != nil || !ON(matrix.CompactingPays(x)) || checkpoint.StartSaved(s.Settings.Resume) {"}},
		code:  []string{"internal/run/solve.go:Compact"},
	},
	{
		name: "l1-sample", about: "sparse solutions begin on samples of the rows",
		edits: []edit{{"solvers/elasticnet/newton.go", "if initial == nil && !l.comprises() && o.d <= o.n/rowsPerColumn {", "if ON(initial == nil && !l.comprises() && o.d <= o.n/rowsPerColumn) {"}},
		code:  []string{"solvers/elasticnet/newton.go:noise", "solvers/elasticnet/newton.go:longestColumn"},
	},
	{
		name: "l1-extrapolation", about: "conjugate gradients help where sweeps are slow",
		edits: []edit{{"solvers/elasticnet/descent.go", "if s.dense && epoch%every == 0 && unsolved {", "if ON(s.dense && epoch%every == 0 && unsolved) {"}},
		code:  []string{"solvers/elasticnet/descent.go:extrapolate"},
	},
	{
		name: "l1-sparse-extrapolation", about: "the same where the model is no matrix",
		edits: []edit{{"solvers/elasticnet/descent.go", "if !s.dense && epoch == l.sparseSweeps && most > target && target < float64(extrapolateShare*l.weight()) {", "if ON(!s.dense && epoch == l.sparseSweeps && most > target && target < float64(extrapolateShare*l.p.L1)) {"}},
	},
	{
		name: "softmax-dual-start", about: "with more columns than rows the run begins by dual coordinate ascent",
		edits: []edit{{"solvers/softmax/newton.go", "if o.d > o.n {", "if ON(o.d > o.n) {"}},
		code:  []string{"solvers/softmax/dual.go:*", "solvers/softmax/row.go:*"},
	},
	{
		name: "softmax-factor", about: "the factor of a block of the Hessian takes over from its diagonal",
		edits: []edit{{"solvers/softmax/precondition.go", "case float64(m.age) >= m.cost:", "case ON(float64(m.age) >= m.cost):"}},
		code:  []string{"solvers/softmax/precondition.go:form"},
	},
	{
		name: "softmax-samples", about: "steps on many nearly full rows take a sample of them",
		edits: []edit{{"solvers/softmax/precondition.go", "if rows := sampleRows(o.p); rows > 0 {", "if rows := sampleRows(o.p); ON(rows > 0) {"}},
		code:  []string{"solvers/softmax/sample.go:*"},
	},
	{
		name: "softmax-balance", about: "steps end with the best intercepts, where these are cheap",
		edits: []edit{{"solvers/softmax/newton.go", "if l.balance != nil {", "if ON(l.balance != nil) {"}},
		code:  []string{"solvers/softmax/balance.go:*"},
	},
	{
		name: "newton-written", about: "nearly full rows are written out by columns",
		edits: []edit{{"solvers/erm/objective.go", "func (o *objective) write() {", "func (o *objective) write() {\n\tif !ON(true) {\n\t\treturn\n\t}"}},
	},
	{
		name: "dual-rest", about: "passes over few rows go on until their gap is small beside the rest",
		edits: []edit{{"solvers/sdca/prox.go", "return rest <= float64(restShare*l.left)", "return !ON(true) || rest <= float64(restShare*l.left)"}},
	},
	{
		name: "l1-factor", about: "a Cholesky factor preconditions the extrapolation",
		edits: []edit{{"solvers/elasticnet/descent.go", "if !s.dense || s.factors == mostFactors {", "if !ON(s.dense && s.factors != mostFactors) {"}},
		code:  []string{"solvers/elasticnet/factor.go:*"},
	},
	{
		name: "l1-shuffle", about: "coordinates are taken in random order without a matrix",
		edits: []edit{{"solvers/elasticnet/descent.go", "if !s.dense {\n\t\t\trandom.Shuffle(source, live)", "if ON(!s.dense) {\n\t\t\trandom.Shuffle(source, live)"}},
	},
	{
		name: "l1-screened-sweep", about: "weights at 0 with slopes well within l1 are skipped in sweeps",
		edits: []edit{{"penalty/elastic_net.go", "if w == 0 && math.Abs(g) < p.L1-slack {", "if ON(w == 0 && math.Abs(g) < p.L1-slack) {"}},
	},
	{
		name: "l1-working-set", about: "epochs take a working set of the columns",
		edits: []edit{{"solvers/elasticnet/newton.go", "if list := l.choose(); !slices.Equal(list, l.list) {", "list := l.choose()\n\t\tif !ON(len(list) < l.d) {\n\t\t\tlist = ascending(l.d)\n\t\t}\n\t\tif !slices.Equal(list, l.list) {"}},
		code:  []string{"solvers/elasticnet/working.go:choose"},
	},
	{
		name: "l1-parabola", about: "after a short step curvatures are parabolas above the loss",
		edits: []edit{{"solvers/elasticnet/caution.go", "is && l.caution > 0 {", "is && ON(l.caution > 0) {"}},
	},
	{
		name: "l1-slack", about: "rows whose curvature changed little keep it in the model's matrix",
		edits: []edit{
			{"solvers/elasticnet/gram.go", "least := float64(slack*kernels.Sum(h)) / float64(len(h))", "least, near := float64(slack*kernels.Sum(h))/float64(len(h)), float64(nearCurvature)\n\t\tif !ON(true) {\n\t\t\tleast, near = 0, 1\n\t\t}"},
			{"solvers/elasticnet/gram.go", "(bit(v > float64(nearCurvature*was)) | bit(was > float64(nearCurvature*v)))", "(bit(v > float64(near*was)) | bit(was > float64(near*v)))"},
		},
	},
	{
		name: "l1-half", about: "a working set with half of the columns becomes all columns",
		edits: []edit{{"solvers/elasticnet/working.go", "if most = min(most, beyond); !fills && 2*max(used+most, leastWorking) >= l.d {", "if most = min(most, beyond); ON(!fills && 2*max(used+most, leastWorking) >= l.d) {"}},
	},
	{
		name: "l1-working-margins", about: "margins before a certificate come from the columns of the working set",
		edits: []edit{{"solvers/elasticnet/newton.go", "if s == nil || l.all() || s.rows.Matrix == nil {", "if !ON(s != nil && !l.all() && s.rows.Matrix != nil) {"}},
		code:  []string{"solvers/elasticnet/newton.go:refresh"},
	},
}
