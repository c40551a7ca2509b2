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

test.each(['unapproved', 'changed'] as const)('asks once for a configuration that is %s', (trust) => {
  const changed: EventBody = {
    type: 'diagnostic-raised',
    code: 'configuration-changed',
    taskId: null,
    message: 'It has changed.',
  }
  expect(kindsAfter([changed], { trust })).toEqual([['approve', 'w']])
})

test('asks for each blocked task separately, and not for the lockdown that they caused', () => {
  expect(kindsAfter([contract, cycleStarted(1), failed('mail', -500), failed('chart')])).toEqual([
    ['contradiction', 'w'],
    ['blocked', 'mail'],
    ['blocked', 'chart'],
  ])
})

test('asks once for a suspension, although a notice reports it too, and puts it first', () => {
  const events = [contract, cycleStarted(1), failed('mail'), { type: 'suspended', reason: 'lies' } as const]
  expect(kindsAfter(events, { permissions: [request], trust: 'changed' })).toEqual([
    ['suspension', 'w'],
    ['contradiction', 'w'],
    ['permission', 'p-1'],
    ['approve', 'w'],
    ['blocked', 'mail'],
  ])
})

test('gives each reason as a sentence, with what to do', () => {
  const [suspension] = needs(fold(recorded([{ type: 'suspended', reason: 'two lies' }])), FACTS)
  expect(suspension).toEqual({
    kind: 'suspension',
    workspace: 'w',
    id: 'w',
    reason: 'Suspended: two lies.',
    action: 'Review',
  })
})

test('puts a finding without a specific kind last', () => {
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

test('asks for a task after its check could not be run three times in a row, until that check is replaced', () => {
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

test('asks about an agent’s edit of the configuration as a proposal, and not for approval too', () => {
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

test('asks once for a weakening, as a proposal, in a readable sentence', () => {
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

test('combines work that is held together into one decision', () => {
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
