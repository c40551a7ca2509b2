import { expect, test } from 'vitest'
import { changeView, changeViewSchema, MAX_SHOWN } from './change-view.ts'
import type { ChangeVerdict, Finding } from './types.ts'

const finding = (severity: Finding['severity'], path: string): Finding => ({
  ...{ code: 'mode-changed', severity, path, line: null, message: 'x'.repeat(10_000), fingerprint: path },
})
const claim = (equal: boolean | null, text: string): ChangeVerdict['claims'][number] => ({
  ...{ text, kind: 'file', subject: 'a', claimed: 'added', measured: null, equal },
})
const VERDICT: ChangeVerdict = {
  ...{
    verdict: 'not_verified',
    applicable: true,
    held: false,
    groundTruthContradiction: true,
    fault: 'agent',
  },
  reasons: ['r'],
  base: { commit: 'a', tree: 'b' },
  head: { commit: 'c', tree: 'd', dirty: false },
  policy: { contract: null, config: null, source: 'detected', sha256: null },
  contracts: [{ path: 'HEARTBEAT.md', tasks: [{ taskId: 't', verdict: 'verified', reasons: [] }] }],
  custody: [
    ...Array.from({ length: 1000 }, (_, index) => finding('info', `${index}`)),
    finding('critical', 'last'),
  ],
  checks: [],
  tests: { lost: Array.from({ length: 250 }, (_, index) => `test ${index}`), added: [], skipped: [] },
  claims: [claim(null, 'unread'), claim(true, 'true'), claim(false, 'false')],
  durationMs: 1,
  verifier: { version: '1' },
}

test('limits what a page is sent, and says how much was left out', () => {
  const view = changeView(VERDICT)
  expect(changeViewSchema.parse(view)).toEqual(view)
  expect(view.custody).toHaveLength(MAX_SHOWN)
  expect(view.custody[0]?.message.length).toBeLessThan(3000)
  expect(view.lost).toHaveLength(MAX_SHOWN)
  expect(view.more).toMatchObject({ custody: 801, lost: 50, claims: 0 })
})

test('includes the most serious entries in what is sent', () => {
  const view = changeView(VERDICT)
  expect(view.custody[0]).toMatchObject({ severity: 'critical', path: 'last' })
  expect(view.claims.map(({ text }) => text)).toEqual(['false', 'true', 'unread'])
  expect(view.tasks).toEqual([{ taskId: 't', path: 'HEARTBEAT.md', verdict: 'verified', reasons: [] }])
})
