/*
 * Two kernel features that no namespace blocks: the keyrings of the operator's session, and injecting characters into a terminal as if
 * typed. A system call filter refuses them, as containers do by default, so programs can cope with it. Perl installs it, together with the
 * socket restriction; a program of another architecture gets the same filter.
 */

/**
 * For each architecture that a machine can run: the kernel's name for it, and the numbers of these calls. x32 programs on x86-64 use the
 * first kind's name, but their own number for `ioctl`.
 */
const KINDS = [
  { name: 0xc000003e, keys: [248, 249, 250], ioctls: [16, 514], unmarked: 0xbfffffff },
  { name: 0x40000003, keys: [286, 287, 288], ioctls: [54] },
  { name: 0xc00000b7, keys: [217, 218, 219], ioctls: [29] },
  { name: 0x40000028, keys: [309, 310, 311], ioctls: [54] },
]
/** Injecting input: `TIOCSTI`, and `TIOCLINUX`, which pastes. */
const TYPING = [0x5412, 0x541c]

/** The number of the call that installs a filter, for known processors. */
const SECCOMP: Readonly<Record<string, number>> = { x64: 317, arm64: 277 }

/** One step of a filter: an operation, how many steps to skip if true, how many if false, and a number. */
type Step = readonly [code: number, yes: number, no: number, value: number]

const load = (offset: number): Step => [0x20, 0, 0, offset]
const isEqual = (value: number, yes: number, no: number): Step => [0x15, yes, no, value]
const ALLOWED: Step = [0x06, 0, 0, 0x7fff0000]
/** `EPERM`. */
const REFUSED: Step = [0x06, 0, 0, 0x00050001]

const [NUMBER, KIND, SECOND_ARGUMENT] = [0, 4, 24]

function filter(): readonly Step[] {
  const ofKinds = KINDS.map(({ name, keys, ioctls, unmarked }): readonly Step[] => {
    const typing = TYPING.map((request, index) => isEqual(request, TYPING.length - index, 0))
    const steps: readonly Step[] = [
      load(NUMBER),
      // x32 programs mark their call numbers.
      ...(unmarked === undefined ? [] : [[0x54, 0, 0, unmarked] as const]),
      ...keys.map((key, index) => isEqual(key, keys.length - index + ioctls.length + 1 + typing.length, 0)),
      ...ioctls.map((ioctl, index) => {
        const after = ioctls.length - 1 - index
        return isEqual(ioctl, after, after === 0 ? 1 + typing.length : 0)
      }),
      load(SECOND_ARGUMENT),
      ...typing,
      ALLOWED,
      REFUSED,
    ]
    return [isEqual(name, 0, steps.length), ...steps]
  })
  return [load(KIND), ...ofKinds.flat(), ALLOWED]
}

/**
 * Returns perl code that blocks these calls; `null` if they are unknown on this processor. Needs `no_new_privs`. Dies if it
 * cannot be applied.
 */
export function refusingCalls(processor: string = process.arch): string | null {
  const call = SECCOMP[processor]
  if (call === undefined) return null
  const steps = filter()
  return `
my $steps = pack("(SCCL)*", ${steps.flat().join(',')});
my $filter = pack("Sx6P", ${steps.length}, $steps);
syscall(${call}, 1, 4, $filter) == 0 or die "no filter of calls: $!\\n";`
}
