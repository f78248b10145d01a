/* SPDX-License-Identifier: Apache-2.0 */
/* A decoded operation: operands, scoreboard registers, and a struct for each class of operation. */
#ifndef TANDEM_PTX_OP_H
#define TANDEM_PTX_OP_H

#include <stdbool.h>
#include <stdint.h>

enum { WARP_LANES = 32, PTX_SOURCES_MAX = 8, PTX_EXTENSION_ARGS_MAX = 8 };

/* What an operation needs from the core. */
enum ptx_class {
  PTX_NOP,   /* takes an issue slot and does nothing else: bar.warp.sync, nanosleep, prefetch, ... */
  PTX_INT,   /* 32-bit integer, logic, moves, conversions, predicates */
  PTX_INT64, /* 64-bit integer */
  PTX_F32,
  PTX_F64,
  PTX_SFU,    /* rcp, sqrt, rsqrt, ex2, lg2, sin, cos, tanh */
  PTX_DIV,    /* div, rem, of integers too */
  PTX_MATRIX, /* products of mma and wmma */
  PTX_BRANCH, /* bra, brx, call, ret */
  PTX_EXIT,
  PTX_LOAD,
  PTX_STORE,
  PTX_ATOMIC,
  PTX_BARRIER,
  PTX_FENCE,
  PTX_ASYNC,     /* cp.async.commit_group */
  PTX_EXTENSION, /* call of an extension function, an instruction that a proposal adds */
  PTX_PHASE,     /* a phase begins (ptx/phases.h): of the compiler, or a pragma of the text */
  PTX_CLASSES
};

/* What a PTX_BRANCH does. */
enum ptx_branch_kind { BRANCH_PLAIN, BRANCH_INDEXED, BRANCH_CALL, BRANCH_CALL_INDIRECT, BRANCH_RETURN };

enum ptx_space { PTX_GLOBAL, PTX_SHARED, PTX_LOCAL, PTX_CONST, PTX_PARAM, PTX_GENERIC, PTX_TEXTURE, PTX_SPACES };

/* How a load or store asks to be cached; cache hints with no effect here (.cs, .lu, L1::...) are dropped. */
enum ptx_cache {
  PTX_CACHE_DEFAULT,
  PTX_CACHE_READ_ONLY, /* ld.nc: the line is constant for the launch */
  PTX_CACHE_L2,        /* .cg: not in L1 */
  PTX_CACHE_VOLATILE   /* .volatile, .cv: do not use a cached copy */
};

/* cp.async.wait_group N has a scoreboard register for each N below PTX_ASYNC_GROUPS; wait_all has one more. */
enum { PTX_ASYNC_GROUPS = 8, PTX_ASYNC_REGISTERS = PTX_ASYNC_GROUPS + 1 };

/* What says which level of a mipmap a fetch reads; what an access outside of a surface does. */
enum ptx_fetch_level { FETCH_LARGEST, FETCH_LEVEL, FETCH_GRADIENTS };
enum ptx_surface_outside { SURFACE_TRAP, SURFACE_CLAMP, SURFACE_ZERO };

/* The part that an operation plays in a software staging copy from global to shared memory (ptx/tiles.c). */
enum ptx_tile_role { PTX_TILE_NONE, PTX_TILE_ADDRESS, PTX_TILE_LOAD, PTX_TILE_STORE };
enum { PTX_TILES = 9, PTX_ARRAYS = 254 }; /* of a kernel, at most: tiles; shared arrays that are told apart */

struct ptx_op;
struct ptx_warp;

/* Executes one operation for the lanes of `mask`. */
typedef void ptx_exec_fn(const struct ptx_op *op, struct ptx_warp *warp, uint32_t mask);

/* An operand: a row of 32 lanes. Registers and constants are both rows: index >= 0 counts 32-bit rows in the warp's
 * register file, index < 0 is row ~index of the kernel's constant rows (immediates, repeated for every lane). 64-bit
 * values take two rows and are stored as uint64_t[32]; predicates are one 32-bit mask at the start of their row. */
typedef int32_t ptx_row;

/* ---- what a class of operations has beside its operands ---- */

struct ptx_op_arithmetic {
  bool ftz, sat;
  bool carries;     /* the last source is the carry that comes in */
  uint8_t rounding; /* enum ptx_rounding, of floats */
};

/* setp, set, and lop3 with a predicate: the result is combined with the predicate that is the last source. */
enum ptx_combine { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };
struct ptx_op_compare {
  uint32_t value;  /* of set: what a lane gets where the comparison holds */
  uint8_t combine; /* enum ptx_combine */
  bool set;        /* writes `value` to lanes, not predicates */
};

/* cvt between two types, where no handler does it */
struct ptx_op_convert {
  uint8_t to, from; /* enum ptx_type */
  uint8_t rounding; /* enum ptx_rounding */
  uint8_t to_bytes; /* of the destination register, which may be wider than the type */
  bool from_64;     /* the source register has 64 bits */
  bool ftz, sat;
};

/* cvt of pairs and to narrow formats */
struct ptx_op_narrow {
  uint8_t row;      /* of ptx_narrow[] */
  uint8_t rounding; /* enum ptx_rounding */
  uint8_t asked;    /* NARROW_... */
};

struct ptx_op_match {
  bool all, is_64;
};

/* A product D = A B + C, whose operands lie in the warp's matrix rows; and what puts one there (ptx/exec_matrix.c). */
struct ptx_op_matrix {
  uint8_t a, b, c, d;           /* enum ptx_type of the elements; T_B32: tf32 */
  uint16_t work;                /* multiply-adds of f16 that take a matrix unit as long; 0: no product */
  uint8_t m, k;                 /* rows of A, columns of A; B has 8 columns */
  uint8_t row_a, row_b, row_c;  /* first matrix rows; of an operation that puts an operand there: row_a */
  uint8_t first;                /* element of C and D in a lane at which the operation begins */
  bool quads : 1;               /* four products, each of eight lanes (m8n8k4 of f16) */
  bool a_column : 1, b_row : 1; /* then: the order of the elements */
  bool saturates : 1;
};

struct ptx_op_atomic {
  uint8_t operation; /* enum ptx_atomic */
  uint8_t type;      /* enum ptx_type */
};

/* Loads, stores, atomics, and accesses of parameters and frames. Sources: the address, then values. Of cp.async: the
 * global address, the shared address, and the bytes to read or the predicate that says to read none. */
struct ptx_op_memory {
  int64_t offset;         /* added to the address */
  uint8_t space;          /* enum ptx_space */
  uint8_t bytes;          /* of one element: 1, 2, 4, 8; of cp.async up to 16 */
  uint8_t vector;         /* elements a lane: 1, 2, 4 */
  uint8_t cache;          /* enum ptx_cache of a load or store */
  uint8_t register_bytes; /* of a value's register: 2 (bytes too), 4, 8 */
  bool is_signed : 1;     /* values narrower than their register are sign-extended */
  bool address_32 : 1;    /* the address is a 32-bit register */
  bool wide_host : 1;     /* the host has AVX2 and FMA */
  bool outgoing : 1;      /* in the callee's frame: the frame's size is added to the offset when the kernel is linked */
  bool async : 1;         /* cp.async */
  bool is_mbarrier : 1;
  bool is_matrix : 1; /* of all lanes together: ldmatrix, stmatrix, wmma.load, wmma.store */
  union {
    struct ptx_op_atomic atomic;
    /* is_matrix. With g = lane / 4 and t = lane % 4, an element lies `stride` (source 1) times line + line_g g + line_t t
     * elements behind the address, and place + place_g g + place_t t more. */
    struct {
      unsigned count : 3;  /* ldmatrix and stmatrix: 8 x 8 matrices; 0: wmma */
      unsigned across : 1; /* they are transposed */
      unsigned part : 2;   /* of wmma: number of the element in its register */
      unsigned scale : 2;  /* log2 of the bytes of an element of the matrix */
      uint8_t line, line_g, line_t, place, place_g, place_t;
    } matrix;
    struct {
      uint8_t kind; /* enum ptx_mbarrier */
    } mbarrier;     /* is_mbarrier */
    struct {
      uint32_t shared_offset; /* added to the shared address */
      bool shared_32;         /* the shared address is a 32-bit register */
      bool ignore;            /* source 2 is the predicate */
    } copy;                   /* async */
    /* Of PTX_TEXTURE. Sources: the handle, a layer, coordinates; then the level or two gradients, or the values. */
    struct {
      uint8_t geometry;            /* enum texture_geometry */
      uint8_t level;               /* enum ptx_fetch_level */
      uint8_t gather;              /* tld4: 1 + channel */
      uint8_t outside;             /* enum ptx_surface_outside */
      bool integer : 1;            /* coordinates */
      bool surface : 1;            /* suld, sust, sured: the first coordinate counts bytes, */
      bool formatted : 1;          /* or elements, to whose format the values are converted */
      struct ptx_op_atomic reduce; /* sured; the type of a formatted one is the element's */
    } fetch;
  };
};

/* Operations are numbered within the kernel; until the function is decoded, a target is an instruction's number. */
struct ptx_op_branch {
  uint8_t kind;         /* enum ptx_branch_kind */
  uint32_t target;      /* of BRANCH_INDEXED: the first one in the kernel's table */
  uint32_t n_targets;   /* of BRANCH_INDEXED */
  uint32_t reconverge;  /* where lanes that diverge meet: the immediate post-dominator, or UINT32_MAX */
  uint32_t frame_bytes; /* of a call: the caller's frame */
  uint32_t live_across; /* of a call: registers that live across it, in 32-bit registers */
};

struct ptx_op_extension {
  uint16_t code;    /* of the extension table */
  uint8_t wide_set; /* bit i: argument i has 64 bits */
};

/* What the phase needs: 8 + 16 + 16 bits. */
struct ptx_op_phase {
  uint8_t registers;
  uint16_t shared_bytes; /* of static arrays */
  uint16_t sets;         /* bit s: registers 4 s to 4 s + 3 */
  bool dynamic;          /* a launch adds its dynamic shared memory */
};

struct ptx_op {
  ptx_exec_fn *exec; /* NULL for classes that core/ drives (branch, exit, barrier, memory, extension) */
  uint8_t class;     /* enum ptx_class */
  uint8_t n_dst, n_src;
  bool guard_negated;
  bool negated; /* !p: the predicate among the sources is negated */
  uint8_t tile; /* enum ptx_tile_role | number of the tile << 2, by order of their first loads; 0: no part in a copy */
  uint16_t issue_slots; /* instructions this counts for: 1, or what the extension table says */
  ptx_row guard;        /* predicate row, or PTX_NO_GUARD */
  ptx_row dst[4];
  ptx_row src[PTX_SOURCES_MAX];
  uint32_t line; /* of the PTX text */
  /* Scoreboard registers, 0..n_registers-1 of the kernel (no rows): lists that end in PTX_NO_REG or are full. The guard
   * is among the reads. */
  uint16_t read_reg[10], write_reg[4];
  uint16_t handler; /* number of the row of ptx/'s tables that executes it, from 1; 0: none */
  /* For tiles.c and shared_live.c: number of the shared array that the operation names, from 1, or 0; whether it moves
   * or converts. */
  uint8_t array;
  bool moves;
  union {
    struct ptx_op_memory memory;         /* PTX_LOAD, PTX_STORE, PTX_ATOMIC; parameters and frames */
    struct ptx_op_branch branch;         /* PTX_BRANCH */
    struct ptx_op_extension extension;   /* PTX_EXTENSION */
    struct ptx_op_phase phase;           /* PTX_PHASE */
    uint8_t barrier;                     /* PTX_BARRIER: enum ptx_barrier_kind */
    uint8_t wait;                        /* PTX_NOP: 0, or which async register it waits for, from 1 */
    struct ptx_op_arithmetic arithmetic; /* the others, by `exec`: handlers of exec_{int,bits,float,half,sfu}.c */
    struct ptx_op_compare compare;       /* setp, set, lop3 with a predicate */
    struct ptx_op_convert convert;       /* cvt */
    struct ptx_op_narrow narrow;         /* cvt of ptx_narrow[] */
    struct ptx_op_match match;
    struct ptx_op_atomic reduce; /* redux */
    struct ptx_op_matrix matrix; /* PTX_MATRIX, and what comes before it */
    uint8_t vote;                /* enum ptx_vote */
    uint8_t shuffle;             /* enum ptx_shuffle */
    uint8_t special;             /* mov from enum ptx_special */
    uint8_t window;              /* isspacep: enum ptx_space */
    struct {
      uint8_t what; /* enum ptx_texture_query */
      bool surface;
    } query;           /* txq, suq */
    uint8_t first_bit; /* of packed predicates */
    uint8_t alignment; /* of alloca, in bytes */
  };
};
_Static_assert(sizeof(struct ptx_op) <= 128, "an operation takes two cache lines of the host");
#define PTX_NO_GUARD INT32_MAX
#define PTX_NO_REG UINT16_MAX

#endif
