import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataDirectoryOf, expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { writeFiles } from '../support/files.ts'
import { processesOf } from '../support/processes.ts'

/*
 * A program that Pulseward has never seen, over the Agent Client Protocol: acp-agent.mjs is written from the specification, and none of our
 * code knows it.
 */

const AGENT = join(import.meta.dirname, 'acp-agent.mjs')

interface Attempt {
  readonly attemptId: string
  readonly interventions: readonly {
    readonly event_type: string
    readonly details: Record<string, unknown>
  }[]
}

/** Runs one heartbeat in a folder whose agent handles its task in this way. */
async function heartbeat(folder: string, manner: string, settings: { agent?: string; more?: string } = {}) {
  const directory = join(folder, 'job')
  await writeFiles(directory, {
    'HEARTBEAT.md': '## Tasks\n\n- [ ] job | Write made.txt | required | verify: changed("made.txt")\n',
    'pulseward.toml': `[agent]\nid = "stranger"\nkind = "acp"\ncommand = ${JSON.stringify([process.execPath, AGENT, manner])}\n${settings.agent ?? ''}\n${settings.more ?? ''}\n`,
  })
  const run = await pulseward(folder, ['run', '--once', '--trust', '--json'], { cwd: directory })
  const { attempts, score } = JSON.parse(run.stdout) as { attempts: Attempt[]; score: { score: number } }
  const attempt = attempts[0] as Attempt
  return { exitCode: run.exitCode, attempt, score: score.score, ...(await record(folder, attempt.attemptId)) }
}

/** What is kept about an attempt: its result in the ledger and the agent's output. */
async function record(folder: string, attemptId: string) {
  const workspaces = join(dataDirectoryOf(folder), 'workspaces')
  const [id = ''] = await readdir(workspaces)
  const ledger = join(workspaces, id, 'ledger')
  const segments = (await readdir(ledger)).filter((name) => name.endsWith('.jsonl'))
  const texts = await Promise.all(segments.map((name) => readFile(join(ledger, name), 'utf8')))
  const line = texts
    .join('')
    .split('\n')
    .find((each) => each.includes('"attempt-finished"') && each.includes(attemptId))
  const event = JSON.parse(line ?? 'null')
  return {
    result: (event.event ?? event).result,
    output: await readFile(join(workspaces, id, 'attempts', `${attemptId}.log`), 'utf8'),
  }
}

test('verifies an honest edit, and its own report agrees', async ({ folder }) => {
  const { exitCode, attempt, result } = await heartbeat(folder, 'honest')
  expect(result.activity).toMatchObject({
    sessionId: 'sess_1',
    final: { status: 'success' },
    calls: expect.arrayContaining([
      expect.objectContaining({ kind: 'edit', change: 'created', status: 'succeeded' }),
    ]),
  })
  expect({ exitCode, attempt }).toMatchObject({
    exitCode: 0,
    attempt: { outcome: 'completed', verdict: 'verified', points: 10, filesChanged: ['made.txt'] },
  })
  expect(processesOf(folder)).toEqual([])
})

test('refuses a permission that was not granted: an environment fault that names the grant', async ({
  folder,
}) => {
  const { exitCode, attempt, score, result } = await heartbeat(folder, 'asking')
  expect({ exitCode, score, attempt }).toMatchObject({
    exitCode: 3,
    score: 0,
    attempt: {
      outcome: 'denied',
      verdict: null,
      fault: 'environment',
      points: 0,
    },
  })
  expect(result.remedy).toContain('Add "edit" to allow under [agent] in pulseward.toml')
  expect(attempt.interventions).toContainEqual(
    expect.objectContaining({
      event_type: 'permission_denied',
      details: expect.objectContaining({ missing_grants: ['edit'] }),
    }),
  )
})

test('allows it with the grant', async ({ folder }) => {
  const { attempt } = await heartbeat(folder, 'asking', { agent: 'allow = ["edit"]' })
  expect(attempt).toMatchObject({ outcome: 'completed', verdict: 'verified', interventions: [] })
})

test('reports a contradiction when a file is claimed after the refusal', async ({ folder }) => {
  const { attempt } = await heartbeat(folder, 'claiming')
  expect(attempt).toMatchObject({ verdict: 'not_verified', groundTruthContradiction: true, points: -45 })
})

test('answers a bare "done" with one further prompt in the same session, which fixes the contradiction', async ({
  folder,
}) => {
  const off = await heartbeat(folder, 'talking')
  expect(off.attempt).toMatchObject({ verdict: 'not_verified', points: -15 })
  const on = await heartbeat(folder, 'talking', { more: '[interventions]\nmid_stream = "same-session"' })
  expect(on.attempt).toMatchObject({ outcome: 'completed', verdict: 'verified', points: 10 })
  expect(on.attempt.interventions.map(({ event_type }) => event_type)).toEqual(
    expect.arrayContaining(['false_completion_detected', 'mid_stream_prompt_injected']),
  )
  expect(processesOf(folder)).toEqual([])
})

test('ends the agent and everything it started at its timeout', async ({ folder }) => {
  const { attempt } = await heartbeat(folder, 'hanging', {
    more: '[adaptive_timeout]\nenabled = false\nmode_timeout = 2',
  })
  expect(attempt).toMatchObject({ outcome: 'timeout', verdict: 'not_verified' })
  expect(processesOf(folder)).toEqual([])
})

test('marks an agent that requires a login as unavailable, and scores nothing', async ({ folder }) => {
  const { exitCode, attempt, score, result } = await heartbeat(folder, 'login')
  expect({ exitCode, score, attempt }).toMatchObject({
    exitCode: 3,
    score: 0,
    attempt: {
      outcome: 'unavailable',
      verdict: null,
      fault: 'environment',
    },
  })
  expect(result.remedy).toContain('Log in with your browser')
})

test('takes a report by tool as a claim, and the tool reveals nothing about how it is checked', async ({
  folder,
}) => {
  const { attempt, result, output } = await heartbeat(folder, 'reporting')
  expect(attempt).toMatchObject({ outcome: 'completed', verdict: 'verified' })
  expect(result.claim).toMatchObject({
    status: 'done',
    source: 'report',
    notes: ['reported by tool'],
    files: [{ path: 'made.txt' }],
  })
  expect(output).toContain('Not recorded: `task_id` is missing; the tasks are: job')
  expect(output).toContain('Recorded for job: done.')
  expect(output).toContain('Write made.txt')
  expect(output).not.toContain('changed(')
})
