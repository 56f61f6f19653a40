// reference reads one problem from standard input and computes in 113-bit numbers. It prints the
// objective at given weights, the least objective that it finds, and the objective at 0.
//
// It shares nothing with lanes. It solves smooth problems by Newton's method with a damped
// Cholesky factor. It solves problems with an L1 penalty by a barrier on w = u - v, u, v > 0, and
// problems with groups of columns by a barrier on the cones ||w_k|| < t_k, with t_k eliminated.
// Bounds of weights are barriers too. Columns are scaled to a largest entry of 1 first. Kinks of losses become parabolas, narrower and
// narrower, by Newton's method; the objective that counts is of the loss itself.
//
// Input: kind (0 logistic, 1 squared, 2 squared hinge, 3 Huber, 4 softmax, 5 Poisson,
// 6 gamma, 7 Tweedie, 8 negative binomial, 9 expectile, 10 squared epsilon-insensitive, 11 hinge,
// 12 epsilon-insensitive, 13 quantile), rows, columns,
// classes, the parameter of the loss, lambda, l1; whether the last column is free of penalties; the number of
// groups, and for each the number of its columns and these, from 0 on; for each row
// its label, weight and entries; then the weights, column by column; whether these have
// bounds, and the lower and the upper one of each.
#include <quadmath.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef __float128 Q;
typedef std::vector<Q> Vector;
typedef std::vector<Vector> Matrix;

static int kind, rows, columns, classes, intercept, size;
static Q delta, lambda, l1;
static Q width; // of the parabolas in place of kinks, 0 for none
static Matrix X;
static Vector y, s;
static Vector squared, absolute; // the penalties of each weight, in scaled columns
static Vector unscale;           // a weight in scaled columns times this is the weight
static std::vector<std::vector<int>> groups;
static bool bounded;
static Vector low, high; // bounds of weights

static double number() {
	char text[64];
	if (scanf("%63s", text) != 1) {
		fprintf(stderr, "reference: the input ends too early\n");
		exit(1);
	}
	return strtod(text, nullptr);
}

static void loss(Q z, Q y, Q &value, Q &slope, Q &curvature) {
	value = slope = curvature = 0;
	if (kind == 0) {
		Q t = -y * z, e = expq(-fabsq(t));
		value = (t > 0 ? t : (Q)0) + log1pq(e);
		slope = -y * (t > 0 ? 1 / (1 + e) : e / (1 + e));
		curvature = e / ((1 + e) * (1 + e));
	} else if (kind == 5) {
		curvature = expq(z), slope = curvature - y;
		value = y > 0 ? slope - y * (z - logq(y)) : curvature;
	} else if (kind == 6) {
		curvature = y * expq(-z), slope = 1 - curvature;
		value = (z - logq(y)) - slope;
	} else if (kind == 7) {
		Q q = delta - 1, r = 2 - delta, a = y * expq(-q * z), b = expq(r * z);
		value = b / r + a / q - (y > 0 ? expq(r * logq(y)) / (q * r) : (Q)0), slope = b - a, curvature = q * a + r * b;
	} else if (kind == 8) {
		Q x = z + logq(delta), m = x > 5000 ? 0 : expq(z), p = x > 0 ? 1 / (1 + expq(-x)) : expq(x) / (1 + expq(x));
		value = (y + 1 / delta) * ((x > 0 ? x : (Q)0) + log1pq(expq(-fabsq(x))) - log1pq(delta * y)) - (y > 0 ? y * (z - logq(y)) : (Q)0);
		slope = x > 5000 ? 1 / delta : (m - y) * (p < 1 ? 1 - p : expq(-x)) , curvature = (y + 1 / delta) * p * (x > 0 ? expq(-x) * p : 1 - p);
	} else if (kind == 9) {
		Q w = z < y ? delta : (Q)(double)(1 - (double)delta);
		value = w * (z - y) * (z - y), slope = 2 * w * (z - y), curvature = 2 * w;
	} else if (kind == 10) {
		Q r = fabsq(z - y) - delta;
		if (r > 0)
			value = r * r / 2, slope = z > y ? r : -r, curvature = 1;
	} else if (kind >= 11) { // r costs steep a unit
		Q side = z > y ? 1 : -1, steep = 1, r = fabsq(z - y);
		if (kind == 11)
			side = -y, r = 1 - y * z;
		else if (kind == 12)
			r -= delta;
		else
			steep = z > y ? (Q)(double)(1 - (double)delta) : delta;
		if (r > width * steep)
			value = steep * (r - width * steep / 2), slope = side * steep;
		else if (r > 0)
			value = r * r / (2 * width), slope = side * r / width, curvature = 1 / width;
	} else if (kind == 2) {
		Q r = 1 - y * z;
		if (r > 0) {
			value = r * r / 2, slope = -y * r, curvature = 1;
		}
	} else if (kind == 1 || fabsq(z - y) <= delta) {
		value = (z - y) * (z - y) / 2, slope = z - y, curvature = 1;
	} else {
		value = delta * (fabsq(z - y) - delta / 2), slope = z > y ? delta : -delta;
	}
}

static Q softmaxLoss(int i, const Vector &w, Vector *g, Matrix *h) {
	Vector z(classes), p(classes);
	int own = (int)y[i], top = 0;
	for (int k = 0; k < classes; k++) {
		for (int j = 0; j < columns; j++)
			z[k] += X[i][j] * w[j * classes + k];
		if (z[k] > z[top])
			top = k;
	}
	Q total = 0, others = 0;
	for (int k = 0; k < classes; k++) {
		total += p[k] = expq(z[k] - z[top]);
		if (k != own)
			others += expq(z[k] - z[own]);
	}
	for (auto &v : p)
		v /= total;
	for (int k = 0; g && k < classes; k++)
		for (int j = 0; j < columns; j++)
			(*g)[j * classes + k] += s[i] * (p[k] - (k == own)) * X[i][j];
	for (int k = 0; h && k < classes; k++)
		for (int l = 0; l < classes; l++) {
			Q bend = s[i] * ((k == l ? p[k] : (Q)0) - p[k] * p[l]);
			for (int a = 0; a < columns; a++)
				for (int b = 0; b < columns; b++)
					(*h)[a * classes + k][b * classes + l] += bend * X[i][a] * X[i][b];
		}
	return others < 1e30Q ? log1pq(others) : logq(total) + z[top] - z[own];
}

// risk returns the mean loss at w, and its gradient and Hessian where they are wanted.
static Q risk(const Vector &w, Vector *g, Matrix *h) {
	Q sum = 0;
	if (g)
		g->assign(size, 0);
	if (h)
		h->assign(size, Vector(size));
	for (int i = 0; i < rows; i++) {
		if (s[i] == 0)
			continue;
		if (kind == 4) {
			sum += s[i] * softmaxLoss(i, w, g, h);
			continue;
		}
		Q z = 0, value, slope, bend;
		for (int j = 0; j < columns; j++)
			z += X[i][j] * w[j];
		loss(z, y[i], value, slope, bend);
		sum += s[i] * value;
		for (int j = 0; g && j < columns; j++)
			(*g)[j] += s[i] * slope * X[i][j];
		for (int j = 0; h && bend != 0 && j < columns; j++)
			for (int k = 0; k < columns; k++)
				(*h)[j][k] += s[i] * bend * X[i][j] * X[i][k];
	}
	for (int j = 0; g && j < size; j++) {
		(*g)[j] = (*g)[j] / rows + squared[j] * w[j];
		for (int k = 0; h && k < size; k++)
			(*h)[j][k] /= rows;
		if (h)
			(*h)[j][j] += squared[j];
	}
	sum /= rows;
	for (int j = 0; j < size; j++)
		sum += squared[j] * w[j] * w[j] / 2;
	return sum;
}

static Q length(const std::vector<int> &group, const Vector &w) {
	Q square = 0;
	for (int j : group)
		square += w[j] * unscale[j] * w[j] * unscale[j];
	return sqrtq(square);
}

static Q objective(const Vector &w) {
	Q sum = risk(w, nullptr, nullptr);
	for (int j = 0; j < size; j++)
		sum += absolute[j] * fabsq(w[j]);
	for (auto &group : groups)
		sum += l1 * sqrtq(group.size()) * length(group, w);
	return sum;
}

// solve solves (A + ridge diag A) x = b; it fails where A is not positive definite.
static bool solve(Matrix a, Vector b, Vector &x, Q ridge) {
	Vector unit(size);
	for (int i = 0; i < size; i++)
		unit[i] = a[i][i] > 0 ? 1 / sqrtq(a[i][i]) : (Q)1;
	for (int i = 0; i < size; i++) {
		for (int k = 0; k < size; k++)
			a[i][k] *= unit[i] * unit[k];
		a[i][i] += ridge;
		b[i] *= unit[i];
	}
	for (int j = 0; j < size; j++) {
		for (int k = 0; k < j; k++)
			for (int i = j; i < size; i++)
				a[i][j] -= a[i][k] * a[j][k];
		if (!(a[j][j] > 0))
			return false;
		Q root = sqrtq(a[j][j]);
		for (int i = j; i < size; i++)
			a[i][j] /= root;
	}
	x = b;
	for (int i = 0; i < size; i++) {
		for (int k = 0; k < i; k++)
			x[i] -= a[i][k] * x[k];
		x[i] /= a[i][i];
	}
	for (int i = size - 1; i >= 0; i--) {
		for (int k = i + 1; k < size; k++)
			x[i] -= a[k][i] * x[k];
		x[i] /= a[i][i];
	}
	for (int i = 0; i < size; i++)
		x[i] *= unit[i];
	return true;
}

static Q newton(Vector w, Vector *end = nullptr) {
	Q value = objective(w);
	const Q ridges[] = {1e-31Q, 1e-26Q, 1e-20Q, 1e-14Q, 1e-8Q, 1e-3Q, 10};
	for (int step = 0; step < 400; step++) {
		Vector g, x, best;
		Matrix h;
		risk(w, &g, &h);
		for (auto &v : g)
			v = -v;
		Q least = value;
		for (Q ridge : ridges) {
			bool lower = false;
			if (!solve(h, g, x, ridge))
				continue;
			for (Q t = 1; t > 1e-12Q; t /= 2) {
				Vector to = w;
				for (int j = 0; j < size; j++)
					to[j] += t * x[j];
				Q there = objective(to);
				if (there < least)
					least = there, best = to, lower = true;
				else if (lower)
					break;
				if (lower && t == 1)
					break;
			}
			if (lower && ridge < 1e-25Q)
				break;
		}
		if (best.empty())
			break;
		Q gain = value - least;
		w = best, value = least;
		if (gain <= 1e-30Q * fabsq(value))
			break;
	}
	if (end)
		*end = w;
	return value;
}

// kinks minimises losses with kinks from w on.
static Q kinks(Vector w, Q scale) {
	Q best = objective(w);
	if (!(scale > 0))
		scale = 1;
	for (width = scale; width > 1e-22Q * scale; width /= 5) {
		newton(w, &w);
		Q narrow = width;
		width = 0;
		best = fminq(best, objective(w));
		width = narrow;
	}
	width = 0;
	return best;
}

// inside moves weights into their bounds, by a share of the width off them.
static Vector inside(Vector w, Q share) {
	for (int j = 0; j < size && bounded; j++) {
		Q width = fminq(high[j] - low[j], fmaxq(fabsq(w[j]), 1));
		w[j] = fminq(fmaxq(w[j], low[j] + share * width), high[j] - share * width);
	}
	return w;
}

// walls is the barrier of the bounds, whose derivatives it adds.
static Q walls(const Vector &w, Q mu, Vector *g, Matrix *h) {
	Q sum = 0;
	for (int j = 0; j < size && bounded; j++)
		for (int side : {-1, 1}) {
			Q room = side < 0 ? w[j] - low[j] : high[j] - w[j];
			if (isinfq(room))
				continue;
			if (!(room > 0))
				return (Q)1e4000Q;
			sum -= mu * logq(room);
			if (g)
				(*g)[j] += side * mu / room, (*h)[j][j] += mu / room / room;
		}
	return sum;
}

static Q barrier(const Vector &begin, Q scale) {
	Vector u(size), v(size), w = inside(begin, 1e-3Q);
	Q best = objective(w), mu = scale > 0 ? scale / (20 * size) : (Q)1e-6;
	for (int j = 0; j < size; j++) {
		Q least = absolute[j] > 0 ? mu / absolute[j] : (Q)0;
		u[j] = (w[j] > 0 ? w[j] : (Q)0) + least;
		v[j] = (w[j] < 0 ? -w[j] : (Q)0) + least;
	}
	auto value = [&](const Vector &u, const Vector &v, const Vector &w) {
		Q sum = risk(w, nullptr, nullptr) + walls(w, mu, nullptr, nullptr);
		for (int j = 0; j < size; j++)
			if (absolute[j] > 0) {
				if (!(u[j] > 0 && v[j] > 0))
					return (Q)1e4000Q;
				sum += absolute[j] * (u[j] + v[j]) - mu * (logq(u[j]) + logq(v[j]));
			}
		return sum;
	};
	for (; mu > 1e-24Q * best / size && mu > 1e-300Q; mu /= 6) {
		Q here = value(u, v, w);
		for (int step = 0; step < 60; step++) {
			Vector g, b(size), up(size), down(size), moves(size), ups(size), downs(size);
			Matrix h;
			risk(w, &g, &h);
			walls(w, mu, &g, &h);
			Matrix a = h;
			for (int j = 0; j < size; j++) {
				b[j] = -g[j];
				if (absolute[j] > 0) { // one system in w = u - v is left
					up[j] = u[j] * u[j] / mu, down[j] = v[j] * v[j] / mu;
					ups[j] = g[j] + absolute[j] - mu / u[j], downs[j] = absolute[j] - g[j] - mu / v[j];
					a[j][j] += 1 / (up[j] + down[j]);
					b[j] = (down[j] * downs[j] - up[j] * ups[j]) / (up[j] + down[j]);
				}
			}
			bool solved = false;
			for (Q ridge : {(Q)0, (Q)1e-30Q, (Q)1e-25Q, (Q)1e-18Q, (Q)1e-10Q})
				if ((solved = solve(a, b, moves, ridge)))
					break;
			if (!solved)
				break;
			Q most = 1;
			for (int j = 0; j < size && bounded; j++) {
				if (moves[j] < 0 && !isinfq(low[j]))
					most = fminq(most, -0.995Q * (w[j] - low[j]) / moves[j]);
				if (moves[j] > 0 && !isinfq(high[j]))
					most = fminq(most, 0.995Q * (high[j] - w[j]) / moves[j]);
			}
			for (int j = 0; j < size; j++)
				if (absolute[j] > 0) {
					Q bend = 0;
					for (int k = 0; k < size; k++)
						bend += h[j][k] * moves[k];
					ups[j] = -up[j] * (ups[j] + bend), downs[j] = ups[j] - moves[j];
					if (ups[j] < 0)
						most = fminq(most, -0.995Q * u[j] / ups[j]);
					if (downs[j] < 0)
						most = fminq(most, -0.995Q * v[j] / downs[j]);
				}
			Q gain = 0;
			for (Q t = most; t > 1e-10Q; t /= 2) {
				Vector nu = u, nv = v, nw = w;
				for (int j = 0; j < size; j++)
					nu[j] += t * ups[j], nv[j] += t * downs[j], nw[j] += t * moves[j];
				Q there = value(nu, nv, nw);
				if (there < here) {
					gain = here - there, here = there, u = nu, v = nv, w = nw;
					break;
				}
			}
			best = fminq(best, objective(w));
			if (gain < mu * 1e-3Q)
				break;
		}
		for (Q share : {(Q)1e-4Q, (Q)1e-8Q, (Q)1e-12Q}) { // what is nearly 0 is tried at 0
			Vector x = w;
			for (int j = 0; j < size; j++)
				if (absolute[j] > 0 && fabsq(w[j]) < share * (u[j] + v[j]))
					x[j] = 0;
			for (int j = 0; j < size && bounded; j++) { // and what is nearly at a bound there
				Q near = share * fminq(high[j] - low[j], fmaxq(fabsq(w[j]), 1e-6Q));
				if (w[j] - low[j] < near)
					x[j] = low[j];
				else if (high[j] - w[j] < near)
					x[j] = high[j];
			}
			x = inside(x, 0);
			best = fminq(best, objective(x));
		}
	}
	return best;
}

// cones minimises the smooth part plus, for each group, the least of W t - mu log(t^2 - r^2) over t,
// where r is the length of the group: t = a + (a^2 + r^2)^(1/2) with a = mu/W.
static Q cones(const Vector &begin, Q scale) {
	Vector w = begin;
	Q best = objective(w), mu = scale > 0 ? scale / (20 * size) : (Q)1e-6;
	auto value = [&](const Vector &w) {
		Q sum = risk(w, nullptr, nullptr);
		for (auto &group : groups) {
			Q weight = l1 * sqrtq(group.size()), a = mu / weight, r = length(group, w), t = a + sqrtq(a * a + r * r);
			sum += weight * t - mu * logq(2 * a * t);
		}
		return sum;
	};
	for (; mu > 1e-24Q * best / size && mu > 1e-300Q; mu /= 6) {
		Q here = value(w);
		for (int step = 0; step < 60; step++) {
			Vector g, moves(size);
			Matrix h;
			risk(w, &g, &h);
			for (auto &group : groups) {
				Q weight = l1 * sqrtq(group.size()), a = mu / weight, r = length(group, w), root = sqrtq(a * a + r * r), t = a + root;
				for (int j : group) {
					Q v = w[j] * unscale[j];
					g[j] += weight / t * v * unscale[j];
					h[j][j] += weight / t * unscale[j] * unscale[j];
					for (int k : group)
						h[j][k] -= weight / t * unscale[j] * unscale[k] * (v * w[k] * unscale[k] / (t * root));
				}
			}
			for (auto &v : g)
				v = -v;
			bool solved = false;
			for (Q ridge : {(Q)0, (Q)1e-30Q, (Q)1e-25Q, (Q)1e-18Q, (Q)1e-10Q})
				if ((solved = solve(h, g, moves, ridge)))
					break;
			if (!solved)
				break;
			Q gain = 0;
			for (Q t = 1; t > 1e-10Q; t /= 2) {
				Vector to = w;
				for (int j = 0; j < size; j++)
					to[j] += t * moves[j];
				Q there = value(to);
				if (there < here) {
					gain = here - there, here = there, w = to;
					break;
				}
			}
			best = fminq(best, objective(w));
			if (gain < mu * 1e-3Q)
				break;
		}
		for (Q times : {(Q)10, (Q)1e3Q, (Q)1e6Q}) { // what is nearly 0 is tried at 0
			Vector x = w;
			for (auto &group : groups)
				if (l1 * sqrtq(group.size()) * length(group, w) < times * mu)
					for (int j : group)
						x[j] = 0;
			best = fminq(best, objective(x));
		}
	}
	return best;
}

int main() {
	kind = number(), rows = number(), columns = number(), classes = number();
	delta = number(), lambda = number(), l1 = number(), intercept = number();
	groups.resize((int)number());
	std::vector<bool> grouped(columns);
	for (auto &group : groups) {
		group.resize((int)number());
		for (int &j : group)
			grouped[j = (int)number()] = true;
	}
	X.assign(rows, Vector(columns)), y.assign(rows, 0), s.assign(rows, 0);
	for (int i = 0; i < rows; i++) {
		y[i] = number(), s[i] = number();
		for (auto &v : X[i])
			v = number();
	}
	size = columns * classes;
	Vector w(size), zero(size);
	for (auto &v : w)
		v = number();
	low.assign(size, -(Q)INFINITY), high.assign(size, (Q)INFINITY);
	if ((bounded = number() > 0))
		for (int j = 0; j < size; j++)
			low[j] = number(), high[j] = number();
	squared = absolute = unscale = zero;
	for (int j = 0; j < columns && !groups.empty(); j++)
		if (!grouped[j] && !(intercept && j == columns - 1))
			groups.push_back({j}); // single columns are groups too, for one barrier
	for (int j = 0; j < columns; j++) {
		Q most = 0;
		for (auto &row : X)
			most = fmaxq(most, fabsq(row[j]));
		if (most == 0)
			most = 1;
		for (auto &row : X)
			row[j] /= most;
		for (int k = j * classes; k < (j + 1) * classes; k++) {
			w[k] *= most, low[k] *= most, high[k] *= most;
			if (!(intercept && j == columns - 1))
				squared[k] = lambda / (most * most), absolute[k] = groups.empty() ? l1 / most : 0;
			unscale[k] = 1 / most;
		}
	}
	for (int j = 0; j < size; j++)
		if (!(w[j] >= low[j] && w[j] <= high[j])) {
			printf("Infinity 0 0\n"); // beyond the bounds
			return 0;
		}
	zero = inside(zero, 0);
	Q at = objective(w), none = objective(zero), least = fminq(at, none);
	if (kind >= 11)
		least = fminq(least, fminq(kinks(w, none), kinks(zero, none)));
	else if (!groups.empty())
		least = fminq(least, fminq(cones(zero, none), cones(w, least)));
	else if (l1 > 0 || bounded)
		least = fminq(least, fminq(barrier(zero, none), barrier(w, least)));
	else
		least = fminq(least, fminq(newton(w), newton(zero)));
	for (Q v : {at, least, none}) {
		char text[64];
		quadmath_snprintf(text, sizeof text, "%.28Qg", v);
		printf("%s ", text);
	}
	printf("\n");
}
