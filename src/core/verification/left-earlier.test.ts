import { describe, expect, it } from 'vitest'
import { NO_CLAIM } from '../claims/types.ts'
import { parseHint } from '../contract/hint.ts'
import { settleLeftEarlier } from './left-earlier.ts'
import { EMPTY_DIFFERENCE, type FileClaimFinding, type VerdictInput } from './types.ts'

const LEFT: FileClaimFinding = {
  path: 'a.txt',
  finding: 'missing',
  reason: 'it did not change during the attempt',
  leftEarlier: true,
}

function input(fileClaims: readonly FileClaimFinding[], holds: boolean | null): VerdictInput {
  return {
    required: true,
    outcome: 'completed',
    environmentFault: null,
    claim: { ...NO_CLAIM, status: 'done', source: 'report' },
    hint: parseHint(holds === null ? 'task_completed' : 'exists("b.txt")', []),
    before: null,
    after: { probes: [], expression: holds === null ? null : { kind: 'value', holds } },
    difference: EMPTY_DIFFERENCE,
    fileClaims,
    gates: [],
    judge: null,
  }
}

describe('naming a file again that an earlier contradicted attempt left', () => {
  const others: readonly FileClaimFinding[] = [{ path: 'b.txt', finding: 'shown' }]

  it.each([
    ['the task’s check passes now', [LEFT], true, 'unmeasurable'],
    ['another claimed file did change', [LEFT, ...others], null, 'unmeasurable'],
    ['no claimed file changed and the check fails', [LEFT], false, 'missing'],
    ['no check measures the task and no claimed file changed', [LEFT], null, 'missing'],
  ] as const)('where %s', (_where, claims, holds, finding) => {
    expect(settleLeftEarlier(input(claims, holds))[0]).toMatchObject({ path: 'a.txt', finding })
  })

  it.each([
    ['the task’s check passes', true, 'unmeasurable'],
    ['no check measures the task, though another file changed', null, 'missing'],
  ] as const)('and deleted, if %s', (_where, holds, finding) => {
    const gone: FileClaimFinding = { path: 'a.txt', finding: 'missing', goneEarlier: true }
    expect(settleLeftEarlier(input([gone, ...others], holds))[0]).toMatchObject({ path: 'a.txt', finding })
  })

  it.each([
    ['the task’s check passes', true, 'unmeasurable'],
    ['no check measures the task', null, 'unmeasurable'],
    ['the task’s check fails', false, 'missing'],
  ] as const)('but changed in an attempt at another task, if %s', (_where, holds, finding) => {
    const elsewhere: FileClaimFinding = { path: 'a.txt', finding: 'missing', finishedElsewhere: true }
    expect(settleLeftEarlier(input([elsewhere, ...others], holds))[0]).toMatchObject({
      path: 'a.txt',
      finding,
    })
  })

  it.each([
    ['changed("a.txt")', 'unmeasurable'],
    ['changed("a.txt") && exists("b.txt")', 'missing'],
  ] as const)('but changed in an attempt at another task, if %s fails', (source, finding) => {
    const elsewhere: FileClaimFinding = { path: 'a.txt', finding: 'missing', finishedElsewhere: true }
    const asked = { ...input([elsewhere], false), hint: parseHint(source, []) }
    expect(settleLeftEarlier(asked)[0]).toMatchObject({ finding })
  })

  it('does not excuse a file that no attempt left', () => {
    const invented: FileClaimFinding = { path: 'c.txt', finding: 'missing' }
    expect(settleLeftEarlier(input([LEFT, invented, ...others], true))[1]).toEqual(invented)
  })
})
