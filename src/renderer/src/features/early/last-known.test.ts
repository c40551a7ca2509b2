import { afterEach, expect, test, vi } from 'vitest'
import { likelyWorkspace } from './last-known.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

function remember(text: string | null): void {
  vi.stubGlobal('localStorage', { getItem: () => text })
}

test('expects the workspace in the address, whatever is remembered', () => {
  remember(null)
  expect(likelyWorkspace('#/w/inbox/timeline')).toBe('inbox')
})

test('expects the only workspace of the last session on the start page', () => {
  remember('[{"id":"inbox","name":"Inbox"}]')
  expect(likelyWorkspace('')).toBe('inbox')
  expect(likelyWorkspace('#/settings')).toBeNull()
})

test.each([null, '', '[]', '{}', '[{"id":3}]', '[null]', '[{"id":"a"},{"id":"b"}]'])(
  'expects none if %s is remembered',
  (text) => {
    remember(text)
    expect(likelyWorkspace('#/')).toBeNull()
  },
)

test('expects none if the browser refuses storage', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('denied')
    },
  })
  expect(likelyWorkspace('')).toBeNull()
})
