// Numbers that follow from a Scene, for lessons and captions: "pairs", "keys(21)", "reach(2)",
// "4 * 64 * pairs".
#pragma once

#include "core/scene/scene.h"

#include <string>

// The value of `fact`, an expression of + − * /, parentheses, numbers and, of the Scene with its
// input,
//   n, pairs, share (of the meaningful base), panel(k): pairs of the first mask or of panel k;
//   keys(i): of query i; key(i, m): the m-th of them from 0, key(i, m, k) in panel k; param(NAME):
//   of the pattern, defaults resolved; kept(k): share of the input's attention that goes to the
//   keys of the first mask or panel k, of the view's base; reach(T), reach.share(T): pairs that T
//   layers reach, and their share of the visible ones; sees(i, T): inputs that reach token i
//   through T layers; hops(i, j); longest; with(NAME, VALUE, FACT…): FACT, a name and what it is
//   of, where all patterns have that parameter ("default": the one used without it), as in with(c,
//   2, pairs) and with(head, 1, keys, 21); those of kernel_facts.h, hashing_facts.h, steps_facts.h,
//   choice_facts.h and stack_facts.h.
// Throws for anything else.
double factOf(const attention::Scene& scene, const std::string& fact);
