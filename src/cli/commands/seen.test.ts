import { afterEach, beforeEach, expect, it } from 'vitest'
import type { EventBody } from '../../core/record/events.ts'
import { cycleStarted } from '../../core/record/testing/sample-events.ts'
import { finishedAttempt } from '../../main/ledger/testing/sample-events.ts'
import { SEEDED } from '../../main/testing/seeded-workspaces.ts'
import { type TemporaryHost, temporaryHost } from '../../main/testing/temporary-host.ts'
import { createMachine } from '../machine.ts'
import { runCli } from '../program.ts'

const lie = (attemptId: string): EventBody =>
  finishedAttempt(attemptId, {
    cycle: 3,
    agentId: 'agent',
    taskId: 'check_email',
    verdict: 'not_verified',
    fault: 'agent',
    points: -45,
    groundTruthContradiction: true,
    comparisons: [{ subject: 'email_count', claimed: '3', measured: '0', agrees: false }],
  })

/** A finding that contradicts no claim. */
const rigged = (attemptId: string): EventBody =>
  finishedAttempt(attemptId, {
    cycle: 3,
    agentId: 'agent',
    taskId: 'check_email',
    verdict: 'not_verified',
    fault: 'agent',
    interventions: [{ event_type: 'check_rigged', severity: 'critical', details: {} }],
  })

let host: TemporaryHost

const hostWith = (...attempts: readonly EventBody[]) => {
  const events = [
    ...SEEDED.one.events,
    cycleStarted(3, { trigger: 'manual', contractHash: 'h' }),
    ...attempts,
    { type: 'cycle-finished', cycle: 3, ending: 'completed' } as const,
  ]
  return temporaryHost({ one: { ...SEEDED.one, events } })
}

beforeEach(async () => {
  host = await hostWith(lie('b-1'), lie('b-2'))
})
afterEach(() => host.remove())

async function pulseward(args: string[], isTTY = false): Promise<{ stdout: string; code: number }> {
  let stdout = ''
  const code = await runCli({
    args,
    version: '1.2.3',
    machine: createMachine({
      environment: { PULSEWARD_HOME: host.dataDirectory },
      homeDirectory: host.root,
      version: '1.2.3',
      sampleDirectory: host.root,
      pageDirectory: host.root,
    }),
    streams: { stdout: { isTTY, write: (text) => (stdout += text) }, stderr: { write: () => {} } },
    environment: { NO_COLOR: '1' },
    currentDirectory: host.root,
    signal: new AbortController().signal,
  })
  return { stdout, code }
}

async function unreviewed(): Promise<string[]> {
  const { contradictions } = await host.client.workspaces.get({ id: host.id('one') })
  return contradictions.map(({ id }) => id).toSorted()
}

it('showing an attempt at a terminal marks it reviewed; `--json` or a program reading it does not', async () => {
  await pulseward(['attempt', 'b-1'])
  await pulseward(['attempt', 'b-1', '--json'], true)
  expect(await unreviewed()).toEqual(['b-1', 'b-2'])
  expect((await pulseward(['attempt', 'b-1'], true)).stdout).toContain('email_count')
  expect(await unreviewed()).toEqual(['b-2'])
})

it('lists unreviewed attempts, marks one, then all, and says when nothing is left', async () => {
  expect((await pulseward(['seen'])).stdout).toMatch(
    /2 contradictions, not reviewed:\n {2}≠ b-\d {2}check_email claimed email_count 3, measured 0\./u,
  )
  expect((await pulseward(['seen', 'b-1'])).stdout).toContain('1 contradiction, not reviewed yet.')
  expect(await unreviewed()).toEqual(['b-2'])
  expect((await pulseward(['seen', '--all'])).stdout).toContain('Marked as reviewed: 1 contradiction.')
  expect((await pulseward(['seen'])).stdout).toContain('No contradiction needs your review.')
  expect((await pulseward(['seen', 'b-1'])).stdout).toContain('Nothing to mark')
  expect((await pulseward(['seen', 'never'])).code).toBe(2)
  expect((await pulseward(['seen', 'b-1', '--all'])).code).toBe(2)
})

it('an attempt marked by mistake becomes unreviewed again, and the record keeps both', async () => {
  await host.client.seen.all({})
  expect(await unreviewed()).toEqual([])
  await host.client.seen.undo({ ids: ['b-2'] })
  expect(await unreviewed()).toEqual(['b-2'])
  const { entries } = await host.client.timeline.list({ workspace: host.id('one'), kinds: ['feedback'] })
  expect(entries.map(({ title }) => title)).toEqual([
    '1 contradiction marked as not seen again',
    '2 contradictions marked as seen',
  ])
})

it('names a finding that is no contradiction by its own name, in the list, the answer and the record', async () => {
  await host.remove()
  host = await hostWith(lie('b-1'), rigged('b-2'))
  const { stdout } = await pulseward(['seen'])
  expect(stdout).toContain('1 contradiction and 1 other finding, not reviewed:')
  expect(stdout).toMatch(/ {2}! b-2 {2}check_email changed what its check runs/u)
  expect((await pulseward(['seen', 'b-2'])).stdout).toMatch(
    /Marked as reviewed: 1 finding\.\n1 contradiction, not reviewed yet\./u,
  )
  await host.client.seen.undo({ ids: ['b-2'] })
  await host.client.seen.all({})
  const { entries } = await host.client.timeline.list({ workspace: host.id('one'), kinds: ['feedback'] })
  expect(entries.map(({ title }) => title)).toEqual([
    '1 contradiction and 1 other finding marked as seen',
    '1 finding marked as not seen again',
    '1 finding marked as seen',
  ])
})
