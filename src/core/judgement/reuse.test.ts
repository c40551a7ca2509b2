import { describe, expect, it } from 'vitest'
import { isWorthKeeping, type KeptAnswer, mayKeep, readsTree, recall } from './reuse.ts'

const surroundings = { tree: 't', outside: 'o', tools: 'p', configuration: 'c' }
const kept: KeptAnswer = { surroundings, settings: 's', atMs: 1000 }
const DAY_MS = 24 * 60 * 60 * 1000

describe('readsTree', () => {
  it.each([
    ['a report, by default', {}, true, true],
    ['anything else, by default', {}, false, false],
    ['a report that depends on more than files', { reads: 'world' }, true, false],
    ['a command that depends only on files', { reads: 'tree' }, false, true],
  ] as const)('%s', (_, reach, isReport, expected) => {
    expect(readsTree({ ...reach, isReport })).toBe(expected)
  })
})

describe('recall', () => {
  const asked = (
    now: Partial<KeptAnswer> & { readonly around?: Partial<KeptAnswer['surroundings']> } = {},
    { before = kept as KeptAnswer | null, isDrawn = false, hasDiffered = false } = {},
  ) => {
    const { around, ...rest } = now
    const present = { ...kept, atMs: 2000, ...rest, surroundings: { ...surroundings, ...around } }
    return recall(before ?? undefined, present, { isDrawn, hasDiffered })
  }

  it('reuses an answer if nothing that decides it has changed', () => {
    expect(asked()).toBe('reuse')
  })

  it('reruns a randomly chosen check, to compare', () => {
    expect(asked({}, { isDrawn: true })).toBe('compare')
  })

  it.each([
    ['another tree', { around: { tree: 'u' } }],
    ['a tree that could not be looked at', { around: { tree: null } }],
    ['another setting outside of the tree', { around: { outside: 'u' } }],
    ['another program on PATH', { around: { tools: 'u' } }],
    ['another configuration or version', { around: { configuration: 'u' } }],
    ['another command or environment', { settings: 'u' }],
    ['a day-old answer', { atMs: 1000 + DAY_MS }],
  ])('runs the check for %s', (_, now) => {
    expect(asked(now)).toBe('run')
    expect(asked(now, { isDrawn: true })).toBe('run')
  })

  it('runs the check if two trees could not be read, because they may differ', () => {
    const unseen = { ...kept, surroundings: { ...surroundings, tree: null } }
    expect(asked({ around: { tree: null } }, { before: unseen })).toBe('run')
  })

  it('runs a check with no kept answer, and one that once answered differently', () => {
    expect(asked({}, { before: null })).toBe('run')
    expect(asked({}, { hasDiffered: true })).toBe('run')
  })
})

describe('mayKeep', () => {
  const { tree: _tree, ...start } = surroundings
  const measured = (changed: readonly { path: string; isIgnored: boolean }[], end = surroundings) =>
    mayKeep({ start, end, changed })

  it.each([
    ['nothing changed', [], true],
    ['the check left a cache that git ignores', [{ path: 'node_modules/.cache/a', isIgnored: true }], true],
    ['a contract box was checked', [{ path: 'HEARTBEAT.md', isIgnored: false }], true],
    ['the check wrote a source file', [{ path: 'src/a.js', isIgnored: false }], false],
    [
      'the check wrote a cache and a source file',
      [
        { path: 'node_modules/.cache/a', isIgnored: true },
        { path: 'src/a.js', isIgnored: false },
      ],
      false,
    ],
    ['a contract in another folder changed', [{ path: 'other/HEARTBEAT.md', isIgnored: false }], false],
    ['a file beside the workspace changed', [{ path: '../shared/a.js', isIgnored: false }], false],
  ])('%s: %j', (_, changed, expected) => {
    expect(measured(changed)).toBe(expected)
  })

  it.each(['outside', 'tools', 'configuration'] as const)(
    'keeps nothing if %s changed during the checks',
    (part) => {
      expect(measured([], { ...surroundings, [part]: 'u' })).toBe(false)
    },
  )
})

describe('isWorthKeeping', () => {
  it.each([
    [1000, 100, true],
    [1000, 400, false],
    [199, 0, false],
    [200, 0, true],
  ])('decides for a check of %d ms and tree reads of %d ms', (ranMs, lookMs, expected) => {
    expect(isWorthKeeping(ranMs, lookMs)).toBe(expected)
  })
})
