/* SPDX-License-Identifier: Apache-2.0 */
#include "run/plugin.h"

#include "base/err.h"
#include "core/registry.h"
#include "core/tandem.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int check(const struct tandem_plugin *p, const char *path, struct err *e) {
  if (!p)
    return err_set(e, ERR_VALUE, "--plugin %s: no plug-in: it ends with TANDEM_PLUGIN(...) of core/tandem.h", path);
  if (p->abi != TANDEM_PLUGIN_ABI || p->system_bytes != sizeof(struct system_ops) ||
      p->services_bytes != sizeof(struct sm_services) || p->config_bytes != sizeof(struct gpu_config))
    return err_set(e, ERR_VALUE,
                   "--plugin %s: compiled with the headers of another version of Tandem; compile it again", path);
  const struct system_ops *s = p->system;
  if (!s->name || !s->brief || !s->owner || !s->create || !s->destroy)
    return err_set(e, ERR_VALUE, "--plugin %s: name, brief, owner, create or destroy of its system_ops is missing",
                   path);
  const struct system_ops *other = system_find(s->name);
  if (other && other != s)
    return err_set(e, ERR_VALUE, "--plugin %s: there is a proposal '%s' already; choose another name", path, s->name);
  return 0;
}

int plugin_open(const char *path, struct err *e) {
  char full[PATH_MAX];
  if (!path) return 0;
  if (!realpath(path, full)) return err_set(e, ERR_FILE, "--plugin %s: there is no such file", path);
  void *handle = dlopen(full, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return err_set(e, ERR_FILE, "--plugin: %s; compile it with -shared -fPIC, as docs/own-blocks.md says", dlerror());
  const struct tandem_plugin *p = dlsym(handle, "tandem_plugin");
  int status = check(p, path, e);
  if (!status && system_find(p->system->name) != p->system) system_join(p->system);
  return status;
}
