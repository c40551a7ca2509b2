import { expect, test } from 'vitest'
import { NEED_KINDS } from '../vocabulary/need.ts'
import { askAbout } from './ask-about.ts'

test('what can be decided from afar comes with its command; trust and configuration never do', () => {
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
