/*
 * Preloaded into a process (LD_PRELOAD), it stands before the C library's calls that change files, and does two things below the
 * folder $FAULT_ROOT alone:
 *
 * 1. Faults. The file $FAULT_CONTROL holds "FAULT PART" or nothing: calls whose path contains PART fail as FAULT says, until the
 *    file says otherwise. Each is noted as "FAULT CALL PATH" in $FAULT_HITS.
 *      ENOSPC  no room: new names and writes       EDQUOT  the same, for one user
 *      EIO     the disk fails: writes and syncs    EROFS   made read-only: everything that changes anything
 *      EMFILE  no more open files: every open      SHORT   each write takes half of its bytes
 *      TORN    a write takes half, and the next finds no room
 * 2. A journal. Where $FAULT_JOURNAL names a file, every change that was done, every sync, and all that is said on stdout is
 *    appended to it in order: a JSON line, then as many bytes as its "bytes" says.
 *
 * One call at a time: what the journal says was done in this order.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int raw_open(const char *path, int flags) { return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0600); }
static ssize_t raw_write(int fd, const void *bytes, size_t count) { return syscall(SYS_write, fd, bytes, count); }
static void raw_close(int fd) { syscall(SYS_close, fd); }

static void append_to(const char *variable, const void *head, size_t head_bytes, const void *body, size_t body_bytes) {
  const char *file = getenv(variable);
  if (file == NULL) return;
  int fd = raw_open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC);
  if (fd < 0) return;
  raw_write(fd, head, head_bytes);
  if (body_bytes > 0) raw_write(fd, body, body_bytes);
  raw_close(fd);
}

static int is_below(const char *path) {
  const char *root = getenv("FAULT_ROOT");
  return root != NULL && strncmp(path, root, strlen(root)) == 0;
}

static const char *path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
  return path;
}

/* The fault that holds for this path, or "". */
static const char *fault_for(const char *path, char *fault) {
  fault[0] = 0;
  const char *control = getenv("FAULT_CONTROL");
  if (control == NULL || !is_below(path)) return fault;
  char said[512];
  int fd = raw_open(control, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fault;
  ssize_t length = syscall(SYS_read, fd, said, sizeof said - 1);
  raw_close(fd);
  said[length < 0 ? 0 : length] = 0;
  char part[480];
  if (sscanf(said, "%15s %479s", fault, part) != 2 || strstr(path, part) == NULL) fault[0] = 0;
  return fault;
}

static int refuse(const char *fault, const char *call, const char *path, int error) {
  char line[PATH_MAX + 64];
  int length = snprintf(line, sizeof line, "%s %s %s\n", fault, call, path);
  append_to("FAULT_HITS", line, (size_t)length, NULL, 0);
  errno = error;
  return -1;
}

static int error_of(const char *fault, const char *list) {
  if (strstr(list, fault) == NULL) return 0;
  if (!strcmp(fault, "ENOSPC")) return ENOSPC;
  if (!strcmp(fault, "EDQUOT")) return EDQUOT;
  if (!strcmp(fault, "EIO")) return EIO;
  if (!strcmp(fault, "EROFS")) return EROFS;
  if (!strcmp(fault, "EMFILE")) return EMFILE;
  return 0;
}

/* -1 with errno where the fault that holds for `path` is one of `list`, else 0. */
static int check(const char *call, const char *path, const char *list) {
  char fault[16];
  if (fault_for(path, fault)[0] == 0) return 0;
  int error = error_of(fault, list);
  return error == 0 ? 0 : refuse(fault, call, path, error);
}

static void journal(const char *kind, const char *path, const char *other, long long at, const void *bytes, size_t count) {
  if (getenv("FAULT_JOURNAL") == NULL) return;
  char line[3 * PATH_MAX];
  int length = snprintf(line, sizeof line, "{\"kind\":\"%s\",\"path\":\"%s\",\"other\":\"%s\",\"at\":%lld,\"bytes\":%zu}\n", kind,
                        path, other, at, count);
  append_to("FAULT_JOURNAL", line, (size_t)length, bytes, count);
}

/* ---- opening ---- */

static int open_checked(const char *call, int directory, const char *given, int flags, mode_t mode) {
  char path[PATH_MAX];
  if (given[0] == '/' || directory == AT_FDCWD) snprintf(path, sizeof path, "%s", given);
  else snprintf(path, sizeof path, "%s/%s", path_of(directory, (char[PATH_MAX]){0}), given);
  int writes = (flags & O_ACCMODE) != O_RDONLY;
  pthread_mutex_lock(&turn);
  int is_new = (flags & O_CREAT) && is_below(path) && access(path, F_OK) != 0;
  int is_cut = (flags & O_TRUNC) && writes && !is_new;
  const char *list = is_new ? "EMFILE EROFS ENOSPC EDQUOT" : writes ? "EMFILE EROFS" : "EMFILE";
  int fd = check(call, path, list);
  if (fd == 0) fd = (int)syscall(SYS_openat, directory, given, flags, mode);
  if (fd >= 0 && is_below(path)) {
    if (is_new) journal("create", path, "", 0, NULL, 0);
    if (is_cut) journal("truncate", path, "", 0, NULL, 0);
  }
  int error = errno;
  pthread_mutex_unlock(&turn);
  errno = error;
  return fd;
}

#define WITH_MODE(flags)                       \
  mode_t mode = 0;                             \
  if ((flags) & (O_CREAT | O_TMPFILE)) {       \
    va_list rest;                              \
    va_start(rest, flags);                     \
    mode = va_arg(rest, mode_t);               \
    va_end(rest);                              \
  }

int open(const char *path, int flags, ...) { WITH_MODE(flags) return open_checked("open", AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { WITH_MODE(flags) return open_checked("open", AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { WITH_MODE(flags) return open_checked("open", at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { WITH_MODE(flags) return open_checked("open", at, path, flags, mode); }

/* ---- writing ---- */

/* The file whose last write took half. */
static ino64_t torn;

static ssize_t write_checked(const char *call, int fd, const void *bytes, size_t count, off64_t at) {
  char path[PATH_MAX], fault[16];
  int is_said = fd == 1;
  path_of(fd, path);
  if (!is_said && !is_below(path)) return at < 0 ? raw_write(fd, bytes, count) : syscall(SYS_pwrite64, fd, bytes, count, at);
  pthread_mutex_lock(&turn);
  ssize_t written = is_said ? 0 : check(call, path, "ENOSPC EDQUOT EIO EROFS");
  if (written == 0) {
    size_t wanted = count;
    if (!is_said && fault_for(path, fault)[0] != 0 && (!strcmp(fault, "SHORT") || !strcmp(fault, "TORN"))) {
      struct stat64 there;
      fstat64(fd, &there);
      if (count > 1) wanted = count / 2;
      refuse(fault, call, path, 0);
      if (!strcmp(fault, "TORN") && torn == there.st_ino) wanted = 0;
      if (!strcmp(fault, "TORN")) torn = there.st_ino;
    } else if (!is_said) torn = 0;
    if (wanted == 0 && count > 0) {
      pthread_mutex_unlock(&turn);
      errno = ENOSPC;
      return -1;
    }
    struct stat64 stats;
    long long place = at;
    if (place < 0) place = (fcntl(fd, F_GETFL) & O_APPEND) && fstat64(fd, &stats) == 0 ? stats.st_size : lseek64(fd, 0, SEEK_CUR);
    written = at < 0 ? raw_write(fd, bytes, wanted) : syscall(SYS_pwrite64, fd, bytes, wanted, at);
    if (written > 0) journal(is_said ? "say" : "write", is_said ? "" : path, "", is_said ? 0 : place, bytes, (size_t)written);
  }
  int error = errno;
  pthread_mutex_unlock(&turn);
  errno = error;
  return written;
}

ssize_t write(int fd, const void *bytes, size_t count) { return write_checked("write", fd, bytes, count, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return write_checked("write", fd, bytes, count, at); }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) { return write_checked("write", fd, bytes, count, at); }
/* A caller bears with less than it asked for: the first piece alone is written. */
static ssize_t first_piece(int fd, const struct iovec *pieces, int count, off64_t at) {
  for (int index = 0; index < count; index += 1)
    if (pieces[index].iov_len > 0) return write_checked("writev", fd, pieces[index].iov_base, pieces[index].iov_len, at);
  return 0;
}
ssize_t writev(int fd, const struct iovec *pieces, int count) {
  char path[PATH_MAX];
  if (!is_below(path_of(fd, path))) return syscall(SYS_writev, fd, pieces, count);
  return first_piece(fd, pieces, count, -1);
}
ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t at) { return first_piece(fd, pieces, count, at); }
ssize_t pwritev64(int fd, const struct iovec *pieces, int count, off64_t at) { return first_piece(fd, pieces, count, at); }

/* ---- everything else that changes a file or a name ---- */

#define ON_FILE(call, list, kind, at, doing)                        \
  char path[PATH_MAX];                                              \
  if (!is_below(path_of(fd, path))) return (int)(doing);            \
  pthread_mutex_lock(&turn);                                        \
  int done = check(call, path, list);                               \
  if (done == 0) done = (int)(doing);                               \
  if (done == 0) journal(kind, path, "", at, NULL, 0);              \
  int error = errno;                                                \
  pthread_mutex_unlock(&turn);                                      \
  errno = error;                                                    \
  return done;

int fsync(int fd) { ON_FILE("fsync", "EIO", "sync", 0, syscall(SYS_fsync, fd)) }
int fdatasync(int fd) { ON_FILE("fdatasync", "EIO", "sync", 0, syscall(SYS_fdatasync, fd)) }
int ftruncate(int fd, off_t length) { ON_FILE("ftruncate", "EIO EROFS", "truncate", (long long)length, syscall(SYS_ftruncate, fd, length)) }
int ftruncate64(int fd, off64_t length) { ON_FILE("ftruncate", "EIO EROFS", "truncate", (long long)length, syscall(SYS_ftruncate, fd, length)) }

#define ON_NAME(call, name, other, list, kind, doing)               \
  if (!is_below(name)) return (int)(doing);                         \
  pthread_mutex_lock(&turn);                                        \
  int done = check(call, name, list);                               \
  if (done == 0) done = (int)(doing);                               \
  if (done == 0) journal(kind, name, other, 0, NULL, 0);            \
  int error = errno;                                                \
  pthread_mutex_unlock(&turn);                                      \
  errno = error;                                                    \
  return done;

int mkdir(const char *path, mode_t mode) { ON_NAME("mkdir", path, "", "ENOSPC EDQUOT EROFS EIO", "mkdir", syscall(SYS_mkdir, path, mode)) }
int rename(const char *from, const char *to) { ON_NAME("rename", to, from, "ENOSPC EDQUOT EROFS EIO", "rename", syscall(SYS_rename, from, to)) }
int link(const char *from, const char *to) { ON_NAME("link", to, from, "ENOSPC EDQUOT EROFS EIO", "link", syscall(SYS_link, from, to)) }
int unlink(const char *path) { ON_NAME("unlink", path, "", "EROFS EIO", "unlink", syscall(SYS_unlink, path)) }
