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
		code:  []string{"solvers/erm/newton_start.go:sampleStep", "solvers/erm/newton_start.go:startStep", "solvers/erm/newton_start.go:adopt", "solvers/erm/newton_start.go:settled", "solvers/erm/newton_start.go:settledStart"},
	},
	{
		name: "newton-factor", about: "the Cholesky factor of the Hessian takes over from its diagonal",
		edits: []edit{{"solvers/erm/precondition.go", "if age := float64(m.age); age >= m.cost && !(m.near && age < 2*m.cost) {", "if age := float64(m.age); ON(age >= m.cost && !(m.near && age < 2*m.cost)) {"}},
		code:  []string{"solvers/erm/precondition.go:form", "solvers/erm/precondition.go:gram", "solvers/erm/precondition.go:gramCost", "solvers/erm/precondition.go:costOfGram"},
	},
	{
		name: "newton-factor-sample", about: "the factored Hessian is summed over a sample of the rows",
		edits: []edit{{"solvers/erm/precondition.go", "func gramStep(n, d int) int { return max(1, min(n/max(gramRows*d, 4*leastSample), mostStep)) }",
			"func gramStep(n, d int) int {\n\tif s := max(1, min(n/max(gramRows*d, 4*leastSample), mostStep)); ON(s > 1) {\n\t\treturn s\n\t}\n\treturn 1\n}"}},
		code: []string{"solvers/erm/precondition.go:gramStep", "solvers/erm/precondition.go:have"},
	},
	{
		name: "newton-near", about: "near the target the factor is formed half as often",
		edits: []edit{{"solvers/erm/precondition.go", "!(m.near && age < 2*m.cost)", "!ON(m.near && age < 2*m.cost)"}},
	},
	{
		name: "newton-diagonal-age", about: "a diagonal serves at least four conjugate-gradient iterations",
		edits: []edit{{"solvers/erm/precondition.go", "m.diagonal && m.age-m.born < diagonalAge", "ON(m.diagonal && m.age-m.born < diagonalAge)"}},
	},
	{
		name: "newton-half-product", about: "the last conjugate-gradient iteration takes half a product where it is foreseen",
		edits: []edit{{"solvers/erm/newton.go", "if l.Foreseen || l.Iterations == 0 && l.metric.solves() {", "if ON(l.Foreseen || l.Iterations == 0 && l.metric.solves()) {"}},
		code:  []string{"solvers/erm/newton_inner.go:last", "internal/truncated/truncated.go:Last"},
	},
	{
		name: "newton-stretch", about: "a full step that ends on a steep slope is made longer",
		edits: []edit{{"solvers/erm/newton.go", "} else if attempt == 0 && !exact {", "} else if ON(attempt == 0 && !exact) {"}},
		code:  []string{"solvers/erm/newton_stretch.go:stretch"},
	},
	{
		name: "newton-cached-margins", about: "the end is certified from cached margins",
		edits: []edit{{"solvers/erm/newton.go", "seems && !(l.carried.known() && engine.Reaches(&l.settings, e))", "seems && !ON(l.carried.known() && engine.Reaches(&l.settings, e))"}},
		code:  []string{"solvers/erm/newton_carried.go:along", "solvers/erm/newton_carried.go:stepped", "solvers/erm/newton_carried.go:norm", "solvers/erm/newton_carried.go:lengthOf", "solvers/erm/newton_carried.go:checkMargins", "solvers/erm/newton_carried.go:strays"},
	},
	{
		name: "rows-by-length", about: "rows are copied in the order of their lengths",
		edits: []edit{
			{"internal/risk/rows.go", "if list == nil {", "if !ON(list != nil) {"},
		},
		code: []string{"solvers/erm/ordering.go:ordered", "internal/risk/rows.go:Ordered", "sparse/lengths.go:RowsByLength"},
	},
	{
		name: "columns-by-frequency", about: "many columns are numbered by their frequency",
		edits: []edit{{"internal/engine/solve.go", "if !pays(x) {", "if !ON(pays(x)) {"}},
		code:  []string{"internal/engine/numbering.go:Renumber"},
	},
	{
		name: "dual-groups", about: "logistic rows take dual steps in groups",
		edits: []edit{
			{"solvers/sdca/prox.go", "case m.groups && shares(t.p, mean):", "case ON(m.groups && shares(t.p, mean)):"},
			{"solvers/sdca/prox.go", "case m.groups && t.p.Loss == kernels.Logistic && mean <= longMean && len(l.w) <= groupColumns:", "case ON(m.groups && t.p.Loss == kernels.Logistic && mean <= longMean && len(l.w) <= groupColumns):"},
		},
		code: []string{"solvers/sdca/group.go:run", "solvers/sdca/group.go:steps", "solvers/sdca/group.go:begin", "solvers/sdca/group.go:margins", "solvers/sdca/group.go:add", "solvers/sdca/group.go:step", "solvers/sdca/group.go:watch", "solvers/sdca/group.go:state"},
	},
	{
		name: "dual-groups-watched", about: "groups become smaller where their steps undo one another",
		edits: []edit{{"solvers/sdca/group.go", "return g.groups%watchEvery == 1 && g.size > 1", "return ON(g.groups%watchEvery == 1 && g.size > 1)"}},
		code:  []string{"solvers/sdca/group.go:watch"},
	},
	{
		name: "dual-equal-start", about: "dual steps begin at the best point with equal dual variables",
		edits: []edit{{"solvers/sdca/prox.go", "case l.group != nil && l.group.halves == nil && mean <= groupMost:", "case ON(l.group != nil && l.group.halves == nil && mean <= groupMost):"}},
		code:  []string{"solvers/sdca/alike.go:alike", "solvers/sdca/alike.go:addSome", "solvers/sdca/alike.go:apartFrom"},
	},
	{
		name: "dual-shrinking", about: "rows with a small part of the gap are left out of some passes",
		edits: []edit{{"solvers/sdca/prox.go", "if l.shrinks {", "if ON(l.shrinks) {"}},
		code:  []string{"solvers/sdca/prox.go:due", "solvers/sdca/prox.go:all"},
	},
	{
		name: "dual-sampled-gap", about: "some rows tell whether a certificate is worth its pass",
		edits: []edit{{"solvers/sdca/prox.go", "if float64(l.spread*float64(count)) < float64(glimpseLarge*float64(len(l.dual))) {", "if !ON(!(float64(l.spread*float64(count)) < float64(glimpseLarge*float64(len(l.dual))))) {"}},
		code:  []string{"solvers/sdca/prox.go:glimpse"},
	},
	{
		name: "dual-hand-over", about: "slow dual passes hand over to Newton's method",
		edits: []edit{{"solvers/sdca/hybrid.go", "if l.slow() {", "if ON(l.slow()) {"}},
		code:  []string{"solvers/sdca/hybrid.go:slow", "solvers/sdca/hybrid.go:turn"},
	},
	{
		name: "dual-fetch-far", about: "rows of large matrices are fetched one group ahead",
		edits: []edit{{"solvers/sdca/group.go", "if g.far {", "if ON(g.far) {"}},
	},
	{
		name: "columns-compact", about: "columns without an entry are left out",
		edits: []edit{{"internal/engine/solve.go", "if s.Settings.Initial != nil || !x.CompactingPays() || startSaved(s.Settings.Resume) {", "if s.Settings.Initial != nil || !ON(x.CompactingPays()) || startSaved(s.Settings.Resume) {"}},
		code:  []string{"internal/engine/solve.go:Compact"},
	},
	{
		name: "l1-sample", about: "sparse solutions begin on samples of the rows",
		edits: []edit{{"solvers/elasticnet/newton.go", "if initial == nil && o.d <= o.n/sampleColumns {", "if ON(initial == nil && o.d <= o.n/sampleColumns) {"}},
		code:  []string{"solvers/elasticnet/newton.go:noise", "solvers/elasticnet/newton.go:longestColumn"},
	},
	{
		name: "l1-lent-matrix", about: "the matrix of a sample's model serves the next one",
		edits: []edit{{"solvers/elasticnet/newton.go", "if l.part != nil && l.all() && l.n >= lentRows*len(l.g) {", "if ON(l.part != nil && l.all() && l.n >= lentRows*len(l.g)) {"}},
	},
	{
		name: "l1-heavy-sets", about: "large working sets are solved less far",
		edits: []edit{{"solvers/elasticnet/newton.go", "case l.heavy(s):", "case ON(l.heavy(s)):"}},
	},
	{
		name: "l1-hinge-model", about: "models of the squared hinge are solved less far",
		edits: []edit{{"solvers/elasticnet/newton.go", "case s.early && l.p.Loss == kernels.SquaredHinge:", "case ON(s.early && l.p.Loss == kernels.SquaredHinge):"}},
	},
	{
		name: "l1-unsolved-matrix", about: "models that sweeps leave unsolved become matrices",
		edits: []edit{{"solvers/elasticnet/newton.go", "if l.unsolvedHere += sweeps; l.early(s) {", "if l.unsolvedHere += sweeps; ON(l.early(s)) {"}},
	},
	{
		name: "l1-extrapolation", about: "conjugate gradients help where sweeps are slow",
		edits: []edit{{"solvers/elasticnet/descent.go", "if s.dense && sweep%leapEvery == 0 && unsolved {", "if ON(s.dense && sweep%leapEvery == 0 && unsolved) {"}},
		code:  []string{"solvers/elasticnet/descent.go:leap", "solvers/elasticnet/descent.go:clipped"},
	},
	{
		name: "l1-sparse-extrapolation", about: "the same where the model is no matrix",
		edits: []edit{{"solvers/elasticnet/descent.go", "if s.reach != nil && !s.dense && sweep == l.sparseSweeps && most > target && target < float64(leapShare*l.p.L1) {", "if ON(s.reach != nil && !s.dense && sweep == l.sparseSweeps && most > target && target < float64(leapShare*l.p.L1)) {"}},
	},
	{
		name: "l1-matrix-midway", about: "a model becomes a matrix once sweeps have cost as much",
		edits: []edit{{"solvers/elasticnet/descent.go", "if !s.dense && most > target && s.pays(int64(sweep)*s.sweep()) {", "if ON(!s.dense && most > target && s.pays(int64(sweep)*s.sweep())) {"}},
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
}
