/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"

/*
 * Programs made for StarPU over SimGrid call their main() starpu_main(), by
 * their own macro or by StarPU's, as there main() belongs to StarPU. Such a
 * program gets its main() from here.
 */

int starpu_main(int argc, char **argv) __attribute__((weak));

#pragma GCC visibility push(default)
int main(int argc, char **argv);
#pragma GCC visibility pop

int main(int argc, char **argv)
{
    if (!starpu_main)
        sp_fail("main()", "the program has neither main() nor starpu_main()");
    return starpu_main(argc, argv);
}
