/* SPDX-License-Identifier: Apache-2.0 */
/* What kernel and host program of page_view_count share: key and value of a record, as Mars has them. */
#ifndef VIEWS_H
#define VIEWS_H

/* An entry of the log, or a page's URL at its beginning. `text`: the whole log. */
struct view_key {
  unsigned long long text;
  unsigned offset, hash;
};
struct view_value {
  unsigned size, phase;
};

#endif
