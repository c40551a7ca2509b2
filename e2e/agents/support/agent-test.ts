import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Outside, startOutside } from '../../../src/main/scripted-model/outside.ts'
import type { ScriptedSetup } from '../../../src/main/scripted-model/programs.ts'
import type { Script } from '../../../src/main/scripted-model/script.ts'
import { type ModelServer, startModelServer } from '../../../src/main/scripted-model/server.ts'
import { surroundings } from '../../../src/main/scripted-model/surroundings.ts'
import { test as base, dataDirectoryOf } from '../../support/app.ts'
import { pulseward } from '../../support/cli.ts'
import { writeFiles } from '../../support/files.ts'
import { pathOf } from './path-of.ts'
import { type RealAgent, setupOf } from './programs.ts'

/** The part of a heartbeat's output that the tests read. */
export interface Heartbeat {
  readonly exitCode: number | null
  readonly attempts: readonly Attempt[]
  readonly score: { readonly score: number; readonly verified: number }
}

export interface Attempt {
  readonly attemptId: string
  readonly taskId: string
  readonly outcome: string
  readonly verdict: string | null
  readonly fault: string | null
  readonly groundTruthContradiction: boolean
  readonly reasons: readonly string[]
  readonly points: number
  readonly filesChanged: readonly string[]
  readonly interventions: readonly {
    readonly event_type: string
    readonly severity: string
    readonly details: object
  }[]
}

/** A workspace whose agent is a real program that talks to a scripted model, offline. */
export interface AgentWorkspace {
  readonly directory: string
  readonly model: ModelServer
  /** Runs one heartbeat: `pulseward run --once --trust --json`. */
  readonly heartbeat: () => Promise<Heartbeat>
  /** What its attempts have printed so far. */
  readonly printed: () => Promise<string>
  /** Returns the JSON document that another command prints. */
  readonly ask: <T>(...args: readonly string[]) => Promise<T>
}

export interface WorkspaceSettings {
  readonly agent: RealAgent
  readonly script: Script
  /** `allow` in `[agent]`; by default the agent may edit. */
  readonly allow?: readonly string[]
  /** The check of the only task, `job`; by default, that `out/made.txt` exists. */
  readonly verify?: string
  /** Further lines of `pulseward.toml`. */
  readonly toml?: string
  readonly files?: Readonly<Record<string, string>>
  /** A folder in the test's own, for tests with several workspaces; the test's own unless it says otherwise. */
  readonly place?: string
}

interface Fixtures {
  readonly workspaceOf: (settings: WorkspaceSettings) => Promise<AgentWorkspace>
}

export const test = base.extend<Fixtures>({
  workspaceOf: async ({ folder }, use, testInfo) => {
    const ends: (() => Promise<void>)[] = []
    const models: ModelServer[] = []
    await use(async (settings) => {
      const model = await startModelServer(settings.script)
      const outside = await startOutside()
      ends.push(model.close, outside.close)
      models.push(model)
      return prepare(join(folder, settings.place ?? ''), settings, model, outside)
    })
    if (testInfo.status !== testInfo.expectedStatus) {
      await writeFile(testInfo.outputPath('what-happened.txt'), await whatHappened(folder, models))
    }
    for (const end of ends) await end()
  },
})

async function prepare(
  folder: string,
  settings: WorkspaceSettings,
  model: ModelServer,
  outside: Outside,
): Promise<AgentWorkspace> {
  const { agent } = settings
  const home = join(folder, 'home')
  const setup = setupOf(agent, model.url)
  const directory = await writeFiles(join(folder, 'job'), {
    'HEARTBEAT.md': `## Tasks\n- [ ] job | Make the file out/made.txt | required | verify: ${settings.verify ?? 'exists("out/made.txt")'}\n`,
    'pulseward.toml': configuration(settings, setup),
    ...settings.files,
  })
  await writeFiles(home, { ...setup.files, 'tmp/.keep': '', 'codex/.keep': '' })
  const env = { ...surroundings(home, outside.url), ...setup.keys, PATH: pathOf(folder, agent) }
  const run = (args: readonly string[]) => pulseward(folder, args, { cwd: directory, env })
  return {
    directory,
    model,
    heartbeat: async () => {
      const { exitCode, stdout, stderr } = await run(['run', '--once', '--trust', '--json'])
      if (!stdout.startsWith('{')) throw new Error(`No heartbeat: ${stderr}`)
      return { exitCode, ...JSON.parse(stdout) }
    },
    printed: () => dataOf(folder, /attempts.*\.log$/),
    ask: async (...args) => {
      const { stdout, stderr } = await run([...args, '--json', '--data-dir', dataDirectoryOf(folder)])
      if (stdout === '') throw new Error(`${args.join(' ')}: ${stderr}`)
      return JSON.parse(stdout)
    },
  }
}

function configuration(
  { agent, allow = ['edit'], toml = '' }: WorkspaceSettings,
  setup: ScriptedSetup,
): string {
  const env = Object.entries(setup.env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  return `[agent]
preset = "${agent.preset}"
mode = "${agent.mode}"
allow = ${JSON.stringify(allow)}
env = { ${env.join(', ')} }

${toml}`
}

/** Attached to a failed test: what the agents printed and what their model was asked. */
async function whatHappened(folder: string, models: readonly ModelServer[]): Promise<string> {
  const printed = await dataOf(folder, /attempts.*\.log$|ledger.*\.jsonl$/)
  const asked = models.flatMap(({ requests, strays }) => [
    ...requests.map(
      ({ wire, kind, promptNumber, step, request }) =>
        `${wire} ${kind} ${promptNumber}.${step} ${request.tools.map(({ name }) => name).join(',')}`,
    ),
    ...strays,
  ])
  return [printed, '== asked of the model', ...asked].join('\n')
}

/** Returns the files of the data folder whose path matches, each under its name. */
async function dataOf(folder: string, wanted: RegExp): Promise<string> {
  const files = await readdir(dataDirectoryOf(folder), { recursive: true }).catch(() => [])
  const texts = files
    .filter((file) => wanted.test(file))
    .map(async (file) => `== ${file}\n${await readFile(join(dataDirectoryOf(folder), file), 'utf8')}`)
  return (await Promise.all(texts)).join('\n')
}
