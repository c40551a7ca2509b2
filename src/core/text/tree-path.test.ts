import { describe, expect, it } from 'vitest'
import { collidingPath, isTreePath, staysBelow } from './tree-path.ts'

describe('paths in a tree', () => {
  it.each([
    'a',
    'a/b.txt',
    '...',
    'a/..b',
    '.gitignore',
    '.github/x',
    'git',
    'x.git/y',
    'git~x',
    'ä/\u202ex',
    'a b/ c',
  ])('accepts %j', (path) => {
    expect(staysBelow(path)).toBe(true)
    expect(isTreePath(path)).toBe(true)
  })

  it.each(['', '..', '../a', 'a/../../b', '/a', 'a//b', 'a/', './a', 'a/.', 'a\0b'])(
    'rejects %j, which is not below the top',
    (path) => {
      expect(staysBelow(path)).toBe(false)
      expect(isTreePath(path)).toBe(false)
    },
  )

  it.each([
    '.git',
    '.git/config',
    'a/.GIT/hooks/x',
    '.git. .',
    '.git::$INDEX_ALLOCATION',
    'GIT~1',
    '.g\u200cit/config',
  ])('rejects %j, which leads into git data', (path) => {
    expect(staysBelow(path)).toBe(true)
    expect(isTreePath(path)).toBe(false)
  })
})

it.each([
  [['a', 'b/c', 'b/d', 'ab'], null],
  [['a', 'a/b'], 'a'],
  [['a/b/c', 'x', 'a'], 'a'],
  [['a', 'b', 'a'], 'a'],
])('finds that among %j, %j is both a file and a folder', (paths, expected) => {
  expect(collidingPath(paths)).toBe(expected)
})
