import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorMs } from '../testing/processor-time.ts'
import { matchFileClaims } from './file-claims.ts'
import { indexPaths, isNamed, isNamedBy } from './path-index.ts'
import { EMPTY_DIFFERENCE } from './types.ts'

const part = fc.constantFrom('a', 'b', 'ab', 'a.b', '')
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))

describe('the index of paths', () => {
  it('finds a name exactly when comparing it with every path does', () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 6 }), path, (paths, name) => {
        const bySight = paths.some(
          (candidate) =>
            candidate === name ||
            (candidate.endsWith('/') && `${name}/`.startsWith(candidate)) ||
            candidate.startsWith(`${name}/`) ||
            (!name.includes('/') && candidate.endsWith(`/${name}`)),
        )
        expect(isNamed(indexPaths(paths), name)).toBe(bySight)
      }),
      { numRuns: 3000 },
    )
  })

  it('finds the path that a name means exactly when comparing every name does', () => {
    fc.assert(
      fc.property(path, fc.array(path, { maxLength: 6 }), (one, names) => {
        const bySight = names.some(
          (name) => name === one || one.endsWith(`/${name}`) || one.startsWith(`${name}/`),
        )
        expect(isNamedBy(one, new Set(names))).toBe(bySight)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('a liar with 200,000 changed files', () => {
  const added = Array.from({ length: 200_000 }, (_, index) => `junk/${index % 100}/${index}.txt`)
  const match = (files: readonly string[]) => {
    let found: ReturnType<typeof matchFileClaims> = []
    const tookMs = processorMs(() => {
      found = matchFileClaims(
        files.map((one) => ({ path: one })),
        { ...EMPTY_DIFFERENCE, added },
        files.map(() => true),
        '/work',
      )
    })
    return { found, tookMs }
  }

  it('who claims 2,000 others is caught without blocking the host', () => {
    const { found, tookMs } = match(Array.from({ length: 2_000 }, (_, index) => `src/missing-${index}.ts`))
    expect(new Set(found.map(({ finding }) => finding))).toEqual(new Set(['missing']))
    expect(tookMs).toBeLessThan(5000)
  })

  it('reports that 2,000 claimed patterns are too many to match', () => {
    const { found, tookMs } = match(Array.from({ length: 2_000 }, (_, index) => `src/**/${index}-*.ts`))
    expect(found[0]?.finding).toBe('missing')
    expect(found.at(-1)).toMatchObject({
      finding: 'unmeasurable',
      reason: expect.stringContaining('too many claimed patterns'),
    })
    expect(tookMs).toBeLessThan(5000)
  })
})
