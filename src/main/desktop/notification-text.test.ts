import { expect, test } from 'vitest'
import { notificationText } from './notification-text.ts'

test.each([
  [
    'linux',
    'a link of an agent’s',
    'Said <a href="https://example.invalid">done</a>',
    'Said ‹a href="https://example.invalid"›done‹/a›',
  ],
  [
    'linux',
    'a picture',
    '<img src="file:///etc/passwd" alt="x"/>',
    '‹img src="file:///etc/passwd" alt="x"/›',
  ],
  ['linux', 'code', 'Check `tests > 3`', 'Check tests › 3'],
  ['darwin', 'what is no markup', 'a < b', 'a < b'],
] as const)('on %s a notification shows %s as text', (platform, _name, text, expected) => {
  expect(notificationText(text, platform)).toBe(expected)
})
