package command

import (
	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/portfolio"
)

func portfolioCommand(a *console.App) *cobra.Command {
	var f portfolio.Flags
	cmd := &cobra.Command{
		Use:   "portfolio [flags] [RETURNS]",
		Short: "Find sparse mean-variance portfolios and their efficient frontier",
		Long: `portfolio minimises  risk * variance - mean + lambda * ||x||_1  over the weights x of assets,
where mean and variance are those of the portfolio's returns a period and every weight lies
between -limit and limit; with --long-only, weights are at least 0 and sum to 1, and there is no
l1 term. It does so for --risk, and for the risk weights of the efficient frontier, on the first part of the
periods, and tells what the portfolios earned on the last part (--holdout). One exact proximal
gradient step ends each run: it leaves out the assets that an average of iterates hardly holds.
A run that ends above its --gap has exit status 1, unless a budget that was given ended it.

RETURNS is a table of returns: a date and one number an asset in each row, parted by blanks,
commas, semicolons or tabs, as in the files of Kenneth French's data library or CSV; plain or
compressed; - is standard input. Dates are 20180329, 201803, 2018, 2018-03-29, 29.03.2018, or
3/29/2018 (--date-format where days and months cannot be told apart); rows are put in their
order. Numbers may have a decimal comma where semicolons or tabs part them, and a % sign, which
changes nothing. -99.99, -999, NA and empty fields are missing values. Returns may be in
percent or fractions (--fraction makes fractions of percent); risk and lambda are in the same
units. Without RETURNS, a generated market is used.`,
		Example: `  lanes portfolio 25_Portfolios_5x5_Daily.CSV --lambda 0.003 --plot frontier.png
  lanes portfolio returns.csv --long-only --frontier 0.1,0.3,1,3,10 --json
  lanes portfolio --generate n=2000,d=50 --solver agd`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return portfolio.Run(a, cmd, args, &f) },
	}
	console.Declare(cmd, f.List()...)
	return cmd
}
