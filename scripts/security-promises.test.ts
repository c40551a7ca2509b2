import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { reportPromises, SECURITY_PROMISES, withPromises } from './security-promises.ts'

const root = join(import.meta.dirname, '..')

it.each(SECURITY_PROMISES)('is held by tests that are there: $promise', ({ tests }) => {
  for (const [file, names] of Object.entries(tests)) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const name of names)
      expect(text, file).toMatch(new RegExp(`['"\`]${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`))
  }
})

it('the document has the table of this list (npm run docs)', () => {
  const text = readFileSync(join(root, 'docs/security.md'), 'utf8')
  expect(withPromises(text)).toBe(text)
})

it('a report of results says what passed, what failed and what was not run', () => {
  const report = reportPromises({
    testResults: [
      {
        name: '/x/src/main/sandbox/sandbox.test.ts',
        assertionResults: [
          { title: 'writes nowhere else', status: 'passed' },
          { title: 'neither moves the repository away nor plants', status: 'failed' },
        ],
      },
    ],
  })
  const [first, second] = report.split('\n')
  expect(first).toBe('| A contained agent writes in its workspace and nowhere else | 1 passed, 1 failed |')
  expect(second).toMatch(/\| 3 not run \|$/)
})
