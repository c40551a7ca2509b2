import type { Mount } from './mount-plan.ts'

/*
 * How a sandboxed process's root folder is built, step by step. Steps are data; perl carries them out with system calls, or a
 * shell with util-linux.
 */

/** A file system as the kernel lists it. */
export interface MountedPlace {
  readonly path: string
  readonly type: string
  /** The options that a remount must repeat. */
  readonly flags: readonly string[]
}

/** One step; all paths are absolute, as named before moving into the new root. */
export type RootStep =
  /** Folders, with their parents. */
  | { readonly kind: 'folders'; readonly at: readonly string[] }
  /** An empty file. */
  | { readonly kind: 'file'; readonly at: string }
  | { readonly kind: 'link'; readonly to: string; readonly at: string }
  /** A mount point of the same type as `like`, created if missing in a folder that starts empty. */
  | { readonly kind: 'place'; readonly like: string; readonly at: string }
  /** Shows `from` at `at` too; `isDeep`: with all mounts below. */
  | { readonly kind: 'bind'; readonly from: string; readonly at: string; readonly isDeep: boolean }
  /** Makes the mount read-only and repeats its other flags. `isLoose`: ignore failure. */
  | {
      readonly kind: 'restrict'
      readonly at: string
      readonly flags: readonly string[]
      readonly isLoose: boolean
    }
  /** Does the same with all mounts below: at once if the kernel can (5.12), else `oneByOne`. */
  | { readonly kind: 'restrict-all'; readonly at: string; readonly oneByOne: readonly Restriction[] }
  /** An empty folder in memory. */
  | { readonly kind: 'memory'; readonly at: string; readonly mode: string; readonly isReadOnly: boolean }
  /** The processes of this namespace. */
  | { readonly kind: 'processes'; readonly at: string }
  /** Read-only and not executable, if it exists. */
  | { readonly kind: 'shield'; readonly at: string }
  /** Shows `lower` with a layer over it that receives all writes. */
  | {
      readonly kind: 'layer'
      readonly lower: string
      readonly upper: string
      readonly work: string
      readonly at: string
    }

export type Restriction = Extract<RootStep, { kind: 'restrict' }>

/**
 * Kernel file systems: it does not matter if one of them cannot be made read-only, because an unprivileged process cannot write
 * there.
 */
const KERNEL_TYPES = new Set(
  'autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs fusectl hugetlbfs mqueue nsfs proc pstore rpc_pipefs securityfs selinuxfs sysfs tracefs'.split(
    ' ',
  ),
)

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty']

export interface RootPlan {
  readonly mounts: readonly Mount[]
  /** What is mounted on this machine. */
  readonly places: readonly MountedPlace[]
  /** Any folder without mounts in it: the root is built there. */
  readonly stage: string
  /** `false`: this machine has no layers, so layered folders start empty. */
  readonly hasLayers?: boolean
}

/** Returns where the new root is until it is moved into. */
export function rootIn({ stage }: Pick<RootPlan, 'stage'>): string {
  return `${stage}/root`
}

/** Returns the steps that build the root folder, in order. */
export function rootSteps(plan: RootPlan): readonly RootStep[] {
  const { mounts } = plan
  return [
    ...newRoot(plan),
    ...mounts.flatMap((mount) => stepsOf(mount, plan)),
    ...mounts
      .filter((mount) => mount.kind === 'empty' && holdsAnother(mount, mounts))
      .map(({ path }) => restrict(inRoot(plan, path), [])),
  ]
}

function newRoot(plan: RootPlan): readonly RootStep[] {
  const { stage, places, mounts } = plan
  const oneByOne = places
    .filter(({ path }) => path !== '/proc' && !path.startsWith('/proc/') && !path.startsWith('/dev'))
    .map(({ path, type, flags }) => restrict(inRoot(plan, path), flags, KERNEL_TYPES.has(type)))
  // The stage is also visible in the new root.
  const staged = ['', '/dev/shm', ...DEVICES.map((name) => `/dev/${name}`)].map((path) =>
    restrict(inRoot(plan, stage + path), path === '' ? [] : flagsAt(path, places), true),
  )
  return [
    memory(stage, '755'),
    { kind: 'folders', at: [`${stage}/dev/shm`, rootIn(plan), ...layersOf(stage, mounts)] },
    ...DEVICES.flatMap((name): RootStep[] => [
      { kind: 'file', at: `${stage}/dev/${name}` },
      { kind: 'bind', from: `/dev/${name}`, at: `${stage}/dev/${name}`, isDeep: false },
    ]),
    memory(`${stage}/dev/shm`, '1777'),
    ...['fd', 'stdin', 'stdout', 'stderr'].map(
      (name, index): RootStep => ({
        kind: 'link',
        to: `/proc/self/fd${index === 0 ? '' : `/${index - 1}`}`,
        at: `${stage}/dev/${name}`,
      }),
    ),
    { kind: 'bind', from: '/', at: rootIn(plan), isDeep: true },
    { kind: 'restrict-all', at: rootIn(plan), oneByOne: [...oneByOne, ...staged] },
    { kind: 'bind', from: `${stage}/dev`, at: inRoot(plan, '/dev'), isDeep: true },
    { kind: 'processes', at: inRoot(plan, '/proc') },
    // An unprivileged root could write to these as their owner.
    ...['sys', 'sysrq-trigger', 'irq', 'bus'].map(
      (name): RootStep => ({ kind: 'shield', at: inRoot(plan, `/proc/${name}`) }),
    ),
  ]
}

function stepsOf(mount: Mount, plan: RootPlan): readonly RootStep[] {
  const { kind, path, source = path } = mount
  const at = inRoot(plan, path)
  const shown: readonly RootStep[] = [
    { kind: 'place', like: path, at },
    { kind: 'bind', from: source, at, isDeep: true },
  ]
  switch (kind) {
    case 'writable':
      return shown
    case 'read-only':
      return [...shown, restrict(at, flagsAt(source, plan.places))]
    case 'blank':
      return [{ kind: 'bind', from: '/dev/null', at, isDeep: false }]
    case 'layered':
      if (plan.hasLayers === false) return [memory(at, '755')]
      return [
        { kind: 'place', like: path, at },
        {
          kind: 'layer',
          lower: mount.lower ?? path,
          ...(mount.layer ?? layerOf(plan.stage, plan.mounts.indexOf(mount))),
          at,
        },
      ]
    case 'empty':
      return [memory(at, '755', !holdsAnother(mount, plan.mounts))]
    case 'scratch':
      return [memory(at, '1777')]
  }
}

function inRoot(plan: RootPlan, path: string): string {
  return path === '/' ? rootIn(plan) : `${rootIn(plan)}${path}`
}

function restrict(at: string, flags: readonly string[], isLoose = false): Restriction {
  return { kind: 'restrict', at, flags, isLoose }
}

function memory(at: string, mode: string, isReadOnly = false): RootStep {
  return { kind: 'memory', at, mode, isReadOnly }
}

/** Returns where writes to a layered folder go, named by the mount's index. */
function layerOf(stage: string, index: number): { readonly upper: string; readonly work: string } {
  return { upper: `${stage}/layers/${index}/upper`, work: `${stage}/layers/${index}/work` }
}

function layersOf(stage: string, mounts: readonly Mount[]): readonly string[] {
  return mounts.flatMap(({ kind }, index) => {
    const { upper, work } = layerOf(stage, index)
    return kind === 'layered' ? [upper, work] : []
  })
}

/** A folder with mount points in it becomes read-only only after they exist. */
function holdsAnother({ path }: Mount, mounts: readonly Mount[]): boolean {
  return mounts.some((other) => other.path.startsWith(`${path}/`))
}

/** Returns the flags of a path's file system. */
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

/** Parses `/proc/self/mountinfo`: what is mounted where, in mount order. */
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

/** Flags that our own namespace may not remove from a file system. */
const REPEATED = new Set(['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime', 'relatime'])

/** White space and backslashes are in octal there. */
function plainPath(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}
