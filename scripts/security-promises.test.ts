import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  filesOfPromises,
  mergeResults,
  outcomesOf,
  SECURITY_PROMISES,
  withPromises,
} from './security-promises.ts'
import { readPlaywright } from './security-results.ts'

const root = join(import.meta.dirname, '..')

it.each(SECURITY_PROMISES)('is backed by existing tests: $promise', ({ tests }) => {
  for (const [file, names] of Object.entries(tests)) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const name of names)
      expect(text, file).toMatch(new RegExp(`['"\`]${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`))
  }
})

it('counts a test that is written as a table by each of its rows', () => {
  const file = 'src/main/sandbox/attacks.test.ts'
  const title = 'leaves nothing (modules, by touch) that would disable the protection the next time'
  const { outcomes } = outcomesOf([{ file, title, status: 'passed' }])
  expect(
    outcomes[
      'A sandboxed agent can only write in its workspace, in the repository around it, and where `writable` says'
    ],
  ).toContain('1 passed')
})

it('each of the twenty points of Electron’s checklist is a step of its test', () => {
  const text = readFileSync(join(root, 'e2e/electron/checklist.spec.ts'), 'utf8')
  const points = [...text.matchAll(/test\.step\((['"])([\d, ]+)\. /g)].flatMap(([, , numbers = '']) =>
    numbers.split(', ').map(Number),
  )
  expect(points.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 1),
  )
})

it('the document has the table of this list (npm run docs)', () => {
  const text = readFileSync(join(root, 'docs/security.md'), 'utf8')
  const results = JSON.parse(readFileSync(join(root, 'docs/security-results.json'), 'utf8'))
  expect(withPromises(text, results)).toBe(text)
  expect(Object.values(results.outcomes).filter((outcome) => String(outcome).includes('failed'))).toEqual([])
})

it('a report of results says what passed, what failed, what was not run, and why tests were skipped', () => {
  const sandbox = 'src/main/sandbox/sandbox.test.ts'
  const ofVitest = [
    { file: sandbox, title: 'writes nowhere else', status: 'passed' },
    { file: sandbox, title: 'neither moves the repository away nor plants', status: 'failed' },
    {
      file: 'src/main/testing/faults/power-cut.test.ts',
      title: 'whatever the disk had not synced when',
      ...SKIPPED,
    },
  ]
  const checklist = { title: "Electron's security checklist", tests: [{ status: 'expected' }] }
  const annotations = [{ type: 'skip', description: 'no window' }]
  const hardening = { title: 'the page is isolated', tests: [{ status: 'skipped', annotations }] }
  const ofPlaywright = {
    suites: [
      { file: 'electron/checklist.spec.ts', suites: [], specs: [checklist] },
      { file: 'electron/hardening.spec.ts', suites: [], specs: [hardening] },
    ],
  }
  const { outcomes, skipped } = outcomesOf([...ofVitest, ...readPlaywright(JSON.stringify(ofPlaywright))])
  const words = Object.values(outcomes)
  expect(words[0]).toBe('1 passed, 1 failed, 11 not run')
  expect(words[1]).toBe('14 not run')
  expect(words.at(-1)).toBe('1 passed, 1 skipped')
  expect(skipped).toEqual([
    { test: 'whatever the disk had not synced when (power-cut.test.ts)', why: 'no C compiler' },
    { test: 'the page is isolated (hardening.spec.ts)', why: 'no window' },
  ])
})

it('replaces only the results of promises whose files were run', () => {
  const [first, ...others] = SECURITY_PROMISES
  const before = {
    run: '2026-01-01, version 0.0.9, Linux',
    outcomes: Object.fromEntries(SECURITY_PROMISES.map(({ promise }) => [promise, '7 passed'])),
    skipped: [
      { test: 'of that file (sandbox.test.ts)', why: 'before' },
      { test: 'of another (kill.test.ts)', why: 'before' },
    ],
  }
  const now = {
    run: '2026-02-02, version 0.1.0, Linux',
    outcomes: Object.fromEntries(SECURITY_PROMISES.map(({ promise }) => [promise, '8 passed'])),
    skipped: [],
  }
  const merged = mergeResults(before, now, new Set(Object.keys(first?.tests ?? {})))
  expect(merged.run).toBe('2026-01-01 and 2026-02-02, version 0.1.0, Linux')
  expect(merged.outcomes[first?.promise ?? '']).toBe('8 passed')
  expect(merged.outcomes[others.at(-1)?.promise ?? '']).toBe('7 passed')
  expect(merged.skipped.map(({ test }) => test)).toEqual(['of another (kill.test.ts)'])
  expect(mergeResults(before, now, new Set(filesOfPromises()))).toEqual(now)
})

const SKIPPED = { status: 'skipped', why: 'no C compiler' }
