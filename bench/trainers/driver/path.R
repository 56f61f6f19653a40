# The path of glmnet over the rows of this folder: processor seconds of each round, its
# points, its
# weights there as it comes to them, and as exact as it can.
suppressMessages(library(glmnet))
rounds <- as.integer(commandArgs(TRUE)[1])
number <- function(name, what, n) { f <- file(name, "rb"); v <- readBin(f, what, n, endian = "little"); close(f); v }
size <- number("size", "integer", 3)
x <- sparseMatrix(i = number("rows", "integer", size[1]), j = number("columns", "integer", size[1]),
                  x = number("values", "double", size[1]), dims = size[2:3])
y <- factor(number("y", "double", size[2]))
seconds <- numeric(0)
for (k in seq_len(rounds)) {
  begun <- sum(proc.time()[1:2])
  f <- glmnet(x, y, family = "binomial", standardize = FALSE)
  seconds <- c(seconds, sum(proc.time()[1:2]) - begun)
}
keep <- function(name, v) { f <- file(name, "wb"); writeBin(as.double(v), f, endian = "little"); close(f) }
weights <- function(f) rbind(as.matrix(f$beta), f$a0)
keep("seconds", seconds)
keep("lambdas", f$lambda)
keep("weights", weights(f))
glmnet.control(fdev = 0, devmax = 1)
exact <- glmnet(x, y, family = "binomial", standardize = FALSE, lambda = f$lambda, thresh = 1e-20, maxit = 1e7)
keep("exact", weights(exact))
