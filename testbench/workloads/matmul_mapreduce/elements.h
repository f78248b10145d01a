/* SPDX-License-Identifier: Apache-2.0 */
/* What kernel and host program of matmul_mapreduce share: key and value of a record, as Mars has them. */
#ifndef ELEMENTS_H
#define ELEMENTS_H

/* Addresses of both matrices; the second one lies transposed, so that a column is a row. */
struct factors {
  unsigned long long left, right;
};
struct element {
  unsigned row, column, rows, columns;
};

#endif
