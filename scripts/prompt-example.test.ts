import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withReportSection } from './prompt-example.ts'

test('the example of docs/prompt.md has the prompt’s report section (`npm run docs`)', () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/prompt.md'), 'utf8')
  expect(withReportSection(text)).toBe(text)
})
