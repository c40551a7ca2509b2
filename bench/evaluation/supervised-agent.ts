import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ApiClient } from '../../src/api/client.ts'
import type { RunReport } from '../../src/core/read-model/attempt.ts'
import { createHost } from '../../src/main/host.ts'
import type { Log } from '../../src/main/ports/log.ts'
import { createFieldClock } from './field-clock.ts'

export type Habit =
  | 'honest'
  | 'prepares'
  | 'claims-early'
  | 'needs-feedback-once'
  | 'slow-on-ui'
  | 'leaves-what-is-done'
  | 'goes-on'

/** A task, and how the agent works on it. */
export interface PlayedTask {
  readonly seconds: number
  /** The file that its work creates. */
  readonly file: string
  /** The number of parts in which an agent that continues works; each is in the file once it is done. */
  readonly parts?: number
}

export interface AgentPlan {
  readonly seed: string
  readonly habit: Habit
  /** Probability that an attempt under feedback is corrected. */
  readonly response: number
  readonly tasks: Readonly<Record<string, PlayedTask>>
}

/** One attempt as the supervisor reported it, and what the agent really did. */
export interface Observed {
  readonly attempt: RunReport['attempts'][number]
  readonly truth: AgentNote
}

interface AgentNote {
  readonly cycle: number
  readonly taskId: string
  readonly act: 'work' | 'leave' | 'decline' | 'prepare' | 'claimEarly'
  /** Whether the work was there when the agent ended. */
  readonly didWork: boolean
  readonly sawFeedback: boolean
  /** Parts that it found done and did not repeat. */
  readonly found?: number
}

/** A real host with one workspace, whose agent is a real program that acts out its habit. */
export interface SupervisedAgent {
  readonly client: ApiClient
  /** Writes the contract, as the operator. */
  writeContract(text: string): Promise<void>
  /** Runs one heartbeat to its end. */
  runCycle(): Promise<readonly Observed[]>
}

export interface Setting {
  readonly plan: AgentPlan
  /** Part of `pulseward.toml`, below `[agent]`. */
  readonly toml: string
  /** True if the agent works in a session, over the Agent Client Protocol; otherwise it gets each prompt on stdin. */
  readonly inSession: boolean
  /** Real milliseconds for a second of the field. */
  readonly msPerSecond: number
}

const AGENT = join(import.meta.dirname, 'agent.mjs')
const ACP_AGENT = join(import.meta.dirname, 'acp-agent.mjs')
const EMPTY_CONTRACT = '# Work\n\n## Tasks\n'
/** Interventions are counted, so they need not be logged one by one. */
const log: Log = {
  info: () => {},
  warn: (message, fields) => {
    if (message !== 'intervention_triggered') console.error(message, fields)
  },
  error: (message, fields) => {
    if (
      message !== 'The workspace was suspended for manual review' &&
      message !== 'The circuit breaker changed'
    )
      console.error(message, fields)
  },
}

/** Runs `work` with a supervised agent in a new git repository. Host, processes and folders are removed afterwards. */
export async function withSupervisedAgent<T>(
  setting: Setting,
  work: (supervised: SupervisedAgent) => Promise<T>,
): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), 'pulseward-evaluation-'))
  try {
    const notes = join(root, 'notes.jsonl')
    const directory = await makeWorkspace(root, notes, setting)
    const host = await createHost({
      dataDirectory: join(root, 'data'),
      version: '0.0.0',
      clock: createFieldClock(setting.msPerSecond),
      log,
      notifier: { notify: () => {} },
      pageDirectory: null,
      sampleDirectory: root,
      port: 0,
      scheduled: false,
    })
    try {
      await host.client.workspaces.add({ path: directory, trust: true })
      return await work(supervised(host.client, notes))
    } finally {
      await host.stop()
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function makeWorkspace(root: string, notes: string, setting: Setting): Promise<string> {
  const directory = join(root, 'workspace')
  await mkdir(directory)
  const plan = join(root, 'plan.json')
  await writeFile(notes, '')
  await writeFile(plan, JSON.stringify({ ...setting.plan, msPerSecond: setting.msPerSecond, notes }))
  await writeFile(join(directory, '.gitignore'), 'dist/\n')
  await writeFile(join(directory, 'HEARTBEAT.md'), EMPTY_CONTRACT)
  const program = setting.inSession ? [ACP_AGENT, AGENT, plan] : [AGENT, plan]
  const kind = setting.inSession ? 'acp' : 'command'
  const command = JSON.stringify([process.execPath, ...program])
  await writeFile(
    join(directory, 'pulseward.toml'),
    `[agent]\nid = "${setting.plan.habit}"\nkind = "${kind}"\nsandbox = "off"\ncommand = ${command}\n\n${setting.toml}`,
  )
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: directory })
  const author = ['-c', 'user.name=Operator', '-c', 'user.email=operator@example.invalid']
  await git('init', '--quiet')
  await git('add', '.')
  await git(...author, 'commit', '--quiet', '-m', 'Start')
  return directory
}

function supervised(client: ApiClient, notes: string): SupervisedAgent {
  return {
    client,
    writeContract: async (text) => {
      const { hash } = await client.contract.get({})
      await client.contract.put({ text, hash })
    },
    runCycle: async () => {
      const report = await client.heartbeat.run({ wait: true })
      if (report === null) throw new Error('The host gave no report of a heartbeat that was waited for.')
      const truths = new Map((await readNotes(notes)).map((note) => [`${note.cycle}/${note.taskId}`, note]))
      return report.attempts.map((attempt) => {
        const truth = truths.get(`${report.cycle}/${attempt.taskId}`)
        if (truth !== undefined) return { attempt, truth }
        if (attempt.outcome !== 'timeout')
          throw new Error(`${attempt.taskId}: the agent left no note. ${attempt.reasons.join('; ')}`)
        // The agent was stopped before it began, on a busy machine, so it made no false claim.
        return { attempt, truth: { ...NOTHING_DONE, cycle: report.cycle, taskId: attempt.taskId } }
      })
    },
  }
}

const NOTHING_DONE = { act: 'work', didWork: false, sawFeedback: false } as const

async function readNotes(file: string): Promise<readonly AgentNote[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as AgentNote)
}
