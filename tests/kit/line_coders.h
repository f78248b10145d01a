/* SPDX-License-Identifier: Apache-2.0 */
/* Coders of lines of 128 bytes by frequent patterns and by a dictionary, written from the description of the images' layouts
 * (csim/systems/caba/fpc.ptx, c_pack.ptx): what routines of assist warps are compared with. */
#ifndef TANDEM_TESTS_KIT_LINE_CODERS_H
#define TANDEM_TESTS_KIT_LINE_CODERS_H

#include <stdint.h>

/* Writes the image and returns its bytes; 0: more than 96, the line stays plain. */
uint32_t fpc_image(const uint8_t line[128], uint8_t image[128]);
uint32_t c_pack_image(const uint8_t line[128], uint8_t image[128]);

#endif
