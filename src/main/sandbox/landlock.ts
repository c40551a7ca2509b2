/*
 * Sockets without a file (Linux's abstract names: X11, some buses) go by the network's namespace, which a
 * contained program with `network = "all"` shares. Landlock can keep it from those that others listen on, from
 * Linux 6.12 on; its own stay its own. It takes three calls of the kernel that have the same numbers on every
 * processor, and perl, which every distribution with git has.
 */

/** By the version that this prints: 6 knows the scope. */
export const LANDLOCK_VERSION = 'print syscall(444, 0, 0, 1)'
export const SCOPING_VERSION = 6

/**
 * Perl with a rule set of one rule, no abstract socket of others. Needs `no_new_privs`. Dies where it cannot be
 * put in force.
 */
export const SCOPING = `
my $what = pack("QQQ", 0, 0, 1);
my $rules = syscall(444, $what, 24, 0);
$rules >= 0 && syscall(446, $rules, 0) == 0 or die "no scope for sockets: $!\\n";`
