import { describe, expect, it } from 'vitest'
import { readReportEntries } from '../claims/report.ts'
import { seenFromWorkspace } from '../claims/seen-from-repository.ts'
import { NO_CLAIM } from '../claims/types.ts'
import { processorMs } from '../testing/processor-time.ts'
import { matchFileClaims } from './file-claims.ts'
import { asTheyAreNamed } from './named-files.ts'
import { EMPTY_DIFFERENCE } from './types.ts'

const CHANGED = [
  'src/a.ts',
  'src/b.ts',
  'src/a&b.ts',
  'notes/é.md',
  'my notes.md',
  'web/src/App.tsx',
  'Makefile',
  'caf\ufffd.txt',
]
const UNCHANGED = ['src/same.ts', 'App.tsx', 'README.md', 'docs/old.md']
const PLACE = {
  roots: ['/work/app'],
  prefix: '',
  exists: (path: string) => [...CHANGED, ...UNCHANGED, 'src', 'docs', 'notes', 'web'].includes(path),
}

/** Returns the findings for a report's `files`, each compared with the difference. */
function findings(files: unknown, earlier: readonly string[] = []): readonly string[] {
  const claim = readReportEntries({ task_id: 'a', status: 'done', files })?.[0]?.claim ?? NO_CLAIM
  const named = asTheyAreNamed(seenFromWorkspace(claim, PLACE), { place: PLACE, changed: CHANGED, earlier })
  const measurable = named.files.map(() => true as const)
  const found = matchFileClaims(
    named.files,
    { ...EMPTY_DIFFERENCE, modified: CHANGED },
    measurable,
    '/work/app',
  )
  return found.map(({ path, finding }) => `${finding} ${path}`)
}

describe('an entry that is not a path in the workspace', () => {
  it.each([
    ['[src/a.ts](src/a.ts)', 'src/a.ts'],
    ['file:///work/app/src/a.ts#L3', 'src/a.ts'],
    ['"notes/\\303\\251.md"', 'notes/é.md'],
    ['my\\ notes.md', 'my notes.md'],
    ['my%20notes.md', 'my notes.md'],
    ['src/a&amp;b.ts', 'src/a&b.ts'],
    ['src/a.ts\u200b', 'src/a.ts'],
    ['@src/a.ts', 'src/a.ts'],
    ['* src/a.ts', 'src/a.ts'],
    ['+ src/a.ts', 'src/a.ts'],
    ['src/a.ts | 2 +-', 'src/a.ts'],
    ['src/a.ts::parse', 'src/a.ts'],
    ['src/a.ts:L1-L2', 'src/a.ts'],
    ['src/a.ts:1-2,5-6', 'src/a.ts'],
    ['geändert: src/a.ts', 'src/a.ts'],
    ['已修改：src/a.ts', 'src/a.ts'],
    ['« src/a.ts »', 'src/a.ts'],
    ['neu: Makefile', 'Makefile'],
    ['SRC/A.ts', 'src/a.ts'],
    ['src/App.tsx', 'web/src/App.tsx'],
    ['.../src/App.tsx', 'web/src/App.tsx'],
    ['café.txt', 'caf\ufffd.txt'],
  ])('%s is %s', (entry, path) => {
    expect(findings([entry])).toEqual([`shown ${path}`])
  })

  it('can name two files', () => {
    expect(findings(['src/{a.ts => b.ts}'])).toEqual(['shown src/a.ts', 'shown src/b.ts'])
    expect(findings(['src/{a,b}.ts'])).toEqual(['shown src/a.ts', 'shown src/b.ts'])
    expect(findings(['src/{a,same}.ts'])).toEqual(['shown src/a.ts', 'missing src/same.ts'])
    expect(findings(['src/a.ts and src/b.ts'])).toEqual(['shown src/a.ts', 'shown src/b.ts'])
  })

  it.each([
    ['[src/never.ts](src/never.ts)', '[src/never.ts](src/never.ts)'],
    ['file:///work/app/src/never.ts', 'src/never.ts'],
    ['geändert: src/same.ts', 'src/same.ts'],
    ['src/same.ts::parse', 'src/same.ts'],
    ['src/a.ts and src/never.ts', 'src/a.ts and src/never.ts'],
    ['src/{a.ts => never.ts}', 'src/{a.ts => never.ts}'],
    ['src/{a,never}.ts', 'src/{a,never}.ts'],
    ['tea.txt', 'tea.txt'],
    ['readme.md', 'readme.md'],
    ['lib/App.tsx', 'lib/App.tsx'],
    ['my%20never.md', 'my%20never.md'],
    ['the whole of it', 'the whole of it'],
  ])('is missing if the file it means did not change: %s', (entry, path) => {
    expect(findings([entry])).toEqual([`missing ${path}`])
  })

  it('is kept if a file with exactly that name exists', () => {
    expect(findings(['docs/old.md'])).toEqual(['missing docs/old.md'])
  })

  it('is a file that an earlier attempt left, if only that one ends like this', () => {
    expect(findings(['src/never.ts'], ['web/src/never.ts'])).toEqual(['missing web/src/never.ts'])
    expect(findings(['never.ts'], ['web/src/never.ts'])).toEqual(['missing web/src/never.ts'])
    expect(findings(['never.ts'], ['web/src/never.ts', 'lib/never.ts'])).toEqual(['missing never.ts'])
  })

  it('takes little time, however much is claimed and changed', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `gen/${at}/file.ts`)
    const claim = {
      ...NO_CLAIM,
      files: many.slice(0, 500).map((path) => ({ path: `${'x '.repeat(150)}${path}` })),
    }
    const took = processorMs(() => asTheyAreNamed(claim, { place: PLACE, changed: many, earlier: many }))
    expect(took).toBeLessThan(5000)
  })
})
