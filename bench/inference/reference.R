# Writes data sets of R as CSV, and what glm and sandwich say of them: reference.R FOLDER
suppressPackageStartupMessages({library(MASS); library(sandwich); library(statmod)})
invisible(Sys.setlocale("LC_COLLATE", "C"))
folder <- commandArgs(TRUE)[1]
out <- file.path(folder, "reference.csv")
cat("set,covariance,name,value\n", file = out)
say <- function(set, how, names, values) cat(sprintf("%s,%s,\"%s\",%.15g\n", set, how, names, values), file = out, append = TRUE, sep = "")
fit <- function(set, formula, family, data, exposure = NULL, dispersion = NULL) {
	data[] <- lapply(data, function(x) if (is.factor(x)) as.character(x) else x)
	data$group <- seq_len(nrow(data)) %% 7
	columns <- c(all.vars(formula), "group", exposure)
	write.csv(data[, columns], file.path(folder, paste0(set, ".csv")), row.names = FALSE, quote = FALSE)
	if (!is.null(exposure)) formula <- update(formula, as.formula(paste("~ . + offset(log(", exposure, "))")))
	m <- glm(formula, family, data, control = glm.control(epsilon = 1e-14, maxit = 500))
	# Another step from the end, as vcov is of the weights before the last one.
	m <- suppressWarnings(glm(formula, family, data, start = coef(m), control = glm.control(epsilon = 1e-14, maxit = 500)))
	s <- summary(m, dispersion = dispersion)
	for (how in c("fisher", "hc0", "hc1", "hc2", "hc3", "cluster")) {
		v <- switch(how, fisher = s$cov.scaled, cluster = vcovCL(m, cluster = data$group, type = "HC1"), vcovHC(m, type = toupper(how)))
		say(set, how, names(coef(m)), sqrt(diag(v)))
	}
	say(set, "estimate", names(coef(m)), coef(m))
	say(set, "p", names(coef(m)), s$coefficients[, 4])
	say(set, "fit", c("deviance", "null_deviance", "dispersion"), c(m$deviance, m$null.deviance, s$dispersion))
	if (!is.na(AIC(m))) say(set, "fit", c("aic", "bic"), c(AIC(m), BIC(m)))
}
mtcars$cyl <- paste0("n", mtcars$cyl)
fit("mtcars", mpg ~ wt + hp + cyl, gaussian, mtcars)
fit("warpbreaks", breaks ~ wool + tension, poisson, warpbreaks)
fit("infert", case ~ age + parity + spontaneous + induced + education, binomial, infert)
fit("probit", case ~ age + parity + spontaneous + induced + education, binomial("probit"), infert)
fit("cloglog", case ~ age + parity + spontaneous + induced + education, binomial("cloglog"), infert)
fit("quine", Days ~ Eth + Sex + Age, poisson, quine)
Insurance$District <- paste0("d", Insurance$District)
fit("insurance", Claims ~ District + Group + Age, poisson, Insurance, "Holders")
fit("gamma", mpg ~ wt + hp + cyl, Gamma(link = "log"), mtcars)
fit("negative-binomial", Days ~ Eth + Sex + Age, negative.binomial(theta = 2, link = "log"), quine, dispersion = 1)
fit("tweedie", Days ~ Eth + Sex + Age, tweedie(var.power = 1.5, link.power = 0), quine)
fit("inverse-gaussian", mpg ~ wt + hp + cyl, inverse.gaussian(link = "log"), mtcars)
