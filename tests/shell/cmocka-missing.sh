#!/bin/sh
# Stands in for the unit tests where they cannot be built.
echo "the unit tests need cmocka (Debian: libcmocka-dev); then configure again"
exit 77
