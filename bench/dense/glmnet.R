# Fits by glmnet the rows of the folder that is the argument, as programs.py does: a line
# "MODE TOLERANCE FILL OUT" on standard input is answered by seconds of the processor. MODE is
# "alone" for the one lambda, "path" for five that lead to it, "points" for those of the problem;
# TOLERANCE is thresh. Weights and intercept go to the file OUT, model by model.
suppressMessages(library(glmnet))
setwd(commandArgs(TRUE)[1])
number <- function(name, what, n) { f <- file(name, "rb"); v <- readBin(f, what, n, endian = "little"); close(f); v }
p <- number("r.problem", "double", 7) # rows, columns, entries of sparse rows or 0, logistic, intercept, L1, L2
n <- p[1]
d <- p[2]
if (p[3] > 0) {
  x <- sparseMatrix(i = number("r.rows", "integer", p[3]), j = number("r.columns", "integer", p[3]),
                    x = number("r.x", "double", p[3]), dims = c(n, d), index1 = FALSE)
} else {
  x <- matrix(number("r.x", "double", n * d), n, d)
}
y <- number("r.y", "double", n)
family <- if (p[4] > 0) "binomial" else "gaussian"
free <- p[5] > 0
# glmnet divides the targets by their deviation, and with them the weight of the squared norm.
scale <- if (p[4] > 0) 1 else sqrt(mean((y - if (free) mean(y) else 0)^2))
lambda <- p[6] + p[7] * scale
alpha <- p[6] / lambda
points <- if (file.exists("r.points")) number("r.points", "double", 1e6) else lambda
if (p[4] > 0) y <- factor(y)
glmnet.control(fdev = 0, devmax = 1)
questions <- file("stdin", "r")
say <- function(...) { cat(..., "\n"); flush(stdout()) }
say("ready")
while (length(line <- readLines(questions, 1)) > 0) {
  part <- strsplit(line, " ")[[1]]
  lambdas <- switch(part[1], alone = lambda, path = lambda * 3^(4:0), points = points)
  begun <- proc.time()
  count <- 0
  repeat {
    fit <- tryCatch(suppressWarnings(glmnet(x, y, family = family, alpha = alpha, lambda = lambdas, standardize = FALSE, intercept = free,
                                            thresh = as.double(part[2]), maxit = 1e7)), error = conditionMessage)
    if (is.character(fit) || ncol(fit$beta) < length(lambdas)) break
    count <- count + 1
    took <- proc.time() - begun
    if (sum(took[1:2]) >= as.double(part[3]) || count == 1000) break
  }
  if (is.character(fit) || ncol(fit$beta) < length(lambdas)) {
    say("error glmnet does not converge")
    next
  }
  w <- rbind(as.matrix(fit$beta), fit$a0)
  if (part[1] != "points") w <- w[, ncol(w)]
  f <- file(part[4], "wb")
  writeBin(as.double(w), f, endian = "little")
  close(f)
  say(sum(took[1:2]) / count, took[["elapsed"]] / count)
}
