import { afterEach, expect, test, vi } from 'vitest'
import { likelyWorkspace } from './last-known.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

function remember(text: string | null): void {
  vi.stubGlobal('localStorage', { getItem: () => text })
}

test('the workspace of the address is likely on screen, whatever was known', () => {
  remember(null)
  expect(likelyWorkspace('#/w/inbox/timeline')).toBe('inbox')
})

test('at the start it is the only one of the last time', () => {
  remember('[{"id":"inbox","name":"Inbox"}]')
  expect(likelyWorkspace('')).toBe('inbox')
  expect(likelyWorkspace('#/settings')).toBeNull()
})

test.each([null, '', '[]', '{}', '[{"id":3}]', '[null]', '[{"id":"a"},{"id":"b"}]'])(
  'none is, where %s is remembered',
  (text) => {
    remember(text)
    expect(likelyWorkspace('#/')).toBeNull()
  },
)

test('nor where the browser refuses storage', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('denied')
    },
  })
  expect(likelyWorkspace('')).toBeNull()
})
