import { describe, expect, it } from 'vitest'
import { type Company, companyOf, gateGroups, startNow, type WaitingCheck } from './side-by-side.ts'

describe('companyOf', () => {
  it.each([
    ['a value can be read alongside anything', { kind: 'probe', isReport: false }, 'any'],
    [
      'a value that depends only on files may run slow code',
      { kind: 'probe', isReport: false, reads: 'tree' },
      'of-tree',
    ],
    ['a test report', { kind: 'probe', isReport: true }, 'of-tree'],
    ['tests that need a database', { kind: 'probe', isReport: true, reads: 'world' }, 'none'],
    ['a gate with a test report', { kind: 'gate', isReport: true }, 'of-tree'],
    ['a gate by exit code, which may be a build', { kind: 'gate', isReport: false }, 'none'],
    ['a command by exit code', { kind: 'command', isReport: false }, 'none'],
  ] as const)('%s', (_, check, expected) => {
    expect(companyOf(check)).toBe(expected)
  })
})

/** Parses a check such as `of-tree:200`, with the ms of its last run. */
function check(words: string): WaitingCheck {
  const [company, lastMs] = words.split(':')
  return { company: company as Company, lastMs: lastMs === undefined ? null : Number(lastMs) }
}

describe('startNow', () => {
  it.each([
    ['one at a time, in the order they were requested', ['of-tree:1', 'of-tree:9'], [], 1, [0]],
    ['none while another runs', ['of-tree:1', 'none'], ['of-tree'], 1, []],
    ['values wait for nothing', ['none', 'any', 'any'], ['none'], 1, [1, 2]],
    ['values block nothing', ['of-tree'], ['any', 'any'], 1, [0]],
    ['the longest first', ['of-tree:1', 'of-tree:9', 'of-tree:5'], [], 2, [1, 2]],
    ['a check that never ran counts as the longest', ['of-tree:9', 'of-tree'], ['of-tree'], 2, [1]],
    ['as many as allowed', ['of-tree', 'of-tree', 'of-tree'], ['of-tree'], 3, [0, 1]],
    ['none if more are running than allowed', ['of-tree'], ['of-tree', 'of-tree', 'of-tree'], 2, []],
    ['a check that runs alone waits for the others', ['none:1'], ['of-tree'], 4, []],
    ['a check that runs alone starts alone', ['none', 'of-tree', 'none'], [], 4, [0]],
    ['nothing overtakes a check that runs alone', ['of-tree:1', 'none', 'of-tree:9'], [], 4, [0]],
    ['nothing starts beside a check that runs alone', ['of-tree'], ['none'], 4, []],
    ['an invalid limit counts as one', ['of-tree', 'of-tree'], [], 0, [0]],
  ] as const)('%s', (_, waiting, running, limit, expected) => {
    expect(startNow(waiting.map(check), running, limit)).toEqual(expected)
  })
})

describe('gateGroups', () => {
  const groups = (words: string, limit: number) => {
    const gates = words.split(' ').map((each) => {
      const [name = '', company] = each.split('=')
      return { name, company: company as Company }
    })
    return gateGroups(gates, limit).map((group) => group.map(({ name }) => name).join('+'))
  }

  it('keeps the order of checks that run alone, and groups neighbors that depend only on files', () => {
    const written = 'lint=none unit=of-tree parts=of-tree build=none end=of-tree'
    expect(groups(written, 4)).toEqual(['lint', 'unit+parts', 'build', 'end'])
    expect(groups(written, 1)).toEqual(['lint', 'unit', 'parts', 'build', 'end'])
  })
})
