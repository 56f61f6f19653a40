package command

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/returns"
	"github.com/lanes-go/lanes/solvers/compositional"
)

// study is everything that the command reports.
type study struct {
	name           string
	returns        *returns.Table
	split          int // the first period of the check
	seconds        float64
	main           *optimised
	frontier       []*optimised
	solved         []*optimised // with those found on the way to it, if any
	equal          [2]moments
	train, outside *compositional.Portfolio
}

// readStudy reads or generates returns and parts them.
func readStudy(a *console.App, args []string, f *portfolioFlags) (*study, error) {
	start := time.Now()
	s := &study{}
	missing, err := returns.ParseMissing(f.missing)
	if err != nil {
		return nil, console.BadFlag("missing", f.missing, "%v", console.Plain(err))
	}
	order, err := returns.ParseDateOrder(f.dateOrder)
	if err != nil {
		return nil, console.BadFlag("date-format", f.dateOrder, "%v", console.Plain(err))
	}
	options := returns.Options{Missing: missing, Fraction: f.fraction, Table: f.table, DateOrder: order}
	switch {
	case len(args) > 0 && f.generate != "":
		return nil, console.Usagef("give either RETURNS (%s) or --generate %s, not both", args[0], f.generate)
	case len(args) == 0:
		if err := generateStudy(a, s, f); err != nil {
			return nil, err
		}
	case args[0] == "-":
		s.name = "standard input"
		s.returns, err = returns.Read(context.Background(), a.In, s.name, options)
	default:
		s.name = args[0]
		s.returns, err = returns.ReadFile(context.Background(), args[0], options)
	}
	if err != nil {
		return nil, console.BadData(console.FileTrouble(err, s.name))
	}
	r := s.returns
	s.split = r.Periods - int(f.holdout*float64(r.Periods))
	d := len(r.Assets)
	if s.train, err = compositional.NewPortfolio(r.Rows(0, s.split), s.split, d, f.risk); err == nil && s.split < r.Periods {
		s.outside, err = compositional.NewPortfolio(r.Rows(s.split, r.Periods), r.Periods-s.split, d, f.risk)
	}
	if err != nil {
		return nil, console.BadData(fmt.Errorf("%s: %w", s.name, console.Plain(err)))
	}
	s.train.Smoothness() // remembered by the copies for all risk weights
	equal := make([]float64, len(r.Assets))
	for j := range equal {
		equal[j] = 1 / float64(len(equal))
	}
	if s.equal, err = s.moments(equal); err != nil {
		return nil, err
	}
	s.seconds = time.Since(start).Seconds()
	if len(args) > 0 {
		a.Note("%s: %d periods of %d assets; %s", s.name, r.Periods, len(r.Assets), r.Report)
		if r.Report.Prices > 0 {
			a.Note("%d assets look like prices: they never fall below 0 and are 5 or more on average; returns are wanted, price over price before, minus 1", r.Report.Prices)
		}
	}
	return s, nil
}

func generateStudy(a *console.App, s *study, f *portfolioFlags) error {
	market := returns.Market{Periods: 5000, Assets: 25, Seed: a.Seed}
	if f.generate == "" {
		a.Note("no RETURNS given: using a generated market (--generate n=%d,d=%d)", market.Periods, market.Assets)
	}
	for _, part := range strings.FieldsFunc(f.generate, func(c rune) bool { return c == ',' }) {
		name, text, _ := strings.Cut(part, "=")
		v, err := strconv.Atoi(text)
		target, known := map[string]*int{"n": &market.Periods, "d": &market.Assets, "factors": &market.Factors}[name]
		if err != nil || !known || v < 1 {
			return console.BadFlag("generate", f.generate, "write n=PERIODS,d=ASSETS,factors=F with whole numbers above 0")
		}
		*target = v
	}
	var err error
	if s.returns, err = market.Generate(); err != nil {
		return console.BadFlag("generate", f.generate, "%v", console.Plain(err))
	}
	if f.fraction {
		for k := range s.returns.Values {
			s.returns.Values[k] /= 100
		}
	}
	s.name = fmt.Sprintf("generated market n=%d,d=%d,seed=%d", market.Periods, market.Assets, a.Seed)
	return nil
}

// moments returns the moments in the training and in the test periods; NaN without test periods.
func (s *study) moments(x []float64) (out [2]moments, err error) {
	out[1] = moments{math.NaN(), math.NaN()}
	if out[0].mean, out[0].variance, err = s.train.Moments(x); err == nil && s.outside != nil {
		out[1].mean, out[1].variance, err = s.outside.Moments(x)
	}
	return out, err
}
