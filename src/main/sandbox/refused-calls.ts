/*
 * Two doors of the kernel that no namespace closes: the keyrings of the operator's session, and pushing characters
 * into a terminal as if they had been typed. A filter of system calls refuses them, as containers do by default,
 * so that programs cope with it. It is put in force by perl, beside what keeps from sockets; whoever starts a
 * program of another width or numbering meets the same filter.
 */

/**
 * Of each kind of program that a machine runs: how the kernel names it, and its numbers of these calls. Programs of
 * the third kind of an x86-64 (x32) have the name of the first, and a number of their own for `ioctl`.
 */
const KINDS = [
  { name: 0xc000003e, keys: [248, 249, 250], ioctls: [16, 514], unmarked: 0xbfffffff },
  { name: 0x40000003, keys: [286, 287, 288], ioctls: [54] },
  { name: 0xc00000b7, keys: [217, 218, 219], ioctls: [29] },
  { name: 0x40000028, keys: [309, 310, 311], ioctls: [54] },
]
/** Typing for others: `TIOCSTI`, and `TIOCLINUX`, which pastes. */
const TYPING = [0x5412, 0x541c]

/** The call that puts a filter in force, by the processors whose number is known. */
const SECCOMP: Readonly<Record<string, number>> = { x64: 317, arm64: 277 }

/** One step of a filter: what to do, how many to skip where it is so, how many where not, a number. */
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
      // Programs of the third kind of this processor mark their calls.
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
 * Perl that has these calls refused from here on; `null`: not known on this processor. Needs `no_new_privs`. Dies
 * where it cannot be.
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
