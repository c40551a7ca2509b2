import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../testing/processor-time.ts'
import { findCommands } from './evidence-commands.ts'
import { countEvidence, findEvidence } from './evidence-references.ts'
import { type Claim, NO_CLAIM } from './types.ts'

const reported = (...evidence: string[]): Claim => ({ ...NO_CLAIM, source: 'report', evidence })

/** Returns the references of one item in short form. */
function found(item: string): string[] {
  return findEvidence(reported(item), '').map((reference) => {
    if (reference.kind === 'command') return `$ ${reference.command} → ${reference.result ?? '?'}`
    const { path, startLine, endLine } = reference.file
    const lines = startLine === undefined ? '' : `:${startLine}-${endLine}`
    const quoted = reference.quoted === null ? '' : ` "${reference.quoted}"`
    return `${reference.isFirm ? '' : '~'}${path}${lines}${quoted}${reference.isWritten ? ' written' : ''}`
  })
}

describe('what an item of evidence refers to', () => {
  test.each<[string, string[]]>([
    ['notes/inbox.md:1-12 summary of 3 new emails', ['notes/inbox.md:1-12']],
    ['notes/inbox.md', ['notes/inbox.md']],
    ['see `src/a.ts#L10-L20`', ['src/a.ts:10-20']],
    ['lines 3-5 of notes/a.md', ['notes/a.md']],
    ['I looked at src/a.ts too', ['~src/a.ts']],
    ['src/new.ts:3 replaces src/old.ts', ['src/new.ts:3-3', '~src/old.ts']],
    ['moved from src/old.ts:9 to src/new.ts:3', ['~src/old.ts:9-9', 'src/new.ts:3-3 written']],
    ['src/old.ts is gone', ['~src/old.ts']],
    ['Created docs/a.md with the plan', ['docs/a.md written']],
    ['notes/a.md:3 says "Total: 5 mails"', ['notes/a.md:3-3 "Total: 5 mails"']],
    ['notes/a.md: "Total: 5 mails"', ['notes/a.md "Total: 5 mails"']],
    ['`notes/a.md` contains `Total: 5 mails`', ['notes/a.md "Total: 5 mails"']],
    ['notes/a.md:3 "Total … mails"', ['notes/a.md:3-3']],
    ['notes/a.md changed from "Total: 4" to "Total: 5"', ['notes/a.md written']],
    ['npm test: 12 passed, 0 failed', ['$ npm test → 12 passed, 0 failed']],
    ['$ go test ./... → ok', ['$ go test ./... → ok']],
    ['Ran `pytest -q`, 5 passed', ['$ pytest -q → 5 passed']],
    ['`npm run lint` and `npm test` pass', ['$ npm run lint → and', '$ npm test → pass']],
    ['wc -l notes/gone.md: 12', ['$ wc -l notes/gone.md → 12']],
    ['make sure that src/a.ts:4 is read', ['src/a.ts:4-4']],
    ['test results are fine', []],
    ['looks good to me', []],
    ['https://example.org/a/b.md', []],
    ['Node.js 20 was used', []],
    ['', []],
  ])('%j → %j', (item, expected) => {
    expect(found(item)).toEqual(expected)
  })
})

test('prefers the report to the text, and reads the text only if the report has none', () => {
  const output = 'Evidence: docs/a.md:1-3'
  const paths = (claim: Claim) =>
    findEvidence(claim, output).map((reference) => (reference.kind === 'file' ? reference.file.path : ''))
  expect(paths(reported('docs/b.md:1'))).toEqual(['docs/b.md'])
  expect(paths(reported())).toEqual(['docs/a.md'])
  expect(paths(NO_CLAIM)).toEqual(['docs/a.md'])
})

test('counts each reference once, and also claimed files that no reference names', () => {
  const claim = {
    ...reported('docs/a.md:1-3', 'docs/a.md:1-3 again', 'npm test: ok'),
    files: [{ path: 'docs/a.md' }, { path: 'docs/b.md' }, { path: 'docs/b.md' }],
  }
  const references = findEvidence(claim, '')
  expect(references).toHaveLength(2)
  expect(countEvidence(claim, references)).toBe(3)
  expect(countEvidence(NO_CLAIM, [])).toBe(0)
})

test('limits results and time for hostile output', () => {
  const many = Array.from({ length: 5000 }, (_, index) => `docs/${index}.md:1-3`)
  expect(findEvidence(reported(...many), '').length).toBeLessThanOrEqual(300)
  const tookMs = processorMs(() => {
    for (const piece of ['`', '"', '. see ', '$ npm ', 'a.md:1 "', '\n- ', '((((', 'Evidence:\n', 'ran `'])
      findEvidence(NO_CLAIM, piece.repeat(300_000 / piece.length))
    for (const piece of ['`npm ', 'a.md "', 'from a.md ', 'see: '])
      findEvidence(reported(piece.repeat(2000)), '')
  })
  expect(tookMs).toBeLessThan(5000)
})

test('never throws, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (item, output) => {
      findEvidence(reported(item), output)
      findEvidence(NO_CLAIM, output)
      findCommands(item)
    }),
  )
})
