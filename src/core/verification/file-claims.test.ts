import { describe, expect, it } from 'vitest'
import { matchFileClaims, mayMatch, relativePath } from './file-claims.ts'
import { EMPTY_DIFFERENCE, type FileDifference } from './types.ts'

const DIFFERENCE: FileDifference = {
  ...EMPTY_DIFFERENCE,
  added: ['notes/inbox.md', 'app/[id]/page.tsx'],
  modified: ['src/app/App.tsx', 'README.md'],
  deleted: ['old/log.txt'],
  renamed: [{ from: 'a.ts', to: 'lib/b.ts' }],
}

function findingOf(
  path: string,
  measurable: true | string = true,
  difference = DIFFERENCE,
  root = '/work/ws',
) {
  return matchFileClaims([{ path }], difference, [measurable], root)[0]?.finding
}

describe('a claimed file compared with the difference', () => {
  it.each([
    ['notes/inbox.md'],
    ['./notes/inbox.md'],
    ['notes//inbox.md'],
    ['notes\\inbox.md'],
    ['notes/drafts/../inbox.md'],
    ['/work/ws/notes/inbox.md'],
    ['app/[id]/page.tsx'],
    ['notes'],
    ['notes/'],
    ['src/app'],
    ['README.md'],
    ['App.tsx'],
    ['old/log.txt'],
    ['a.ts'],
    ['lib/b.ts'],
    ['src/**/*.tsx'],
    ['**/*.md'],
    ['src/app/*.tsx'],
    ['src/**'],
  ])('finds that %s is shown', (path) => {
    expect(findingOf(path)).toBe('shown')
  })

  it.each([
    ['report.md'],
    ['Notes/inbox.md'],
    ['readme.md'],
    ['other/App.tsx'],
    ['app/App.tsx'],
    ['note'],
    ['src/*.tsx'],
    ['src/app/*.ts'],
    ['/work/wsx/notes/inbox.md'],
    [''.padEnd(5000, '*a')],
  ])('finds that %s is missing', (path) => {
    expect(findingOf(path)).toBe('missing')
  })

  it('finds a path that can’t be measured neither shown nor missing, with the reason', () => {
    expect(matchFileClaims([{ path: 'dist/x.js' }], DIFFERENCE, ['git ignores it'], '/work/ws')).toEqual([
      { path: 'dist/x.js', finding: 'unmeasurable', reason: 'git ignores it' },
    ])
  })

  it('accepts everything in the difference as shown, measurable or not', () => {
    expect(findingOf('notes/inbox.md', 'git ignores it')).toBe('shown')
  })

  it('neither confirms nor contradicts a file if something other than its content changed', () => {
    const difference = { ...EMPTY_DIFFERENCE, otherwiseChanged: ['bin/run.sh'] }
    expect(
      matchFileClaims([{ path: './bin/run.sh' }, { path: 'a' }], difference, [true, true], '/w'),
    ).toEqual([
      {
        path: './bin/run.sh',
        finding: 'unmeasurable',
        reason: 'its content is unchanged; only its executable bit, a commit or another branch changed',
      },
      { path: 'a', finding: 'missing', reason: 'it did not change during the attempt' },
    ])
  })

  it('neither confirms nor contradicts what the snapshot is unsure of', () => {
    const difference = { ...EMPTY_DIFFERENCE, unsure: ['data/dump.bin', 'closed/'] }
    for (const path of ['closed', 'closed/', 'closed/a/b.md', 'closed/*.md'])
      expect(findingOf(path, true, difference)).toBe('unmeasurable')
    expect(findingOf('closed.md', true, difference)).toBe('missing')
    expect(findingOf('data/dump.bin', true, difference)).toBe('unmeasurable')
    expect(findingOf('data/', true, difference)).toBe('unmeasurable')
    expect(findingOf('dump2.bin', true, difference)).toBe('missing')
  })

  it('finds nothing missing if the snapshot is incomplete', () => {
    const incomplete = { ...DIFFERENCE, incomplete: 'more than 100000 files' }
    expect(findingOf('report.md', true, incomplete)).toBe('unmeasurable')
    expect(findingOf('README.md', true, incomplete)).toBe('shown')
  })

  it.each([
    ['copy (2)', { path: 'copy', entry: 'copy (2)' }],
    ['plan - draft', { path: 'plan', entry: 'plan - draft' }],
    [' lead.md', { path: 'lead.md', entry: ' lead.md' }],
    ['x:12', { path: 'x', startLine: 12, endLine: 12, entry: 'x:12' }],
    ['we\\ird.md', { path: 'we\\ird.md' }],
    ['~tmp.md', { path: '~tmp.md' }],
    ['$HOME.md', { path: '$HOME.md' }],
    ['caf\u0065\u0301.md', { path: 'caf\u00e9.md' }],
    ['caf\u00e9.md', { path: './caf\u0065\u0301.md' }],
  ])('finds %j under its name as written', (name, file) => {
    const difference = { ...EMPTY_DIFFERENCE, added: [name] }
    expect(matchFileClaims([file], difference, [true], '/work/ws')).toEqual([
      { path: file.path, finding: 'shown' },
    ])
  })

  it('does not accept the workspace itself as a claimed file', () => {
    for (const path of ['.', './', '', '/work/ws', 'notes/..']) expect(findingOf(path)).toBe('unmeasurable')
  })

  it.each(['~/.cache/x.json', '$HOME/x.json', '%APPDATA%/x', 'C:\\other\\x.md', 'https://example.com/a.md'])(
    'can’t measure %s, whatever the snapshot says',
    (path) => {
      expect(findingOf(path)).toBe('unmeasurable')
    },
  )

  it('shows nothing in an empty difference', () => {
    expect(findingOf('**', true, EMPTY_DIFFERENCE)).toBe('missing')
  })

  it('answers for each file in the order claimed', () => {
    const files = [{ path: 'report.md' }, { path: 'README.md', startLine: 1, endLine: 3 }]
    const findings = matchFileClaims(files, DIFFERENCE, [true, true], '/work/ws')
    expect(findings.map(({ path, finding }) => [path, finding])).toEqual([
      ['report.md', 'missing'],
      ['README.md', 'shown'],
    ])
  })

  it('also strips a Windows root', () => {
    expect(findingOf('C:\\work\\ws\\README.md', true, DIFFERENCE, 'C:\\work\\ws')).toBe('shown')
  })

  it('is not slowed down by a pattern designed to be slow', () => {
    const long: FileDifference = { ...EMPTY_DIFFERENCE, added: ['a'.repeat(2000)] }
    expect(findingOf(`${'*a'.repeat(500)}b`, true, long)).toBe('missing')
    const deep: FileDifference = { ...EMPTY_DIFFERENCE, added: [Array(300).fill('a').join('/')] }
    expect(findingOf(`${'**/a/'.repeat(100)}b`, true, deep)).toBe('missing')
  })
})

describe('a glob in a check', () => {
  it.each([
    ['out.md', 'out.md', true],
    ['./out.md', 'out.md', true],
    ['out.md', 'secret', false],
    ['**/*.md', 'secret', false],
    ['**/*.md', 'notes/a.md', true],
    ['notes', 'notes/a.md', true],
    ['*.{md,txt}', 'secret', true],
    ['notes/*.{md,txt}', 'secret', false],
    ['out.md', 'closed/', false],
    ['closed/a.md', 'closed/', true],
    ['closed/**', 'closed/', true],
    ['**/*.md', 'closed/', true],
  ])('%j may depend on %j: %j', (glob, unsure, expected) => {
    expect(mayMatch(glob, unsure)).toBe(expected)
  })
})

it('keeps an absolute path outside the workspace absolute', () => {
  expect(relativePath('/etc/passwd', '/work/ws')).toBe('/etc/passwd')
  expect(relativePath('../other/x', '/work/ws')).toBe('../other/x')
  expect(relativePath('/etc/passwd', null)).toBe('/etc/passwd')
})
