import type { ContainmentPolicy, ProcessStart } from '../ports/containment.ts'
import { BEGINNING } from '../process/contained-beginning.ts'
import { quote } from '../process/quote.ts'
import type { Mount } from './mount-plan.ts'

/*
 * The same containment by the tools that every Linux has (util-linux), for machines without bubblewrap: a shell with all rights
 * in its own namespaces builds a root folder, moves into it, gives its rights away for good, and waits for the program.
 *
 * 1. The namespaces die with the process that we started, and that one with us: `--pdeathsig` and `--kill-child`.
 * 2. The first process of the namespace is a shell, not the program: a first process hears no signal that it has no handler for.
 * 3. The program's own user is kept (`--map-current-user`): as root, some agents refuse to work.
 */

/** A file system as the kernel lists it. */
export interface MountedPlace {
  readonly path: string
  readonly type: string
  /** Of its options those that a remount must repeat. */
  readonly flags: readonly string[]
}

export interface UnshareTools {
  readonly setpriv: string
  readonly unshare: string
  readonly shell: string
  /**
   * Makes all of a root folder read-only at once, where it is there and the kernel can (5.12); else it is done
   * mount by mount.
   */
  readonly perl: string | null
}

/**
 * Of the kernel itself: that one of them cannot be made read-only does not matter, an unprivileged process cannot
 * write there.
 */
const KERNEL_TYPES = new Set(
  'autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs fusectl hugetlbfs mqueue nsfs proc pstore rpc_pipefs securityfs selinuxfs sysfs tracefs'.split(
    ' ',
  ),
)

const NO_RIGHTS = ['--ambient-caps=-all', '--inh-caps=-all', '--bounding-set=-all', '--no-new-privs']

/** Says that the program begins, and waits for it. */
const FIRST = `echo 2>/dev/null >&${BEGINNING}; exec ${BEGINNING}>&-; "$@"; exit $?`

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty']

interface RootPlan {
  readonly mounts: readonly Mount[]
  readonly places: readonly MountedPlace[]
  readonly stage: string
  readonly network: ContainmentPolicy['network']
}

/** The command line that runs `start` within `mounts`; `stage` is any folder that none of them touches. */
export function unshareCommand(tools: UnshareTools, start: ProcessStart, plan: RootPlan): readonly string[] {
  const script = [
    'set -e',
    'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    ...newRoot(plan, tools.perl),
    ...plan.mounts.flatMap((mount) => mountLines(mount, plan)),
    ...plan.mounts
      .filter((mount) => mount.kind === 'empty' && holdsAnother(mount, plan.mounts))
      .map(({ path }) => `mount -o remount,bind,ro ${quote(`${plan.stage}/root${path}`)}`),
    ...(plan.network === 'all' ? [] : ['ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || :']),
    `cd ${quote(`${plan.stage}/root`)}`,
    'pivot_root . .',
    'umount -l .',
    `cd ${quote(start.directory)}`,
    // The path that the program is to have was given over as the first argument.
    'PATH=$1; shift',
    `exec ${[tools.setpriv, ...NO_RIGHTS, tools.shell].map(quote).join(' ')} -c '${FIRST}' sh "$@"`,
  ].join('\n')
  return [
    ...[tools.setpriv, '--pdeathsig', 'KILL', tools.unshare],
    ...['--user', '--map-current-user', '--keep-caps', '--pid', '--fork', '--kill-child', '--mount', '--ipc'],
    ...(plan.network === 'all' ? [] : ['--net']),
    ...[tools.shell, '-c', script, 'sh', start.env.PATH ?? '', ...start.command],
  ]
}

/**
 * `mount_setattr`, which has one number on every processor, with `MOUNT_ATTR_RDONLY` for the folder of its
 * argument and all below it.
 */
const ALL_READ_ONLY =
  'my ($p, $a) = ($ARGV[0], pack("QQQQ", 1, 0, 0, 0)); exit(syscall(442, -100, $p, 0x8000, $a, 32) == 0 ? 0 : 1)'

function newRoot(
  { stage, places, mounts }: Pick<RootPlan, 'stage' | 'places' | 'mounts'>,
  perl: string | null,
): readonly string[] {
  const root = `${stage}/root`
  const inRoot = (path: string): string => quote(path === '/' ? root : `${root}${path}`)
  const oneByOne = places
    .filter(({ path }) => path !== '/proc' && !path.startsWith('/proc/') && !path.startsWith('/dev'))
    .map(({ path, type, flags }) => {
      const line = `mount -o ${['remount', 'bind', 'ro', ...flags].join(',')} ${inRoot(path)}`
      return KERNEL_TYPES.has(type) ? `${line} 2>/dev/null || :` : line
    })
  return [
    `mount -t tmpfs -o mode=755 pulseward ${quote(stage)}`,
    // At once: each program that is started here takes as long as a mount.
    `mkdir -p ${[`${stage}/dev`, root, ...layersOf(stage, mounts)].map(quote).join(' ')}`,
    ...DEVICES.flatMap((name) => {
      const place = quote(`${stage}/dev/${name}`)
      return [`: > ${place}`, `mount --bind /dev/${name} ${place}`]
    }),
    `mkdir ${quote(`${stage}/dev/shm`)} && mount -t tmpfs -o mode=1777 shm ${quote(`${stage}/dev/shm`)}`,
    ...['fd', 'stdin', 'stdout', 'stderr'].map(
      (name, index) =>
        `ln -s /proc/self/fd${index === 0 ? '' : `/${index - 1}`} ${quote(`${stage}/dev/${name}`)}`,
    ),
    `mount --rbind / ${quote(root)}`,
    ...(perl === null ? [] : [`${quote(perl)} -e ${quote(ALL_READ_ONLY)} ${quote(root)} 2>/dev/null || {`]),
    ...oneByOne,
    ...(perl === null ? [] : ['}']),
    `mount --rbind ${quote(`${stage}/dev`)} ${inRoot('/dev')}`,
    `mount -t proc -o nosuid,nodev,noexec proc ${inRoot('/proc')}`,
    // An unprivileged root may write to these by being their owner.
    ...['sys', 'sysrq-trigger', 'irq', 'bus'].map((name) => {
      const place = inRoot(`/proc/${name}`)
      return `if [ -e ${place} ]; then mount -o bind,ro,nosuid,nodev,noexec ${place} ${place}; fi`
    }),
  ]
}

function mountLines(mount: Mount, plan: Pick<RootPlan, 'stage' | 'places' | 'mounts'>): readonly string[] {
  const { kind, path, source = path } = mount
  const { stage, places } = plan
  const place = quote(`${stage}/root${path}`)
  const bind = `mount --rbind ${quote(source)} ${place}`
  switch (kind) {
    case 'writable':
      return [makePlace(path, place), bind]
    case 'read-only':
      return [
        makePlace(path, place),
        bind,
        `mount -o ${['remount', 'bind', 'ro', ...flagsAt(source, places)].join(',')} ${place}`,
      ]
    case 'blank':
      return [`mount --bind /dev/null ${place}`]
    case 'layered': {
      const layer = layerOf(stage, plan.mounts.indexOf(mount))
      return [
        `mount -t overlay -o ${quote(`userxattr,lowerdir=${path}`)},upperdir=${quote(layer.upper)},workdir=${quote(layer.work)} layer ${place} 2>/dev/null || mount -t tmpfs -o mode=755 scratch ${place}`,
      ]
    }
    case 'empty':
      return [`mount -t tmpfs -o mode=755${holdsAnother(mount, plan.mounts) ? '' : ',ro'} hidden ${place}`]
    case 'scratch':
      return [`mount -t tmpfs -o mode=1777 scratch ${place}`]
  }
}

/** Where what is written to a layered place goes: named by the mount's place among all of them. */
function layerOf(stage: string, index: number): { readonly upper: string; readonly work: string } {
  return { upper: `${stage}/layers/${index}/upper`, work: `${stage}/layers/${index}/work` }
}

function layersOf(stage: string, mounts: readonly Mount[]): readonly string[] {
  return mounts.flatMap(({ kind }, index) => {
    const { upper, work } = layerOf(stage, index)
    return kind === 'layered' ? [upper, work] : []
  })
}

/** A folder in which something is shown is read-only only once that has its place there. */
function holdsAnother({ path }: Mount, mounts: readonly Mount[]): boolean {
  return mounts.some((other) => other.path.startsWith(`${path}/`))
}

/** The flags of the file system that a path lies on. */
function flagsAt(path: string, places: readonly MountedPlace[]): readonly string[] {
  const holding = places.filter(
    (place) => place.path === '/' || path === place.path || path.startsWith(`${place.path}/`),
  )
  return (
    holding.reduce<MountedPlace | null>(
      (best, place) => (best === null || place.path.length >= best.path.length ? place : best),
      null,
    )?.flags ?? []
  )
}

/** What lies in a folder that was emptied needs a place there to be shown at. */
function makePlace(path: string, place: string): string {
  return `[ -e ${place} ] || { [ -d ${quote(path)} ] && mkdir -p ${place}; } || { mkdir -p "$(dirname ${place})" && : > ${place}; }`
}

/** Reads `/proc/self/mountinfo`: what is mounted where, in the order it was. */
export function parseMounts(text: string): readonly MountedPlace[] {
  return text
    .split('\n')
    .map((line) => {
      const [before = '', after = ''] = line.split(' - ')
      const fields = before.split(' ')
      const path = fields[4]
      if (path === undefined) return null
      const flags = (fields[5] ?? '').split(',').filter((one) => REPEATED.has(one))
      return { path: plainPath(path), type: after.split(' ')[0] ?? '', flags }
    })
    .filter((place) => place !== null)
}

/** Flags that a namespace of our own may not take away from a file system. */
const REPEATED = new Set(['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime', 'relatime'])

/** White space and backslashes are written there in octal. */
function plainPath(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}
