import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PresetId } from '../../../core/agents/programs.ts'
import { systemClock } from '../../host/system-clock.ts'
import {
  type Contain,
  type ContainedRole,
  type Containment,
  DEFAULT_SANDBOX,
  type SandboxConfig,
  type StartNeeds,
} from '../../ports/containment.ts'
import { type ProcessRun, runProcess } from '../../process/run-process.ts'
import { tryMeans } from '../find-means.ts'
import type { FoundMeans } from '../means.ts'
import { createSandbox } from '../sandbox.ts'

/** Returns the sandboxes of this machine to test, each with its name; omits missing ones. */
export async function meansHere(): Promise<readonly (readonly [FoundMeans['means'], FoundMeans])[]> {
  const first = await tryMeans(process.env)
  // Without bubblewrap, the next one is found.
  const second = await tryMeans(process.env, ['unshare'])
  return [first.found, second.found]
    .filter((found) => found !== null)
    .filter((found, index, all) => all.findIndex(({ means }) => means === found.means) === index)
    .map((found) => [found.means, found] as const)
}

export interface ContainedWorld {
  readonly home: string
  readonly data: string
  readonly workspace: string
  readonly other: string
  readonly runtime: string
  /** Uses a workspace configuration that sets nothing. */
  readonly contain: Contain
  /** The same with this configuration, in this workspace. */
  containing(config: Partial<SandboxConfig>, preset?: RunOptions['preset'], place?: string): Contain
  /** Logged problems: what is read-only although the work may need it. */
  readonly problems: readonly string[]
  run(script: string, options?: RunOptions): Promise<ProcessRun>
  remove(): void
}

export interface RunOptions {
  readonly role?: ContainedRole
  readonly config?: Partial<SandboxConfig>
  readonly directory?: string
  readonly signal?: AbortSignal
  readonly preset?: PresetId | null
  readonly env?: Readonly<Record<string, string>>
  /** Variables of the operator's that are passed on by name. */
  readonly passed?: readonly string[]
  /** What the program needs to see beyond its policy. */
  readonly needs?: StartNeeds
  /** The workspace, if not the default one. */
  readonly workspace?: string
  /** A command that runs before the program's own and starts the sandbox. */
  readonly starter?: readonly string[]
}

/** A home with secrets, Pulseward's data, two workspaces under git, and a folder of sockets, all in one temporary folder. */
export function containedWorld(found: FoundMeans | null): ContainedWorld {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-contained-')))
  const folder = (name: string): string => {
    const path = join(root, name)
    mkdirSync(path, { recursive: true })
    return path
  }
  const [home, data, workspace, other, runtime] = ['home', 'data', 'work', 'other', 'run'].map(folder) as [
    string,
    string,
    string,
    string,
    string,
  ]
  for (const name of ['.ssh', '.claude', '.codex', '.npm', '.config/gh']) folder(`home/${name}`)
  writeFileSync(join(home, '.ssh/id_ed25519'), 'KEY')
  writeFileSync(join(home, '.config/gh/hosts.yml'), 'GH-TOKEN')
  writeFileSync(join(home, '.npmrc'), '//npm.example.org/:_authToken=NPM-TOKEN\nfund=false\n')
  writeFileSync(join(home, '.claude/settings.json'), '{}')
  writeFileSync(join(home, '.codex/auth.json'), 'CODEX-LOGIN')
  writeFileSync(join(data, 'server.json'), 'HOST-TOKEN')
  writeFileSync(join(other, 'HEARTBEAT.md'), 'OTHER')
  for (const path of [workspace, other]) execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: path })
  const environment = {
    ...process.env,
    ...{ HOME: home, XDG_RUNTIME_DIR: runtime, SSH_AUTH_SOCK: join(runtime, 'ssh-agent') },
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(runtime, 'bus')},guid=1`,
  }
  const surroundings = {
    home,
    environment,
    ownData: [data],
    installation: process.cwd(),
    homes: join(data, 'homes'),
  }
  const problems: string[] = []
  const sandbox = createSandbox({
    surroundings,
    onReadOnly: (_, problem) => problems.push(problem),
    workspaces: async () => [workspace, other],
    containing: async () => ({ found, cutsNetwork: async () => true, failed: [] }),
  })
  const run = async (script: string, options: RunOptions = {}): Promise<ProcessRun> => {
    const { preset = 'claude', role = { kind: 'agent' } } = options
    const place = options.workspace ?? workspace
    const containment = { ...DEFAULT_SANDBOX, ...options.config }
    const { passed: passEnvironment = [] } = options
    const answer = await sandbox.of(place, { preset, passEnvironment, containment })(role, options.needs)
    if (answer.kind !== 'contained') throw new Error(JSON.stringify(answer))
    return runProcess({
      command: ['bash', '-c', script],
      directory: options.directory ?? place,
      env: {
        HOME: home,
        XDG_RUNTIME_DIR: runtime,
        GIT_CONFIG_GLOBAL: '/dev/null',
        PULSEWARD_HOME: data,
        ...options.env,
      },
      containment: startedBy(answer.containment, options.starter ?? []),
      stdin: null,
      timeoutMs: 60_000,
      signal: options.signal ?? new AbortController().signal,
      maxBytes: 1024 * 1024,
      clock: systemClock,
      killGraceMs: 2000,
    })
  }
  return {
    ...{ home, data, workspace, other, runtime, problems, run },
    containing: (config, preset = 'claude', place = workspace) =>
      sandbox.of(place, {
        preset,
        passEnvironment: [],
        containment: { ...DEFAULT_SANDBOX, ...config },
      }),
    contain: sandbox.of(workspace, { preset: 'claude', passEnvironment: [], containment: DEFAULT_SANDBOX }),
    remove: () => {
      void sandbox.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Returns a script that prints the key in that home folder, whichever mount leads to it. */
export function keysByAnyMount(home: string): string {
  const names = home.split('/')
  const ways = names.map((_, at) => ['', ...names.slice(at)].join('/').replace('//', '/'))
  const places = ['', ...ways].map((way) => JSON.stringify(way)).join(' ')
  return `while read -r _ _ _ _ at _; do for way in ${places}; do [ ! -r "$at$way/.ssh/id_ed25519" ] || cat "$at$way/.ssh/id_ed25519"; done; done < /proc/self/mountinfo`
}

function startedBy(containment: Containment, starter: readonly string[]): Containment {
  return {
    ...containment,
    wrap: async (start) => {
      const wrapped = await containment.wrap(start)
      return { ...wrapped, command: [...starter, ...wrapped.command] }
    },
  }
}
