/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/picture/plot_look.h"

/* Colours of each group of four go from dark to light, so that they differ in
   grey; groups differ in their dashes. Shapes alternate between filled ones and
   outlines. */
static const struct orr_look looks[ORR_LOOKS] = {
    {"#1b2a80", 1, 7},  {"#c8321e", 1, 4},  {"#35b08f", 1, 9},
    {"#e9a820", 1, 12}, {"#5b1a6b", 2, 5},  {"#1e7a3c", 2, 6},
    {"#4a90d9", 2, 13}, {"#e58fb0", 2, 8},  {"#5a3410", 4, 11},
    {"#3f5f7f", 4, 2},  {"#a468bd", 4, 15}, {"#80c8cc", 4, 10},
};

struct orr_look orr_look(unsigned index)
{
    static const int more[] = {1, 3, 5};
    struct orr_look look = looks[index % ORR_LOOKS];

    if (index >= ORR_LOOKS)
        look.dashes = more[index / ORR_LOOKS % 3];
    return look;
}
