/* SPDX-License-Identifier: Apache-2.0 */
#include "run/snapshots.h"

#include "base/host_clock.h"
#include "base/process.h"
#include "run/second_run.h"
#include "run/snapshot_cost.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEPT = 2, BEFORE = 256, AFTER = 64 /* core cycles of the wave around cause and report */ };
#define SHARE 0.02 /* what copies may take of the processor time in launches */

/* What a copy is woken with. */
struct order {
  uint64_t from, report, to; /* core cycles */
  uint64_t end;              /* the last one of the run, which goes on for a while until the divergence is known */
  uint64_t digest;           /* of all registers after it */
  char dir[1100];
};

struct answer {
  bool same;      /* the copy's registers after that cycle have the digest, too */
  double seconds; /* processor time of the copy, which is a process of its own */
  struct err problem;
};

struct copy {
  pid_t pid; /* 0: none */
  int socket;
  uint64_t cycle;
};

struct snapshots {
  struct gpu_snapshots hook;
  struct gpu_observer observer; /* of a copy that was woken */
  struct gpu *gpu;
  struct dpi *dpi;
  uint64_t every;
  bool sparing; /* the user did not ask for a number of cycles */
  char dir[1100];
  struct copy copy[KEPT]; /* the older first */
  struct snapshot_cost cost;
  bool repeats;           /* another process may run the whole again */
  double begun, launches; /* processor time of this thread: at the launch's begin; in launches before it */
  double rerun_seconds;
  /* in a copy, and in a process that runs the whole again */
  int socket; /* -1: neither */
  bool watches;
  struct order order;
  struct answer answer;
};

static void end_copy(struct copy *c) {
  if (!c->pid) return;
  kill(c->pid, SIGKILL);
  while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR) {
  }
  close(c->socket);
  *c = (struct copy){0};
}

static void end_copies(struct snapshots *s) {
  for (int i = 0; i < KEPT; i++) end_copy(&s->copy[i]);
}

/* ---- in a copy ---- */

/* Every file of the run is the parent's: what this process still has in buffers must not reach them. */
static void let_go_of_files(int keep) {
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  DIR *d = nowhere < 0 ? NULL : opendir("/proc/self/fd");
  if (!d) _exit(1);
  for (struct dirent *f; (f = readdir(d));) {
    int fd = atoi(f->d_name);
    if (*f->d_name != '.' && fd != keep && fd != nowhere && fd != dirfd(d)) dup3(nowhere, fd, O_CLOEXEC);
  }
  closedir(d);
}

/* Answers and ends, without the exit handlers, which are the parent's. */
static void leave(struct snapshots *s) {
  if (!s->answer.problem.code && dpi_wave_finish(s->dpi, &s->answer.problem)) s->answer.same = false;
  s->answer.seconds = host_process_seconds();
  ssize_t sent = send(s->socket, &s->answer, sizeof s->answer, MSG_NOSIGNAL);
  _exit(sent != sizeof s->answer);
}

static void watch_copy(struct gpu_observer *o, uint64_t tick, uint64_t core_cycle) {
  struct snapshots *s = (struct snapshots *)(void *)((char *)o - offsetof(struct snapshots, observer));
  if (core_cycle == s->order.end) s->answer.same = dpi_digest(s->dpi) == s->order.digest;
  if (core_cycle == s->order.report) dpi_mark(s->dpi, tick);
  dpi_wave_cycle(s->dpi, tick, core_cycle);
  if (core_cycle + 1 >= s->order.to && core_cycle >= s->order.end) leave(s);
}

static bool hear(struct snapshots *s, int socket) {
  return recv(socket, &s->order, sizeof s->order, MSG_WAITALL) == sizeof s->order;
}

/* From here on the wave of the order is made. */
static void watch(struct snapshots *s) {
  s->watches = true;
  s->hook.at = UINT64_MAX;
  s->observer = (struct gpu_observer){
    .core_cycle = watch_copy, .watch_from = s->order.from ? s->order.from - 1 : 0, .watch_to = UINT64_MAX};
  gpu_watch_alone(s->gpu, &s->observer);
  dpi_watch_from_here(s->dpi, s->order.dir, s->order.from, s->order.to);
}

/* Sleeps until the parent has an order; a parent that ends takes its copies with it. */
static void be_a_copy(struct snapshots *s, int socket, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  let_go_of_files(socket);
  memset(s->copy, 0, sizeof s->copy); /* the parent's */
  if (!hear(s, socket)) _exit(1);
  s->socket = socket;
  watch(s);
}

/* ---- in the run ---- */

/* Whether another one would cost too much. */
static bool too_dear(const struct snapshots *s, double launches) {
  return s->sparing && snapshot_cost_of(&s->cost, s->cost.taken + 1) > SHARE * launches;
}

/* The main thread is between two ticks, so that the threads of SMs hold nothing. */
static void take(struct gpu_snapshots *hook, uint64_t core_cycle) {
  struct snapshots *s = (struct snapshots *)(void *)((char *)hook - offsetof(struct snapshots, hook));
  double now = host_thread_seconds(), launches = s->launches + now - s->begun;
  int ends[2];
  hook->at = core_cycle + s->every;
  if (s->socket < 0 && too_dear(s, launches)) return; /* the next one comes when it costs little enough */
  dpi_drain(s->dpi); /* a copy has no checkers; and what comes before it must not need an older one */
  if (dpi_divergence(s->dpi)) return;
  if (s->socket >= 0) { /* this run repeats another one, and has come to the wave */
    watch(s);
    return;
  }
  now = host_thread_seconds();
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return;
  pid_t parent = getpid(), pid = fork();
  if (!pid) {
    be_a_copy(s, ends[1], parent);
    return;
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]); /* no memory for a copy: the run itself goes on */
    return;
  }
  end_copy(&s->copy[0]);
  s->copy[0] = s->copy[1];
  s->copy[1] = (struct copy){.pid = pid, .socket = ends[0], .cycle = core_cycle};
  snapshot_cost_add(&s->cost, host_thread_seconds() - now);
}

int snapshots_create(const struct session *n, struct dpi *d, struct snapshots **out, struct err *e) {
  *out = NULL;
  if (!session_has_snapshots(n)) return 0;
  struct snapshots *s = calloc(1, sizeof *s);
  if (!s) return err_set(e, ERR_LIMIT, "out of memory for snapshots");
  s->hook.take = take;
  s->dpi = d;
  s->every = n->snapshot;
  s->sparing = n->snapshot == SESSION_SNAPSHOT;
  s->socket = -1;
  s->repeats = !n->n_records && second_run_allowed();
  snprintf(s->dir, sizeof s->dir, "%s/gpu", n->out_dir);
  *out = s;
  if (!n->again) return 0;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  s->socket = (int)n->again;
  return hear(s, s->socket) ? 0 : err_set(e, ERR_VALUE, "TANDEM_AGAIN=%d: no socket of a run", s->socket);
}

void snapshots_destroy(struct snapshots *s) {
  if (!s) return;
  end_copies(s);
  free(s);
}

struct gpu_snapshots *snapshots_hook(struct snapshots *s) {
  return s ? &s->hook : NULL;
}

void snapshots_begin(struct snapshots *s, struct gpu *g) {
  if (!s) return;
  s->gpu = g;
  snapshot_cost_measure(&s->cost);
  s->begun = host_thread_seconds();
  s->hook.at = s->watches ? UINT64_MAX : s->socket >= 0 ? s->order.from : 0; /* 0: the first cycle */
}

void snapshots_end(struct snapshots *s, bool diverged) {
  if (!s) return;
  if (s->watches && gpu_core_cycles(s->gpu) > s->order.end) leave(s);
  if (!diverged) end_copies(s);
  s->launches += host_thread_seconds() - s->begun;
}

uint32_t snapshots_taken(const struct snapshots *s, double *seconds) {
  *seconds = s && s->cost.taken ? snapshot_cost_of(&s->cost, s->cost.taken) : 0;
  return s ? s->cost.taken : 0;
}

double snapshots_rerun_seconds(const struct snapshots *s) { return s ? s->rerun_seconds : 0; }

/* Starts the program again; it waits for an order. */
static bool start_again(struct snapshots *s, struct copy *c, struct err *e) {
  char again[32], out[sizeof s->dir + 16];
  const char *variables[] = {again, out};
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
    return err_set(e, ERR_LIMIT, "the host has no socket left");
  snprintf(again, sizeof again, "TANDEM_AGAIN=%d", ends[1]);
  snprintf(out, sizeof out, "TANDEM_OUT=%s", s->dir);
  int status = second_run_start(variables, 2, ends[1], &c->pid, e);
  close(ends[1]);
  c->socket = ends[0];
  if (!status) return true;
  close(ends[0]);
  c->pid = 0;
  return false;
}

/* Who makes the wave: the older copy if the younger one was made behind its begin; without a copy a second run. */
static struct copy *who_runs_again(struct snapshots *s, uint64_t from, struct copy *again, FILE *to) {
  struct err e = {0};
  struct copy *c = s->copy[0].pid && (s->copy[1].cycle > from || !s->copy[1].pid) ? &s->copy[0] : &s->copy[1];
  if (c->pid) return c;
  if (s->repeats && start_again(s, again, &e)) return again;
  if (e.code) fprintf(to, "no wave of the GPU: %s\n", e.text);
  else
    fprintf(to,
            "no wave of the GPU: the run has no snapshot yet, for they take time; run again with --snapshot 50000\n");
  return NULL;
}

void snapshots_rerun(struct snapshots *s, FILE *to) {
  if (!s) return;
  uint64_t period = gpu_clocks(s->gpu)->period[CLOCK_CORE], end = gpu_core_cycles(s->gpu) - 1;
  uint64_t report = (dpi_divergence_tick(s->dpi) + period - 1) / period,
           distance = dpi_cause_distance(s->dpi, report) + BEFORE;
  uint64_t from = report > distance ? report - distance : 0;
  struct copy again = {0}, *c = who_runs_again(s, from, &again, to);
  if (!c) return;
  struct order order = {.from = from > c->cycle ? from : c->cycle,
                        .report = report,
                        .to = report + AFTER,
                        .end = end,
                        .digest = dpi_digest(s->dpi)};
  struct answer answer = {0};
  struct err e = {0};
  char source[64] = "of a second run";
  snprintf(order.dir, sizeof order.dir, "%s", s->dir);
  if (c != &again) snprintf(source, sizeof source, "from the snapshot of cycle %" PRIu64, c->cycle);
  if (process_make_folders(s->dir, "name a writable output folder with --out", &e)) {
    fprintf(to, "tandem: %s\n", e.text);
  } else if (send(c->socket, &order, sizeof order, MSG_NOSIGNAL) != sizeof order ||
             recv(c->socket, &answer, sizeof answer, MSG_WAITALL) != sizeof answer) {
    fprintf(to, "no wave of the GPU: the process %s has ended\n", source);
  } else if (answer.problem.code) {
    fprintf(to, "no wave of the GPU: %s\n", answer.problem.text);
  } else {
    fprintf(to, "the GPU, core cycles %" PRIu64 " to %" PRIu64 ", %s (registers %s): tandem wave %s\n", order.from,
            order.to - 1, source, answer.same ? "as in the run" : "NOT as in the run", s->dir);
    s->rerun_seconds = answer.seconds;
  }
  end_copy(&again);
  end_copies(s);
}
