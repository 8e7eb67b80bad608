/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/support/ending.h"

#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

char *orr_ending_message(void (*function)(void))
{
    char text[1000] = "";
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        function();
        _exit(0);
    }
    close(ends[1]);
    for (size_t length = 0; length < sizeof(text) - 1;) {
        ssize_t bytes = read(ends[0], text + length, sizeof(text) - 1 - length);
        if (bytes <= 0)
            break;
        length += (size_t)bytes;
    }
    close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    const char *message = strstr(text, ": ");
    assert_non_null(message);
    return g_strndup(message + 2, strcspn(message + 2, "\n"));
}
