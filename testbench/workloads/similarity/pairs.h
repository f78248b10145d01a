/* SPDX-License-Identifier: Apache-2.0 */
/* What kernel and host program of similarity share: the value of a record, as Mars has it. The key is the address of all vectors. */
#ifndef PAIRS_H
#define PAIRS_H

struct document_pair {
  unsigned one, other, terms;
  float unused; /* there is a place for the similarity */
};

#endif
