import { describe, expect, it } from 'vitest'
import { compareValues, type ValueRelation } from './values.ts'

const HASH = 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678'
const DIGITS_FIRST = '1234567d4e5f60718293a4b5c6d7e8f901234567'

const PAIRS: readonly (readonly [string, string, ValueRelation])[] = [
  // Commits.
  ['a1b2c3d', HASH, 'agrees'],
  ['A1B2C3D4', HASH, 'agrees'],
  ['1234567', DIGITS_FIRST, 'agrees'],
  [HASH, `sha256:${HASH}`, 'agrees'],
  ['a1b2c3e', HASH, 'differs'],
  ['a1b2', HASH, 'differs'],
  ['a1b2c3d', 'a1b2c3d4e5', 'incomparable'],
  ['a1b2c3e', 'a1b2c3d4e5', 'differs'],
  ['1234567', '12345678', 'differs'],
  ['a1b2c3d', `${HASH}  notes.md`, 'incomparable'],
  ['A1B2C3D4', `commit ${HASH}`, 'incomparable'],
  [HASH, 'a1b2c3d Fix the totals', 'incomparable'],
  ['1234567', `${DIGITS_FIRST}  notes.md`, 'incomparable'],
  ['a1b2c3e', `${HASH}  notes.md`, 'differs'],
  ['a1b2', `${HASH}  notes.md`, 'differs'],
  [HASH, 'a1b2c3e Fix the totals', 'differs'],
  ['notes.md', `${HASH}  notes.md`, 'differs'],
  // Versions.
  ['1.2.3', 'v1.2.3', 'agrees'],
  ['V1.2.3-rc.1', '1.2.3-rc.1', 'agrees'],
  ['1.2.3', 'v1.2.30', 'differs'],
  ['1.2.3', 'v1.2.3-rc.1', 'differs'],
  // Moments.
  ['2026-11-21T00:00:00+00:00', '2026-11-21T00:00:00Z', 'agrees'],
  ['2026-11-21 01:00:00 +0100', '2026-11-21T00:00:00.000Z', 'agrees'],
  ['2026-11-21 00:00', '2026-11-21T00:00:00Z', 'agrees'],
  ['2026-11-21T00:00:00.25Z', '2026-11-21T00:00:00.2Z', 'agrees'],
  ['2026-11-21T00:00:00.3Z', '2026-11-21T00:00:00.2Z', 'differs'],
  ['2026-11-21T01:00:00Z', '2026-11-21T00:00:00Z', 'differs'],
  ['2026-11-21', '2026-11-21T10:00:00Z', 'incomparable'],
  ['2026-11-22', '2026-11-21T10:00:00Z', 'differs'],
  ['2026-99-99T00:00:00Z', '2026-99-99T00:00:01Z', 'differs'],
  ['Nov 21, 2026', '2026-11-21T10:00:00Z', 'incomparable'],
  ['21 November 2026', '2026-11-21', 'incomparable'],
  ['Sat, 21 Nov 2026 10:00:00 GMT', '2026-11-21T10:00:00Z', 'incomparable'],
  ['21.11.2026', '2026-11-21', 'incomparable'],
  ['11/21/2026', '2026-11-21', 'incomparable'],
  ['02/01/2026', '2026-01-02', 'incomparable'],
  ['02/01/2026', '01/02/2026', 'differs'],
  ['2026-02-01', '2026-01-02', 'differs'],
  ['22.11.2026', '2026-11-21', 'differs'],
  ['5. März 2026', '2026-03-05', 'incomparable'],
  ['1er août 2026', '2026-08-01', 'incomparable'],
  ['5 de marzo de 2026', '2026-03-05', 'incomparable'],
  ['2026年3月5日', '2026-03-05', 'incomparable'],
  ['2026/03/05', '2026-03-05', 'incomparable'],
  ['6. März 2026', '2026-03-05', 'differs'],
  ['5. Mai 2026', '2026-03-05', 'differs'],
  ['2026/03/06', '2026-03-05', 'differs'],
  ['Nov 22, 2026', '2026-11-21', 'differs'],
  // Amounts.
  ['85 percent', '85%', 'agrees'],
  ['85,5 Prozent', '85.5 %', 'agrees'],
  ['86 percent', '85%', 'differs'],
  ['2 hours', '2h', 'agrees'],
  ['2 minutes', '2h', 'differs'],
  ['1,5 GB', '1.5 GB', 'agrees'],
  ['1,5 GB', '15 GB', 'differs'],
  ['1.5 GB', '1,500 GB', 'incomparable'],
  ['1.500 kg', '1500 kg', 'agrees'],
  ['5 €', '5,00 €', 'agrees'],
  ['12 3456', '123456', 'incomparable'],
  ['85 %', '85%', 'agrees'],
  ['1h 30m', '1h30m', 'agrees'],
  ['90 min', '1h30m', 'agrees'],
  ['1.5 hours', '90min', 'agrees'],
  ['125s', '2m 5s', 'agrees'],
  ['2 minutes and 5 seconds', '125 s', 'agrees'],
  ['2 min', '125s', 'incomparable'],
  ['3 min', '125s', 'differs'],
  ['2h30m', '1h30m', 'differs'],
  ['1500 MB', '1.5 GB', 'agrees'],
  ['1536 MB', '1.5 GB', 'incomparable'],
  ['1.5 GiB', '1536 MiB', 'agrees'],
  ['1049 kB', '1 MB', 'incomparable'],
  ['2 MB', '1049 kB', 'differs'],
  ['5 Mb', '5 MB', 'incomparable'],
  ['5 m', '5 MB', 'differs'],
  ['$1234.50', '$1,234.50', 'agrees'],
  ['USD 12.00', '12 USD', 'agrees'],
  ['$12', '12.00 USD', 'agrees'],
  ['€ 1.234,50', '1234.50 €', 'agrees'],
  ['-$5', '-5 $', 'agrees'],
  ['$2,234.50', '$1,234.50', 'differs'],
  ['12 EUR', '12 USD', 'differs'],
  ['3.11.2', 'Python 3.11.2', 'incomparable'],
  ['tool 1.2.3', 'tool@1.2.3', 'incomparable'],
  ['all 12 passed', '12 passed', 'incomparable'],
  ['3.11.3', 'Python 3.11.2', 'differs'],
  ['1.2.3', 'failed to install 1.2.3', 'differs'],
  ['1 024', '1,024', 'agrees'],
  ['5MB', '5 MB', 'agrees'],
  ['86 %', '85%', 'differs'],
  ['5 GB', '5 MB', 'differs'],
  ['12 tests passed', '12 passed', 'incomparable'],
  ['12 failed', '12 passed', 'differs'],
  ['12 not passed', '12 passed', 'differs'],
  ['12 passed 3 failed', '12 passed', 'differs'],
  ['12 passed (3 failed)', '12 passed', 'differs'],
  ['0 files not found', '0 not found', 'incomparable'],
  // Texts.
  ['a\nb', 'a\r\nb', 'agrees'],
  ['a  b', 'a b', 'agrees'],
  ['cafe\u0301', 'café', 'agrees'],
  ['green', '"green"', 'agrees'],
  ['`green`', 'green', 'agrees'],
  ['“green”', 'green', 'agrees'],
  ['« vert »', 'vert', 'agrees'],
  ['„grün“', 'grün', 'agrees'],
  ['it’s', "it's", 'agrees'],
  ['All good.', 'All good', 'agrees'],
  ['Green', 'green', 'incomparable'],
  ['/work/app/docs/a.md', 'docs/a.md', 'incomparable'],
  ['/work/app/docs/b.md', 'docs/a.md', 'differs'],
  ['docs\\a.md', 'docs/a.md', 'agrees'],
  ['docs/', 'docs', 'agrees'],
  ['main', 'refs/heads/main', 'agrees'],
  ['./docs/a.md', 'docs/a.md', 'agrees'],
  ['docs/b.md', 'docs/a.md', 'differs'],
  ['main', 'origin/main', 'differs'],
  ['ab', 'a b', 'differs'],
]

describe('a claimed text and a measured one', () => {
  it.each(PAIRS)('compares %j with %j: %s, whichever of them was claimed', (claimed, measured, relation) => {
    expect(compareValues(claimed, measured)).toBe(relation)
    expect(compareValues(measured, claimed)).toBe(relation)
  })

  it('accepts any letters for measured bytes that are not text, but not for claimed ones', () => {
    expect(compareValues('grün', 'gr\ufffdn')).toBe('incomparable')
    expect(compareValues('rot', 'gr\ufffdn')).toBe('differs')
    expect(compareValues('\ufffd', 'grün')).toBe('differs')
  })

  it('compares long texts verbatim, in little time', () => {
    const long = `${'a '.repeat(50_000)}b`
    expect(compareValues(long, long.replaceAll(' ', '\n'))).toBe('agrees')
    expect(compareValues(`${'1 '.repeat(50_000)}x`, `${'1 '.repeat(50_000)}y`)).toBe('differs')
  })
})
