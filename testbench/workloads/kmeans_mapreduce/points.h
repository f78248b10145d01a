/* SPDX-License-Identifier: Apache-2.0 */
/* What kernel and host program of kmeans_mapreduce share: key and value of a record, as Mars has them. */
#ifndef POINTS_H
#define POINTS_H

struct point_key {
  unsigned point, dimensions, clusters, unused; /* unused: the address is aligned */
  unsigned long long cluster_of;                /* address of the points' clusters */
};
/* Addresses of all points, of the clusters' centres, and of a word that says whether a point has changed its cluster. */
struct point_value {
  unsigned long long points, centres, changed;
};

#endif
