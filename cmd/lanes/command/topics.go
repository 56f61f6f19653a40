package command

import "github.com/lanes-go/lanes/cmd/lanes/internal/console"

// topics are the pages of 'lanes help TOPIC', in the order of a user's questions. Each lists
// the flags of train that name it.
var topics = []console.Topic{
	{Name: "formats", Title: "Formats of data and models", Text: `DATA is a file, or - for standard input. lanes recognises its content, not its name:
- LIBSVM text, plain or compressed by gzip, bzip2, xz or zstd;
- a cache that 'lanes convert' made, which is read at the speed of memory;
- Vowpal Wabbit's text, with --format vw;
- a table, with --target COLUMN (see 'lanes help tables').
Without DATA, train and compare generate data (--generate).

Column indices start at 1. --zero-based reads indices from 0, and the model remembers it.

--normalize unit divides every row by its norm. minmax maps every column to the range 0 to 1,
and std divides every column by its standard deviation. Zeros stay zeros, except that minmax
moves them in dense columns. The model keeps the scaling.

A model is LIBLINEAR's text, which liblinear-predict reads. A name that ends in .npz selects
arrays for NumPy and scikit-learn; --sparse-model selects JSON with the non-zero weights.
'lanes convert' changes one form into another.`},
	{Name: "tables", Title: "Tables: CSV, TSV, Parquet and JSON lines", Text: `--target COLUMN makes DATA a table: CSV, TSV, Parquet or JSON lines, plain or compressed.
A pattern in quotes names several files, as in 'log-*.csv'. The values of a column decide
whether it is a number, a category, text or a time; the flags below override this. COLUMNS may
be patterns, as in --ignore 'old_*'. 'lanes info TABLE' shows how each column is encoded.

Dates may be written as 2015-02-24 11:35, 2/24/2015, 24.02.2015, 10-Mar-04 or Mar 10, 2004.
--times COLUMN=FORMAT says how: dmy, mdy or ymd for the order of the numbers, letters of
strftime as in 'when=%d/%m/%Y %H:%M', or unix for seconds since 1970.

--spline age,income=6 makes cubic splines of numbers: a column for the number, and columns for its
bends, with knots at quantiles. Beyond the range of the training a spline is a line.
--bins auto and --spline age=auto choose the number of bins or pieces of each column by folds, and
tell it. The model and the receipt have the numbers.

--monotone age=up,price=down: the score never falls with age, and never rises with price, also with
--bins and --spline. It bounds weights of 0 or more, or 0 or less: see 'lanes help penalty'.

The model keeps the encoding: eval and predict take tables with the same columns, in any
order. A table gets an unpenalised intercept, unless --bias or --for is given. With
--memory the encoded rows are kept in a temporary file.

  lanes train adult.csv --target income-per-year --positive '>50K' --cv 5 --path
  lanes train sms.tsv --no-header --target 1 --text 2 --for ap --model spam.model
  lanes train clicks.parquet --target click --category app,os --cross 'app*os' --hash 22`},
	{Name: "classes", Title: "Labels, classes and targets", Text: `Two distinct labels are two classes, and the larger label is the positive class. Labels may
be words: the later word in the alphabet is positive, and 'lanes predict --labels' prints
words. --positive V trains the class V against all others.

With more than two labels, --loss squared and --loss huber fit them as numbers.
--loss poisson fits counts of 0 or more: predictions are means, exp(score). 'lanes help penalty'
lists the losses of numbers.

--multiclass (or --multiclass rest) trains one model per class against the rest.
Budgets and tolerances are per class; the reported objective and gap are sums. All classes
share one lambda. --multiclass softmax trains one softmax model of all classes, whose free
intercepts have a sum of 0; --l1 makes weights of it 0, and --l1-groups columns those of all
classes of a column together. --metric is then logloss, accuracy, balanced_accuracy or macro_f1;
a regression has loss, mse and mae, and deviance where predictions are exp(score).

  lanes train news20.xz --positive 3 --normalize unit --bias --solver svrg
  lanes train news20.xz --multiclass softmax --path --cv 5 --metric macro_f1 --model news20.model`},
	{Name: "penalty", Title: "Loss, penalty and sparse weights", Text: `train minimises the mean loss plus LAMBDA/2 ||w||^2. n is the number of rows; the default
of LAMBDA is 1/n, and 0 with --l1.

--loss logistic, squared-hinge and hinge (of support vector machines) are for two classes, as are
  probit               the probability of the positive class is the normal distribution at the score
  cloglog              it is 1 - exp(-exp(score)): whether a count of the mean exp(score) is above 0
The other losses are for numbers:
  squared              half the square of the residual
  huber:R              linear beyond residuals of R, 1 without it; --huber R says the same
  expectile:T          squares, T of targets above the prediction and 1-T of others; 0.9 without T
  squared-epsilon-insensitive:E   squares of residuals beyond E, 0.1 without it
  epsilon-insensitive:E   absolute residuals beyond E, 0.1 without it
  quantile:T           predictions above a share T of the targets; the median without T
  poisson              counts of 0 or more; predictions are means, exp(score), as of those below
  negative-binomial:T  counts whose variance is mean + T mean^2, with a T of 1 without it
  gamma                numbers above 0
  inverse-gaussian     numbers above 0 that spread more, as mean^3; not convex: see below
  tweedie:P            numbers of 0 or more, with a power P between 1 and 2, 1.5 without it

hinge, epsilon-insensitive and quantile have kinks: they need a LAMBDA above 0, and rows in memory.
inverse-gaussian has no duality gap and no L1 norm: a run ends at a stationary point.

--lambda 0 has no minimum where the rows are separable: the run says so, names the columns, and
has exit status 1. Where columns are sums of others, weights are not unique: a note says so.
Past memory and on several processes neither is looked for, and a note says that.

--l1 makes many weights 0: the lasso, or with --lambda the elastic net. --l1-groups table makes
the weights of a column of a table 0 together (group lasso): of a category, of bins, of a time.
--l1-groups 1-3,4-9 or 1+5,7-9 groups numbered columns; other columns stay single. A group of m
columns has the penalty L1 m^(1/2) ||w_group||. --path --sparse takes groups too.

--penalty age=0,region*=2 multiplies the penalty of columns, of --lambda and --l1, by factors; 0
leaves them unpenalised, and columns that are not named have the factor 1. A name is a column of a
table and stands for all that it became, or is one of these, as region=north; * matches any text.
Columns without names are numbered. --penalties FILE has a name and a factor a line.

--nonnegative age,region* keeps the weights of columns at 0 or more; * names all columns. --bounds
FILE has a name, a lower and an upper bound a line, inf for none; equal bounds fix a weight. Weights
are for a unit of a table's number, before it is scaled. info names the weights that a bound holds.

--C agrees with LIBLINEAR for the logistic loss (-s 0 and -s 7): lambda = 1/(C n). For the
squared hinge, LIBLINEAR's -s 2 at C is --C 2C, as the squared hinge has a factor 1/2 here.

  lanes train sector.xz --positive 1 --l1 1e-4 --intercept --model few.model
  lanes train adult.csv --target income-per-year --l1 0.01 --l1-groups table`},
	{Name: "calibration", Title: "Probabilities of models that rank, or that are weighted", Text: `--calibrate sigmoid makes scores log odds, so that predict prints probabilities and eval measures
them: for solvers that rank (--for ap, --solver adap), for --loss squared-hinge, and for
--class-weight, which moves probabilities. It fits log odds a s + b of the scores s (Platt), of each
class with --multiclass. --calibrate isotonic fits any rising function of the scores of two
classes. --calibrate temperature divides the scores of a softmax by a number.

The scores are of rows that the fits did not see: of the folds of --cv or --for, or of 5
folds. The report says the log loss and the calibration error on them, before and after. The
model has a and b in its weights, or the function; the order of rows stays, and labels are those
of a probability above 1/2. The weights of the report are those before.

  lanes train w8a.xz --for ap --calibrate sigmoid --model w8a.model
  lanes train adult.csv --target income-per-year --class-weight balanced --calibrate sigmoid`},
	{Name: "inference", Title: "Standard errors, tests and intervals", Text: `--inference adds to each weight its standard error, its z or t, p and an interval: how far the
weight may be off by chance. It needs --lambda 0, at most 2,048 columns, and a loss that is
a likelihood: logistic, probit, cloglog, squared, poisson, gamma, tweedie, negative-binomial or
inverse-gaussian. It goes with --memory and several processes, whose errors have the same bits.
'lanes info MODEL --inference DATA' does the same later.

Weights of a table are told in the units of its numbers. The first value of a category, by the
alphabet, is the reference with the weight 0; its other values say how far they are from it. A
category is tested as a whole, too. p is the probability of a larger weight by chance.

--covariance fisher trusts the variances of the loss, as R's glm does, and takes expected second
derivatives, also of probit and cloglog. hc0 to hc3 hold for any variances (White), and cluster for
rows that depend on one another within a --group.

The squared, gamma and tweedie losses estimate their dispersion; of the others it is 1, and
Pearson's tells how far the true variance is from theirs. AIC and BIC compare models of the same
rows: less is better.

--coefficients FILE writes a line a weight for spreadsheets (CSV): its name, its column of the table
and the value there, the estimate and its error. The page of train --html draws the intervals.

  lanes train claims.csv --target claims --loss poisson --exposure years --lambda 0 --inference
  lanes train adult.csv --target income-per-year --lambda 0 --inference --covariance hc3
  lanes info claims.model --inference claims.csv --covariance cluster`},
	{Name: "stopping", Title: "Tolerances, budgets and early stopping", Text: `A run stops at the first of: a tolerance (--tol, --gap or --grad) is reached, --metric on
--valid no longer improves, a budget (--epochs or --time) is spent, or rounding errors prevent
further progress (numerical precision reached).

--tol is relative: a duality gap of T times the mean weight of the rows, for targets T times
the mean loss of the best constant. So units of weights and targets do not matter. Without a
penalty --tol bounds the gradient norm. --gap and --grad are absolute. Without --tol, --gap,
--grad and --epochs, the tolerance is --tol 1e-6, for targets 1e-9. --time counts from the
start of the command; with --time alone, epochs are unlimited. Ranking solvers have no default
tolerance.

A run that ends above its tolerance says so (not solved: gap 0.59 (wanted 1e-06)) and has
exit status 1, unless a budget that was given ended it.

The reported objective belongs to the reported weights. If rounding moves it by more than
the gap, compensated sums compute it.

  lanes train a9a.xz --valid a9a.t.xz --metric auc --trace run.csv
  lanes train w8a.xz --solver agd-sbcd --fpr 0,0.05 --valid w8a.t.xz`},
	{Name: "holdout", Title: "Rows that are held out", Text: `--holdout SHARE keeps a share of the rows from the training and measures the model on them: the
report, JSON, the page and the receipt have the measures. --seed chooses the rows, the same share
of every label; rows of a --group stay together. --cv, --path and --for use the other rows alone.

--holdout-by COLUMN holds out the last rows by the numbers or times of a column. Equal ones stay
together, and are held out; rows without one are trained on. The column is a feature, too, unless
--ignore names it.

The scales and vocabularies of a table are learned from all rows, but never from the targets.

  lanes train adult.csv --target income-per-year --holdout 0.2 --html adult.html
  lanes train rides.csv --target count --loss squared --holdout-by day --path --cv 5`},
	{Name: "paths", Title: "Paths of lambdas, cross-validation and sparse paths", Text: `--path fits falling lambdas. It starts at lambda_max, above which the penalty alone decides
the solution. 20 log-spaced values lead down to lambda_max/10000, and more to 1/n. While the
metric of --valid or --cv improves, the path continues, at most by another factor of 1e6. Each
fit starts at the previous solution. --metric takes scikit-learn's names too, such as roc_auc.
Its default is logloss for the logistic loss, and accuracy for other losses of classes. For
numbers it is mse for the squared loss, deviance for losses of means exp(score), and else loss:
the mean of the loss that is trained.

--cv K scores every fold by a fit on the other folds. Folds have equal shares of the classes;
the scaling of minmax and std is computed without the fold.

--path --sparse fits 100 falling penalties --l1; --plot draws the coefficients.

To resume such a run, give the same --epochs and tolerances.

  lanes train a9a.xz --path --cv 5 --one-se --plot path.png --model a9a.model
  lanes train a9a.xz --path --lambdas 0.1:1e-6:15 --valid a9a.t.xz --metric auc
  lanes train a9a.xz --path --sparse --cv 5 --one-se --intercept --model few.model`},
	{Name: "search", Title: "The best model for a metric (--for)", Text: `--for METRIC chooses the solver and lambda. It fits the logistic loss for falling lambdas on
--cv K folds (default 5), with and without class weights, and then ranking solvers. It trains
the winner on all rows: the simplest candidate within one standard error of the
best. Logistic fits are simpler than fits with class weights, and these than ranking solvers;
then a larger lambda is simpler. --for takes scikit-learn's names too, such as roc_auc.

--epochs is the budget of the search. A search that spends it finishes the current fit and
chooses among the candidates so far. A search takes at most three quarters of --time, the
final training the rest.

  lanes train w8a.xz --for ap --model w8a.model
  lanes train w8a.xz --for pauc:0,0.05 --html tried.html`},
	{Name: "solvers", Title: "Solvers and their parameters", Text: `'lanes train --list' shows all solvers; 'lanes train --list SOLVER' shows what --set changes.

--solver auto takes proximal-newton with --l1 or --path --sparse. Otherwise it takes
sdca-newton if columns outnumber rows, and newton if they do not or if there is no penalty.

--paper takes the settings from the solver's paper; such a run takes no --bias. Ranking solvers
then return the last point, not the best.

compare takes several values of a parameter, and runs all combinations.

  lanes train news20.xz --positive 3 --normalize unit --solver svrg --set step=0.1
  lanes compare a9a.xz --solvers ai-sarah,svrg,newton --set svrg.step=0.1,1 --html compare.html`},
	{Name: "ranking", Title: "Ranking losses and perceptrons", Text: `Ranking solvers maximise the average precision (soap, moap, adap and smoothap families) or the
partial AUC between two false-positive rates (--fpr). The sorr solvers minimise the mean of
the losses whose ranks are in --range. Ranking solvers have no default tolerance.

--hidden trains a perceptron in place of a linear model, by the solvers of the average
precision, of the partial AUC but svm-pauc-tight, and of the ranked range.

  lanes train w8a.xz --solver agd-sbcd --fpr 0,0.05 --valid w8a.t.xz
  lanes train w8a.xz --solver adap --hidden 32 --model w8a.model`},
	{Name: "checkpoints", Title: "Interrupted runs, checkpoints and further training", Text: `Ctrl-C ends a run with the best point so far. The point is saved if --model or --checkpoint
is given; the exit status is 1.

A run with --checkpoint can be resumed after any end, even a crash: --resume continues it to
the same bits. If a
checkpoint cannot be written, the run goes on and tries again.

--initial MODEL starts at its weights in place of 0; ranking solvers start their logistic fit
there. A path uses it for its first lambda, in every fold.

  lanes train big.zst --checkpoint run.ckpt --time 1h
  lanes train big.zst --resume run.ckpt --checkpoint run.ckpt
  lanes train today.zst --initial yesterday.model --model today.model`},
	{Name: "streaming", Title: "Data larger than memory", Text: `--memory SIZE trains on rows that stay in DATA, a cache of 'lanes convert'. Several caches, or a
pattern of their names, are one data set in the order of their names.

The solver is sdca-newton where there are more columns than rows, else newton, unless --solver
names one. Where many columns are rare, as in hashed clicks, sdca-newton may be faster.
--l1, --l1-groups, --penalty and --bounds take proximal-newton, which keeps the columns of working
sets in memory: 24 to 60 bytes an entry, and some 150 a row. What does not fit is refused.

Sums over rows are computed in shards. Their number depends on the data alone, so neither SIZE
nor the machine changes the bits. --shards gives a run in memory the same bits.

--valid streams its rows too: the rows of a cache from the cache, the rows of text or a table from
a temporary cache. SIZE holds 80 to 100 bytes a row of them, for their labels, scores and ranks.
--path and --multiclass make their fits one at a time; SIZE holds the weights of all points, and
those of all classes twice (with --checkpoint twice as much). --multiclass softmax takes a sweep
for all classes, and 128 bytes a column and class.
--cv chooses the rows of a fold as they are read; SIZE holds 4 bytes a row, and 80 to 100 a row of
a fold.

Without --memory a run may use the free memory, but no more than 4 GiB or 1000 times the data,
whichever is larger. --max-memory sets another limit.

  lanes train big.lanes --memory 2GB --model big.model
  lanes train 'part-*.lanes' --memory 2GB`},
	{Name: "predictions", Title: "Predictions for tables", Text: `For a model that was trained on a table, DATA of predict is a table with the same columns, in
any order; the target may be absent.

predict prints the table as CSV with more columns: score, probability (logistic loss) and label.
A model of several classes adds probability=NAME for each class, and label; a regression adds
prediction. If the table already has such a name, the new column starts with predicted_.
--id COLUMNS prints only these columns of the table.

Notes at the end count, by column, missing values and values that the training did not see.

  lanes predict adult.model new.csv --out scored.csv
  lanes predict clicks.model new.parquet --id user,time --out scored.csv`},
	{Name: "returns", Title: "Tables of returns for portfolio", Text: `Each row has a date and one number per asset, separated by blanks, commas, semicolons or tabs.
CSV and the files of Kenneth French's data library are such tables. The file may be compressed.

Dates are 20180329, 201803, 2018, 2018-03-29, 29.03.2018 or 3/29/2018; --date-format decides
if days and months cannot be told apart. portfolio sorts the rows by date.

Numbers may have a decimal comma if semicolons or tabs separate them, and a % sign, which
changes nothing. -99.99, -999, NA and empty fields are missing values.

Returns may be in per cent or fractions; --fraction divides by 100. --risk and --lambda
are in the units of the returns.

  lanes portfolio 25_Portfolios_5x5_Daily.CSV --lambda 0.003 --plot frontier.png`},
}
