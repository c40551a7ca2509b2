import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventBody } from '../../core/record/events.ts'
import type { InterventionType } from '../../core/vocabulary/intervention.ts'
import { finishedAttempt } from './testing/sample-events.ts'
import { type TemporaryLedger, temporaryLedger } from './testing/temporary-ledger.ts'

const NAMES = ['events.json', 'profile.json', 'feedback.txt']
const DAY_MS = 86_400_000

let files: TemporaryLedger

beforeEach(async () => {
  files = await temporaryLedger()
})
afterEach(() => files.remove())

const path = (name: string) => join(files.directory, 'interventions', name)
const text = (name: string) => readFile(path(name), 'utf8')
const json = async (name: string) => JSON.parse(await text(name))

function lie(id: string, cycle: number, type: InterventionType = 'false_completion_detected') {
  return finishedAttempt(id, {
    cycle,
    verdict: 'not_verified',
    filesChanged: [],
    filesChangedCount: 0,
    startedAt: `${id}`,
    interventions: [{ event_type: type, severity: 'critical', details: { task_id: 'check_email' } }],
  })
}

async function record(...events: readonly EventBody[]): Promise<void> {
  const ledger = await files.open()
  await ledger.append(...events)
  await ledger.close()
}

test('writes interventions, profile and feedback in their shapes', async () => {
  await record(lie('a', 1), lie('b', 2))
  expect(await json('events.json')).toMatchObject({
    $schema: 'pulseward.interventions.v1',
    events: [
      {
        id: '1-0',
        timestamp: '2026-03-01T10:00:00.000Z',
        iteration: 1,
        task_id: 'check_email',
        attempt_id: 'a',
        event_type: 'false_completion_detected',
        severity: 'critical',
        details: { task_id: 'check_email' },
        remediation: 'none',
      },
      { id: '2-0', iteration: 2, remediation: 'pending' },
    ],
  })
  expect(await json('metrics.json')).toMatchObject({ total_interventions: 2 })
  expect(await json('profile.json')).toMatchObject({
    $schema: 'pulseward.profile.v1',
    agent_id: 'claude',
    total_iterations: 2,
    no_files_count: 0,
    false_completion_count: 2,
    avg_files_per_iteration: 0,
    avg_evidence_count: 0,
    last_reinforcement: null,
    intervention_threshold_exceeded: false,
    intervention_history: [{ iteration: 1 }, { iteration: 2, remediation_attempted: false }],
    other_agents: [],
  })
  expect(await text('feedback.txt')).toMatch(
    /^2026-03-01T10:00:00\.000Z\n\*\*CRITICAL\*\*: In iteration 2, you claimed completion but wrote NO FILES\.\n[\s\S]*iteration 1/,
  )
})

test('writes empty ones before anything was raised', async () => {
  await record({ type: 'supervisor-started', version: '1', pid: 1 })
  expect(await json('events.json')).toEqual({ $schema: 'pulseward.interventions.v1', events: [] })
  expect(await json('profile.json')).toEqual({ $schema: 'pulseward.profile.v1', other_agents: [] })
  expect(await text('feedback.txt')).toBe('')
})

test('drops what is older than 30 days from the documents and keeps it in the state', async () => {
  await record(lie('a', 1))
  files.nowMs += 20 * DAY_MS
  await record(lie('b', 2))
  files.nowMs += 11 * DAY_MS
  const ledger = await files.open()
  await ledger.append({ type: 'day-rolled' })
  await ledger.close()
  expect((await json('events.json')).events).toMatchObject([{ iteration: 2 }])
  expect(await text('feedback.txt')).not.toContain('iteration 1')
  expect(ledger.state.interventions).toHaveLength(2)
})

test('shows the profile of the agent that ran last first', async () => {
  await record(lie('a', 1), finishedAttempt('b', { cycle: 2, agentId: 'codex' }))
  expect(await json('profile.json')).toMatchObject({
    agent_id: 'codex',
    other_agents: [{ agent_id: 'claude', false_completion_count: 1 }],
  })
})

test('writes them again after they were deleted', async () => {
  await record(lie('a', 1))
  const before = await Promise.all(NAMES.map(text))
  await rm(join(files.directory, 'interventions'), { recursive: true })
  await (await files.open()).close()
  expect(await Promise.all(NAMES.map(text))).toEqual(before)
})

test.each([
  ['events.json', '{"events": 7}'],
  ['profile.json', 'no JSON'],
  ['feedback.txt', 'a\0b'],
])('sets an unreadable %s aside and writes it again', async (name, damage) => {
  await record(lie('a', 1))
  const before = await text(name)
  await writeFile(path(name), damage)
  await (await files.open()).close()
  expect(await text(name)).toBe(before)
  expect(await text(`${name}.corrupt-2026-03-01T10-00-00-000Z`)).toBe(damage)
})

test('keeps recording when they cannot be written', async () => {
  await mkdir(files.directory, { recursive: true })
  await writeFile(join(files.directory, 'interventions'), 'a file in the way')
  await record(lie('a', 1))
  expect(files.warnings.join()).toContain('Documents could not be written')
  expect((await files.open()).state.interventions).toHaveLength(1)
})
