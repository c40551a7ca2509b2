/*
 * Abstract sockets on Linux (X11, some buses) belong to the network namespace, which a sandboxed program with `network = "all"`
 * shares. From Linux 6.12 on, Landlock can block those of other processes; the program's own still work. This takes three system
 * calls with the same numbers on every processor, and perl, which every distribution with git has.
 */

/** Prints the version; 6 supports the scope. */
export const LANDLOCK_VERSION = 'print syscall(444, 0, 0, 1)'
export const SCOPING_VERSION = 6

/** Perl code with a rule set of one rule: no abstract sockets of others. Needs `no_new_privs`. Dies if it cannot be applied. */
export const SCOPING = `
my $what = pack("QQQ", 0, 0, 1);
my $rules = syscall(444, $what, 24, 0);
$rules >= 0 && syscall(446, $rules, 0) == 0 or die "no scope for sockets: $!\\n";`
