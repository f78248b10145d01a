/* SPDX-License-Identifier: Apache-2.0 */
/* What every C test includes: cmocka and the standard headers that it needs first. */
#ifndef TANDEM_TESTS_KIT_TEST_H
#define TANDEM_TESTS_KIT_TEST_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#endif
