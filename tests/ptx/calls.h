/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that a kernel calls and that the host runs as they stand: FN says how they are compiled, TABLE where a table
 * of constants lies. Plain C of integers (and doubles, without contraction). */
#ifndef TANDEM_TESTS_PTX_CALLS_H
#define TANDEM_TESTS_PTX_CALLS_H

struct shape {
  int a, b;
  double c;
  short d[5];
};

FN int add_three(int a, signed char b, short c) { return a + b * c; }

FN struct shape grow_shape(struct shape s, unsigned k) {
  s.a += (int)k;
  s.c *= 2;
  s.d[k & 3] = (short)(k * 7);
  return s;
}

FN int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

FN unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

FN int is_odd(int n);
FN int is_even(int n) {
  if (n == 0) return 1;
  return is_odd(n - 1) + (n == 7 ? 100 : 0);
}
FN int is_odd(int n) {
  if (n == 0) return 0;
  return is_even(n - 1) + (n == 4 ? 1000 : 0);
}

FN void quicksort(int *v, int low, int high) {
  int i = low, j = high, pivot = v[(low + high) / 2];
  while (i <= j) {
    while (v[i] < pivot) i++;
    while (v[j] > pivot) j--;
    if (i <= j) {
      int t = v[i];
      v[i++] = v[j];
      v[j--] = t;
    }
  }
  if (low < j) quicksort(v, low, j);
  if (i < high) quicksort(v, i, high);
}

FN int op_add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
FN int op_sub(int a, int b) { return (int)((unsigned)a - (unsigned)b); }
FN int op_mul(int a, int b) { return (int)((unsigned)a * (unsigned)b); }
FN int op_deep(int a, int b) { return op_mul(op_add(a, 1), b) ^ fib(b & 3); }
typedef int (*binary)(int, int);
TABLE binary operations[4] = {op_add, op_sub, op_mul, op_deep};

/* A function pointer as an argument, and one that calls itself through a pointer. */
FN int apply_twice(binary f, int x) { return f(f(x, 3), 5); }
FN int count_down(binary f, int n) { return n <= 0 ? f(n, 9) : f(count_down(f, n - 1 - (n & 1)), n); }

/* Returns at many places, in loops, from diverged threads. */
FN int many_returns(int x, int n) {
  for (int i = 0; i < n; i++) {
    if (x % 7 == 3) return i * 100 + x;
    x = (int)((unsigned)x * 5u + (unsigned)i);
    if (x & 64) {
      if (x & 128) return x ^ -1;
      x -= 64;
    }
  }
  return x;
}

FN unsigned dispatch(unsigned x, unsigned j) {
  switch (x % 13) {
    case 0: return x + 3;
    case 1: x ^= j; break;
    case 2: x *= 3; /* fall through */
    case 3: x -= j; break;
    case 4: x = x << 1; break;
    case 5: x = ~x; break;
    case 6: x += x * j; break;
    case 7: return x - 77;
    case 8: x |= 5; break;
    case 9: x &= 0xffffff; break;
    case 10: x = x >> 3 | x << 29; break;
    case 11: x ^= x >> 7; break;
    default: x += 1000;
  }
  return x + 1;
}

/* ---- what one thread of each kernel computes from its word ---- */

FN unsigned run_calls(unsigned in) {
  int v = add_three((int)in, (signed char)(in >> 8), (short)(in >> 3));
  if (in & 1) v += fib((int)(in >> 4 & 7));
  return (unsigned)v + (unsigned)is_even((int)(in >> 8 & 15));
}

FN unsigned run_shape(unsigned in) {
  struct shape s = {(int)in, 3, (double)(in & 1023), {1, 2, 3, 4, 5}};
  s = grow_shape(s, in >> 5 & 255);
  s = grow_shape(s, in >> 9 & 255);
  return (unsigned)s.a + (unsigned)s.c * 3u + (unsigned)(unsigned short)(s.d[0] ^ s.d[1] ^ s.d[2] ^ s.d[3] ^ s.d[4]);
}

FN unsigned run_ackermann(unsigned in) { return ackermann(in & 1, in >> 1 & 7) * 1000 + ackermann(2, in >> 4 & 3); }

FN unsigned run_quicksort(unsigned in) {
  int v[24];
  unsigned sum = 0;
  for (int i = 0; i < 24; i++) {
    in = in * 1664525u + 1013904223u;
    v[i] = (int)(in >> 20) - 1000;
  }
  quicksort(v, 0, 23);
  for (int i = 0; i < 24; i++) sum = sum * 31u + (unsigned)v[i];
  return sum;
}

FN unsigned run_pointers(unsigned in) {
  int v = (int)(in & 0xffff);
  for (unsigned i = 0; i < 6; i++) v = operations[(in >> 2 * i) & 3](v, (int)i + 2);
  v = apply_twice(operations[in >> 16 & 1], v);
  return (unsigned)count_down(operations[in >> 17 & 1], (int)(in >> 20 & 15)) + (unsigned)v;
}

FN unsigned run_returns(unsigned in) { return (unsigned)many_returns((int)(in & 0xfff), (int)(in >> 12 & 15)); }

FN unsigned run_dispatch(unsigned in) {
  for (unsigned j = 0; j < 20; j++) in = dispatch(in, j);
  return in;
}

FN unsigned run_local(unsigned in) {
  unsigned a[32], sum = 0;
  for (unsigned j = 0; j < 32; j++) a[j] = in * j ^ 0x1234u;
  for (unsigned j = 0; j < 40; j++) {
    unsigned x = a[j & 31];
    a[x >> 2 & 31] += j;
  }
  for (unsigned j = 0; j < 32; j++) sum = sum * 31u + a[j];
  return sum;
}

#endif
