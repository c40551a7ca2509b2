import type { ContainmentPolicy, ProcessStart } from '../ports/containment.ts'
import { beginningWith } from '../process/contained-beginning.ts'
import type { BackEnd, Guarded } from './back-end.ts'
import { execute } from './execute.ts'
import type { Tools } from './kept-trial.ts'
import type { Mount } from './mount-plan.ts'
import { builtByPerl, knowsCalls } from './root-by-perl.ts'
import { linesOf } from './root-by-shell.ts'
import type { RootStep } from './root-steps.ts'
import { stageBeside } from './stage.ts'

/*
 * bubblewrap creates namespaces for users, processes, mounts and System V IPC, and starts the program in them. As root it would
 * leave the program its capabilities, which could remove the hiding mounts: they are dropped by name.
 */

/** The parts of bubblewrap that this machine has. */
export interface Bubblewrap extends Guarded {
  readonly means: 'bubblewrap'
  readonly program: string
  readonly hasLayers: boolean
  /** The path of `unshare`, which mounts layers if this bubblewrap can't; omitted if `unshare` can't either. */
  readonly layering?: string
}

export const bubblewrap: BackEnd<Bubblewrap> = {
  find: async (tools, guards) => {
    if (tools.bwrap === null) return 'bwrap is not installed'
    const [{ stdout }, known] = await Promise.all([execute([tools.bwrap, '--version']), guards()])
    // Layers may be refused even if the rest works.
    return known.flatMap((guard) => {
      const found = bubblewrapOf(tools, canLayer(stdout), guard)
      if (found === null || (found.layering === undefined && !found.hasLayers)) return found ?? []
      const { layering: _, ...plain } = found
      return [found, { ...plain, hasLayers: false }]
    })
  },
  restore: (tools, { hasLayers }, guard) => bubblewrapOf(tools, hasLayers, guard),
  traits: ({ hasLayers, layering, guard }) => ({
    hasLayers: hasLayers || layering !== undefined,
    hasNamespaces: true,
    ...(guard && { guard }),
  }),
  wrap: (found, start, mounts, { network }) => bubblewrapCommand(found, start, mounts, network),
}

function bubblewrapOf({ bwrap, unshare }: Tools, hasLayers: boolean, guard: Guarded): Bubblewrap | null {
  if (bwrap === null) return null
  const layering = hasLayers || unshare === null ? {} : { layering: unshare }
  return { means: 'bubblewrap', program: bwrap, hasLayers, ...layering, ...guard }
}

function layeringOf(found: Bubblewrap, start: ProcessStart, mounts: readonly Mount[]): Layering {
  if (found.hasLayers) return 'own'
  if (found.layering === undefined) return 'none'
  const perl = knowsCalls() ? (found.guard?.perl ?? null) : null
  return { unshare: found.layering, stage: stageBeside(start, mounts), perl }
}

const NAMESPACES = ['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-cgroup-try']

/** Returns whether this bubblewrap can mount a writable layer over a folder: since 0.11. `version` is its output. */
function canLayer(version: string): boolean {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? []
  return Number(major) > 0 || Number(minor) >= 11
}

/** What mounts layers over caches: bubblewrap, `unshare` in a folder that it may cover, or nothing (then caches start empty). */
type Layering =
  | 'own'
  | 'none'
  | { readonly unshare: string; readonly stage: string; readonly perl: string | null }

/** Returns the command line that runs `start` within `mounts`. */
function bubblewrapCommand(
  found: Bubblewrap,
  start: ProcessStart,
  mounts: readonly Mount[],
  network: ContainmentPolicy['network'],
): readonly string[] {
  const layering = layeringOf(found, start, mounts)
  const inside = [
    ...within(mounts, network, layering),
    ...['--chdir', start.directory, '--'],
    // A guarded start reports that it begins.
    ...(found.guard === undefined ? beginningWith('/bin/sh') : []),
    ...start.command,
  ]
  const layered = mounts.filter(({ kind }) => kind === 'layered')
  if (typeof layering === 'string' || layered.length === 0) return [found.program, ...NAMESPACES, ...inside]
  return [
    ...[layering.unshare, '--user', '--map-root-user', '--mount'],
    ...buildingBy(layering.perl, layerSteps(layered, layering.stage)),
    // It runs as the root of that namespace; the program keeps its own user.
    ...[found.program, '--unshare-user'],
    ...['--uid', String(process.getuid?.() ?? 0), '--gid', String(process.getgid?.() ?? 0)],
    ...NAMESPACES.slice(1),
    ...inside,
  ]
}

/** Returns the command line that carries out the steps; what it then becomes follows. */
function buildingBy(perl: string | null, steps: readonly RootStep[]): readonly string[] {
  if (perl !== null) return builtByPerl(perl, steps, { root: '-', network: '-', directory: '.' })
  return ['/bin/sh', '-c', ['set -e', ...steps.flatMap(linesOf), 'exec "$@"'].join('\n'), 'sh']
}

/** Returns the steps that mount a layer over each of these folders, at its own place on the stage. */
function layerSteps(folders: readonly Mount[], stage: string): readonly RootStep[] {
  const layers = folders.map(({ path, layer, lower = path }, index) => {
    const at = `${stage}/${index}`
    return { lower, at: `${at}/merged`, ...(layer ?? { upper: `${at}/upper`, work: `${at}/work` }) }
  })
  return [
    { kind: 'memory', at: stage, mode: '755', isReadOnly: false },
    { kind: 'folders', at: layers.flatMap(({ at, upper, work }) => [at, upper, work]) },
    ...layers.map((layer): RootStep => ({ kind: 'layer', ...layer })),
  ]
}

function within(
  mounts: readonly Mount[],
  network: ContainmentPolicy['network'],
  layering: Layering,
): readonly string[] {
  const hiding = mounts.filter(({ kind }) => kind === 'empty')
  const layered = mounts.filter(({ kind }) => kind === 'layered')
  // The layers are built there with everything in the folders below, hidden or not; their sources are resolved before this.
  const stage = typeof layering === 'object' && layered.length > 0 ? [layering.stage] : []
  return [
    ...(network === 'all' ? [] : ['--unshare-net']),
    ...['--die-with-parent', '--cap-drop', 'ALL'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    // For root, even without capabilities, bubblewrap leaves these writable by the files' owner, which would expose the machine.
    ...['sys', 'sysrq-trigger'].flatMap((name) => ['--ro-bind-try', `/proc/${name}`, `/proc/${name}`]),
    ...stage.flatMap((path) => ['--tmpfs', path]),
    ...mounts.flatMap((mount) => mountArguments(mount, layering, layered.indexOf(mount))),
    // Last, because mount points inside a hidden folder exist by now.
    ...[...hiding.map(({ path }) => path), ...stage].flatMap((path) => ['--remount-ro', path]),
  ]
}

function mountArguments(
  { kind, path, source = path, lower = path, layer: over }: Mount,
  layering: Layering,
  layer: number,
): readonly string[] {
  switch (kind) {
    case 'writable':
      return ['--bind', source, path]
    case 'read-only':
      return ['--ro-bind', source, path]
    case 'blank':
      return ['--ro-bind', '/dev/null', path]
    case 'layered':
      if (layering === 'own')
        return [
          ...['--overlay-src', lower],
          ...(over === undefined ? ['--tmp-overlay'] : ['--overlay', over.upper, over.work]),
          path,
        ]
      return layering === 'none' ? ['--tmpfs', path] : ['--bind', `${layering.stage}/${layer}/merged`, path]
    case 'empty':
    case 'scratch':
      return ['--tmpfs', path]
  }
}
