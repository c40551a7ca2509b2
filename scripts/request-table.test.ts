import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withRequests } from './request-table.ts'

it('matches the table of requests in docs/security.md (npm run docs)', () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/security.md'), 'utf8')
  expect(withRequests(text)).toBe(text)
  expect(text).toContain('`score.feedback`')
})
