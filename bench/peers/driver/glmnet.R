# Trains ridge logistic regression by glmnet on the rows of this folder, as the other
# programs of this package are asked: "SOLVER C TOLERANCE INTERCEPT WEIGHTS". SOLVER is
# "alone" for the one lambda, "path" for five that lead to it; TOLERANCE is thresh.
suppressMessages(library(glmnet))
number <- function(name, what, n) { f <- file(name, "rb"); v <- readBin(f, what, n, endian = "little"); close(f); v }
size <- number("size", "integer", 3)
x <- sparseMatrix(i = number("rows", "integer", size[1]), j = number("columns", "integer", size[1]),
                  x = number("values", "double", size[1]), dims = size[2:3])
y <- factor(number("y", "double", size[2]))
glmnet.control(fdev = 0, devmax = 1)
questions <- file("stdin", "r")
say <- function(...) { cat(..., "\n"); flush(stdout()) }
say("ready")
while (length(line <- readLines(questions, 1)) > 0) {
  part <- strsplit(line, " ")[[1]]
  lambda <- 1 / (as.double(part[2]) * size[2])
  if (part[1] == "path") lambda <- lambda * 10^(4:0)
  begun <- proc.time()
  fit <- suppressWarnings(glmnet(x, y, family = "binomial", alpha = 0, lambda = lambda, standardize = FALSE, intercept = FALSE,
                                 thresh = as.double(part[3]), maxit = 1e5))
  took <- proc.time() - begun
  f <- file(part[5], "wb")
  writeBin(as.double(fit$beta[, ncol(fit$beta)]), f, endian = "little")
  close(f)
  say(sum(took[c("user.self", "sys.self")]), took[["elapsed"]])
}
