import type { ContainmentPolicy, ProcessStart } from '../ports/containment.ts'
import { BEGINNING } from '../process/contained-beginning.ts'
import { quote } from '../process/quote.ts'
import type { BackEnd, Guarded } from './back-end.ts'
import type { Tools } from './kept-trial.ts'
import { builtByPerl, knowsCalls } from './root-by-perl.ts'
import { linesOf } from './root-by-shell.ts'
import { type RootPlan, rootIn, rootSteps } from './root-steps.ts'
import { placesHere, stageBeside } from './stage.ts'

/*
 * The same sandbox for machines without bubblewrap, using tools that every Linux has (util-linux): a process with all rights
 * in its own namespaces builds a root folder, moves into it, permanently drops its rights, and waits for the program.
 *
 * 1. The namespaces end with the process that we started, and that process ends with us: `--pdeathsig` and `--kill-child`.
 * 2. The first process in the namespace is a shell, not the program, because a first process only receives signals that it
 *    handles.
 * 3. The program keeps its own user (`--map-current-user`): some agents refuse to work as root.
 */

interface UnshareTools {
  readonly setpriv: string
  readonly unshare: string
  readonly shell: string
  /** Builds the root folder if it is installed and this processor's calls are known; `null` if the shell builds it instead.
   */
  readonly perl: string | null
}

/** The parts of it that this machine has. */
export interface ByUnshare extends Guarded {
  readonly means: 'unshare'
  readonly tools: UnshareTools
  /** It can mount a writable layer over a folder. */
  readonly hasLayers: boolean
}

export const unshare: BackEnd<ByUnshare> = {
  find: async (tools, guards) => {
    const found = (await guards()).flatMap((guard) => {
      const one = unshareOf(tools, guard)
      return one === null ? [] : [one, { ...one, hasLayers: false }]
    })
    return found.length > 0
      ? found
      : 'unshare, setpriv (util-linux), or both perl and pivot_root are not installed'
  },
  // A trial may find bubblewrap, which is stronger.
  restore: (tools, _held, guard) => (tools.bwrap === null ? unshareOf(tools, guard) : null),
  traits: ({ hasLayers, tools: { perl }, guard }) => ({
    hasLayers,
    hasNamespaces: true,
    ...(guard && { guard }),
    ...(perl !== null && { builder: perl }),
  }),
  wrap: ({ tools, hasLayers }, start, mounts, { network }) => {
    const places = placesHere()
    const stage = stageBeside(start, [...mounts, ...places])
    return unshareCommand(tools, start, { mounts, places, stage, network, hasLayers })
  },
}

function unshareOf({ setpriv, unshare, pivotRoot, perl }: Tools, guard: Guarded): ByUnshare | null {
  const builder = knowsCalls() ? perl : null
  if (setpriv === null || unshare === null || (builder === null && pivotRoot === null)) return null
  return {
    means: 'unshare',
    hasLayers: true,
    tools: { setpriv, unshare, shell: '/bin/sh', perl: builder },
    ...guard,
  }
}

const NO_RIGHTS = ['--ambient-caps=-all', '--inh-caps=-all', '--bounding-set=-all', '--no-new-privs']

/** Reports that the program is starting, and waits for it. */
const FIRST = `echo 2>/dev/null >&${BEGINNING}; exec ${BEGINNING}>&-; "$@"; exit $?`

interface UnsharePlan extends RootPlan {
  readonly network: ContainmentPolicy['network']
}

/** Returns the command line that runs `start` in a root folder built by `plan`. */
function unshareCommand(tools: UnshareTools, start: ProcessStart, plan: UnsharePlan): readonly string[] {
  const isAlone = plan.network !== 'all'
  const begun = [tools.setpriv, ...NO_RIGHTS, tools.shell, '-c', FIRST, 'sh', ...start.command]
  return [
    ...[tools.setpriv, '--pdeathsig', 'KILL', tools.unshare],
    ...['--user', '--map-current-user', '--keep-caps', '--pid', '--fork', '--kill-child', '--mount', '--ipc'],
    ...(isAlone ? ['--net'] : []),
    ...(tools.perl === null
      ? [tools.shell, '-c', shellScript(start, plan), 'sh', start.env.PATH ?? '']
      : builtByPerl(tools.perl, rootSteps(plan), {
          root: rootIn(plan),
          network: isAlone ? 'up' : '-',
          directory: start.directory,
        })),
    ...begun,
  ]
}

function shellScript(start: ProcessStart, plan: UnsharePlan): string {
  return [
    'set -e',
    'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    ...rootSteps(plan).flatMap(linesOf),
    ...(plan.network === 'all' ? [] : ['ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || :']),
    `cd ${quote(rootIn(plan))}`,
    'pivot_root . .',
    'umount -l .',
    `cd ${quote(start.directory)}`,
    // The program's search path was passed as the first argument.
    'PATH=$1; shift',
    'exec "$@"',
  ].join('\n')
}
