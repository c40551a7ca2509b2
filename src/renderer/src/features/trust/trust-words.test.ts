import { expect, test } from 'vitest'
import type { TrustItem } from '../../../../core/read-model/trust.ts'
import { deedsInWords } from './trust-words.ts'

function items(...kinds: TrustItem['kind'][]): TrustItem[] {
  return kinds.map((kind) => ({
    kind,
    purpose: '',
    command: [],
    when: 'attempt',
    warnings: [],
    isNew: false,
  }))
}

test('counts each kind of item separately, without grants', () => {
  expect(deedsInWords(items('command'))).toBe('run 1 command')
  expect(deedsInWords(items('command', 'file', 'command', 'command', 'grant'))).toBe(
    'run 3 commands and read 1 file',
  )
  expect(deedsInWords(items('url', 'file', 'command', 'url'))).toBe(
    'run 1 command, read 1 file and fetch 2 addresses',
  )
  expect(deedsInWords([])).toBe('run nothing')
})
