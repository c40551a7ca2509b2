import { expect, test } from 'vitest'
import { NEED_KINDS } from '../vocabulary/need.ts'
import { askAbout } from './ask-about.ts'

test('gives the command for what can be decided remotely, but never for trust and configuration', () => {
  const commands = NEED_KINDS.flatMap((kind) => {
    const command = askAbout('build-1', { kind, workspace: 'backend-1', id: 'x1' })
    return command === null ? [] : [[kind, command]]
  })
  expect(commands).toEqual([
    ['proposal', 'pulseward fleet ask build-1 backend-1 accept x1'],
    ['held', 'pulseward fleet ask build-1 backend-1 accept x1'],
    ['blocked', 'pulseward fleet ask build-1 backend-1 unblock x1'],
  ])
})

test.each([
  ['x;curl$IFS-evil', "'x;curl$IFS-evil'"],
  ['$(id)', "'$(id)'"],
  ["it's", `'it'\\''s'`],
  ['-rf', '-- -rf'],
  ['fix_the-sum.2', 'fix_the-sum.2'],
])('quotes an id as a single word of the command: %s', (id, word) => {
  expect(askAbout('build-1', { kind: 'blocked', workspace: 'w', id })).toBe(
    `pulseward fleet ask build-1 w unblock ${word}`,
  )
})

test('gives no command for an id with a line break', () => {
  expect(askAbout('build-1', { kind: 'blocked', workspace: 'w', id: 'a\nrm -rf ~' })).toBeNull()
})
