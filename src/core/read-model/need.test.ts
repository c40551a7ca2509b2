import { expect, test } from 'vitest'
import type { EventBody } from '../record/events.ts'
import { fold } from '../record/fold.ts'
import { attemptFinished, cycleStarted, recorded, sampleTask } from '../record/testing/sample-events.ts'
import { NEED_KINDS } from '../vocabulary/need.ts'
import { needs } from './need.ts'
import { FOLDER_MISSING } from './notice.ts'
import type { PermissionRequest } from './permission.ts'

const FACTS = { id: 'w', trust: 'approved', permissions: [], notices: [] } as const

const kindsAfter = (events: readonly EventBody[], facts: Partial<Parameters<typeof needs>[1]> = {}) =>
  needs(fold(recorded(events)), { ...FACTS, ...facts }).map(({ kind, id }) => [kind, id])

const contract: EventBody = {
  type: 'contract-read',
  hash: 'h',
  tasks: [sampleTask('mail', { maxAttempts: 1 }), sampleTask('chart', { maxAttempts: 1 })],
}
const failed = (taskId: string, points = -15) =>
  attemptFinished({
    taskId,
    verdict: 'not_verified',
    fault: 'agent',
    points,
    groundTruthContradiction: true,
  })
const request: PermissionRequest = {
  id: 'p-1',
  workspace: 'w',
  workspaceName: 'W',
  attemptId: 'a1',
  taskId: 'mail',
  agentId: 'claude',
  tool: 'execute',
  target: 'npm test',
  title: 'Run the tests',
  grant: null,
  allowLine: null,
  askedAt: '',
  expiresAt: '',
}

test('asks for nothing when nothing has happened', () => {
  expect(kindsAfter([])).toEqual([])
})

test.each(['unapproved', 'changed'] as const)('a configuration that is %s asks once', (trust) => {
  const changed: EventBody = {
    type: 'diagnostic-raised',
    code: 'configuration-changed',
    taskId: null,
    message: 'It has changed.',
  }
  expect(kindsAfter([changed], { trust })).toEqual([['approve', 'w']])
})

test('each blocked task asks by itself; the lockdown that they brought about does not', () => {
  expect(kindsAfter([contract, cycleStarted(1), failed('mail', -500), failed('chart')])).toEqual([
    ['contradiction', 'w'],
    ['blocked', 'mail'],
    ['blocked', 'chart'],
  ])
})

test('a suspension asks once, though a notice tells of it too, and goes before all', () => {
  const events = [contract, cycleStarted(1), failed('mail'), { type: 'suspended', reason: 'lies' } as const]
  expect(kindsAfter(events, { permissions: [request], trust: 'changed' })).toEqual([
    ['suspension', 'w'],
    ['contradiction', 'w'],
    ['permission', 'p-1'],
    ['approve', 'w'],
    ['blocked', 'mail'],
  ])
})

test('each gives the reason in a sentence, and what to do', () => {
  const [suspension] = needs(fold(recorded([{ type: 'suspended', reason: 'two lies' }])), FACTS)
  expect(suspension).toEqual({
    kind: 'suspension',
    workspace: 'w',
    id: 'w',
    reason: 'Suspended: two lies.',
    action: 'Review',
  })
})

test('a finding without a specific kind comes last', () => {
  const finding: EventBody = {
    type: 'diagnostic-raised',
    code: 'hollow-hint',
    taskId: 'mail',
    message: 'It checks nothing.',
  }
  expect(kindsAfter([contract, cycleStarted(1), failed('chart'), finding])).toEqual([
    ['contradiction', 'w'],
    ['blocked', 'chart'],
    ['finding', 'mail'],
  ])
  expect(NEED_KINDS.at(-1)).toBe('finding')
})

test('a task asks once its check could not be made three times in a row, and no more once it is another check', () => {
  const unclear = attemptFinished({
    taskId: 'mail',
    verdict: 'unclear',
    fault: 'contract',
    points: 0,
    reasons: ['there is no probe mails'],
  })
  const cycles = (count: number): EventBody[] =>
    Array.from({ length: count }, (_, index) => [cycleStarted(index + 1), unclear]).flat()
  expect(kindsAfter([contract, ...cycles(2), cycleStarted(3)])).toEqual([])
  const waits = [contract, ...cycles(3), cycleStarted(4)]
  expect(needs(fold(recorded(waits)), FACTS)).toEqual([
    {
      kind: 'finding',
      workspace: 'w',
      id: 'mail',
      reason: 'mail does not run until its check is repaired. Unclear: there is no probe mails.',
      action: 'View',
    },
  ])
  const edited: EventBody = { ...contract, hash: 'i', tasks: [sampleTask('mail', { verify: 'exists("a")' })] }
  expect(kindsAfter([...waits, edited, cycleStarted(5)])).toEqual([])
})

const proposed = (file: 'HEARTBEAT.md' | 'pulseward.toml', asksLess: boolean): EventBody => ({
  type: 'proposal-made',
  id: `p-${file}`,
  file,
  attemptIds: ['a1'],
  during: 'claude ran',
  cycle: 1,
  adds: !asksLess,
  asksLess,
  items: [{ kind: 'hint', taskId: 'mail', before: 'a', after: 'b' }],
  diff: null,
})

test('what an agent made of the configuration asks as a proposal, and not for its approval too', () => {
  expect(kindsAfter([proposed('pulseward.toml', true)], { trust: 'changed' })).toEqual([
    ['proposal', 'p-pulseward.toml'],
  ])
  expect(kindsAfter([proposed('HEARTBEAT.md', false)], { trust: 'changed' })).toEqual([
    ['approve', 'w'],
    ['proposal', 'p-HEARTBEAT.md'],
  ])
})

test('asks once for a missing folder, instead of once for each of its files', () => {
  const missing = {
    code: FOLDER_MISSING,
    taskId: null,
    message: 'The folder /w does not exist.',
    remedy: 'Bring it back.',
    at: '',
  }
  const unreadable: EventBody = {
    type: 'diagnostic-raised',
    code: 'contract-unreadable',
    taskId: null,
    message: 'The folder /w does not exist.',
  }
  for (const trust of ['approved', 'changed', 'missing'] as const) {
    expect(
      kindsAfter([proposed('HEARTBEAT.md', true), proposed('pulseward.toml', true), unreadable], {
        trust,
        notices: [missing],
      }),
    ).toEqual([['contract-unreadable', 'w']])
  }
})

test('a weakening asks once, as the proposal that it is, in a sentence that can be read', () => {
  const weakened = attemptFinished({
    interventions: [
      { event_type: 'contract_weakened', severity: 'critical', details: { changes: ['Less.'] } },
    ],
  })
  const events = [contract, cycleStarted(1), proposed('HEARTBEAT.md', true), weakened]
  const asked = needs(fold(recorded(events)), FACTS)
  expect(asked.map(({ kind, reason }) => [kind, reason])).toEqual([
    [
      'proposal',
      'HEARTBEAT.md was changed while claude ran, and was weakened: Task "mail": check changed from "a" to "b".',
    ],
  ])
})

test('work that is held with another is one decision with it', () => {
  const held = (attemptId: string, taskId: string, earlier: string | null) =>
    attemptFinished({
      attemptId,
      taskId,
      verdict: 'unclear',
      fault: null,
      points: 0,
      held: {
        id: earlier ?? attemptId,
        because: earlier === null ? 'clean-room' : 'earlier',
        files: ['test/a.js'],
        inPlace: { verdict: 'verified', reasons: [] },
        cleanRoom: { verdict: 'not_verified', reasons: [] },
        with: earlier,
      },
    })
  const events = [contract, cycleStarted(1), held('a1', 'mail', null), held('a2', 'chart', 'a1')]
  expect(kindsAfter(events)).toEqual([['held', 'a1']])
  expect(needs(fold(recorded(events)), FACTS)[0]?.reason).toBe(
    'mail waits for your review. Passes only because the agent changed protected files. chart waits with it.',
  )
})
