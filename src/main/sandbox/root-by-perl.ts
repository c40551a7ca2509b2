import type { RootStep } from './root-steps.ts'

/*
 * The same steps through system calls in a single process: in a shell each is a separate program, and forty of them took most of
 * the start time of a sandboxed process. Perl is available wherever git is, and guards the process anyway.
 */

/** The numbers of these system calls, for known processors. */
const CALLS: Readonly<Record<string, { mount: number; unmount: number; pivot: number }>> = {
  x64: { mount: 165, unmount: 166, pivot: 155 },
  arm64: { mount: 40, unmount: 39, pivot: 41 },
}
/** The system call `mount_setattr`, which has the same number on every processor. */
const SET_ATTRIBUTES = 442

/** The `MS_…` flags of mount(2). */
const FLAGS = { ro: 1, nosuid: 2, nodev: 4, noexec: 8, noatime: 1024, nodiratime: 2048, relatime: 1 << 21 }
const [REMOUNT, BIND, DEEP] = [32, 4096, 16384]

function bits(flags: readonly string[]): number {
  return flags.reduce((sum, flag) => sum | (FLAGS[flag as keyof typeof FLAGS] ?? 0), 0)
}

/** Returns whether this processor's numbers are known. */
export function knowsCalls(processor: string = process.arch): boolean {
  return CALLS[processor] !== undefined
}

/**
 * Returns a perl script. Its arguments: the folder of the new root, or `-` to stay in this one; `up` if it needs its own network; the
 * folder to start in, the number of words in the steps, those words, and a command line. It carries out the steps, moves into the root
 * and becomes the command; if a step fails, it reports that and exits.
 *
 * `mnt`: source, target, type, flags, data. Strings are copied, because perl passes only writable ones to the kernel; numbers
 * must be numeric to perl, too.
 */
function buildingScript(processor: string = process.arch): string {
  const { mount, unmount, pivot } = CALLS[processor] ?? { mount: -1, unmount: -1, pivot: -1 }
  return `
my ($root, $network, $folder, $count) = splice(@ARGV, 0, 4);
my @words = splice(@ARGV, 0, $count);
sub mnt { my ($from, $at, $type, $flags, $data) = @_; syscall(${mount}, $from, $at, $type, $flags + 0, $data) == 0 }
sub fail { die "$_[0]: $!\\n" }
sub folders { my ($path) = @_; my $at = ''; for (split m{/}, substr($path, 1)) { $at .= "/$_"; mkdir($at, 0755) or -d $at or fail($at) } }
sub file { my ($at) = @_; open(my $made, '>>', $at) or fail($at); close($made) }
sub show { my ($from, $at, $flags) = @_; mnt($from, $at, '', ${BIND} | $flags, '') }
sub restrict { my ($at, $flags) = @_; mnt('', $at, '', ${REMOUNT | BIND | FLAGS.ro} | $flags, '') }
sub memory { my ($at, $mode, $flags) = @_; mnt('pulseward', $at, 'tmpfs', $flags, "mode=$mode") }
my %acts = (
  folder => [1, sub { folders($_[0]) }],
  file => [1, sub { file($_[0]) }],
  link => [2, sub { symlink($_[0], $_[1]) or fail($_[1]) }],
  place => [2, sub { my ($like, $at) = @_; return if -e $at; return folders($at) if -d $like; $at =~ m{^(.*)/} and folders($1); file($at) }],
  bind => [3, sub { &show or fail($_[1]) }],
  restrict => [2, sub { &restrict or fail($_[0]) }],
  loosely => [2, sub { &restrict }],
  all => [2, sub { my ($at, $others) = @_; my $set = pack('QQQQ', ${FLAGS.ro}, 0, 0, 0);
    splice(@words, 0, $others) if syscall(${SET_ATTRIBUTES}, -100, $at, 0x8000, $set, 32) == 0 }],
  memory => [3, sub { &memory or fail($_[0]) }],
  processes => [1, sub { mnt('proc', $_[0], 'proc', ${bits(['nosuid', 'nodev', 'noexec'])}, '') or fail($_[0]) }],
  shield => [1, sub { my ($at) = @_; -e $at or return;
    show($at, $at, 0) && restrict($at, ${bits(['nosuid', 'nodev', 'noexec'])}) or fail($at) }],
  layer => [4, sub { my ($lower, $upper, $work, $at) = @_;
    mnt('layer', $at, 'overlay', 0, "userxattr,lowerdir=$lower,upperdir=$upper,workdir=$work") or fail($at) }],
);
while (defined(my $act = shift @words)) { my ($many, $do) = @{$acts{$act}}; $do->(splice(@words, 0, $many)) }
if ($network eq 'up') { my $lo = pack('Z16sx22', 'lo', 0x41); my $any; socket($any, 2, 2, 0) and ioctl($any, 0x8914, $lo) }
my $here = '.';
$root eq '-' or chdir($root) && syscall(${pivot}, $here, $here) == 0 && syscall(${unmount}, $here, 2) == 0 or fail('the new root');
chdir($folder) or fail($folder);
exec { $ARGV[0] } @ARGV or fail($ARGV[0]);`
}

/** Returns the arguments for that script that carry out the steps; a command line follows. */
export function builtByPerl(
  perl: string,
  steps: readonly RootStep[],
  {
    root,
    network,
    directory,
  }: { readonly root: string; readonly network: string; readonly directory: string },
): readonly string[] {
  const words = steps.flatMap(wordsOf)
  return [perl, '-e', buildingScript(), '--', root, network, directory, String(words.length), ...words]
}

/** Returns the words that encode a step for that script. */
function wordsOf(step: RootStep): readonly string[] {
  switch (step.kind) {
    case 'folders':
      return step.at.flatMap((at) => ['folder', at])
    case 'file':
      return ['file', step.at]
    case 'link':
      return ['link', step.to, step.at]
    case 'place':
      return ['place', step.like, step.at]
    case 'bind':
      return ['bind', step.from, step.at, String(step.isDeep ? DEEP : 0)]
    case 'restrict':
      return [step.isLoose ? 'loosely' : 'restrict', step.at, String(bits(step.flags))]
    case 'restrict-all': {
      const others = step.oneByOne.flatMap(wordsOf)
      return ['all', step.at, String(others.length), ...others]
    }
    case 'memory':
      return ['memory', step.at, step.mode, String(step.isReadOnly ? FLAGS.ro : 0)]
    case 'processes':
      return ['processes', step.at]
    case 'shield':
      return ['shield', step.at]
    case 'layer':
      return ['layer', step.lower, step.upper, step.work, step.at]
  }
}
