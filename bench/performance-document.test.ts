import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Figure, holds, ratioOf } from './figure.ts'
import { withFigures } from './performance-document.ts'

const machine = {
  processor: 'Some processor',
  cores: 2,
  memoryGib: 8,
  system: 'Linux 6.1',
  node: 'v24.0.0',
  git: '2.39.5',
  load: 0.1,
  at: '2026-03-01T10:00:00.000Z',
}
const figure: Figure = {
  bench: 'overhead',
  name: 'an attempt',
  value: 50,
  unit: 'ms',
  reference: { name: 'git status', value: 20 },
  goal: 2.2,
}

describe('a figure', () => {
  it('is compared with its goal as a ratio to its reference, or by its value without a reference', () => {
    expect([ratioOf(figure), holds(figure)]).toEqual([2.5, false])
    expect(holds({ ...figure, value: 44 })).toBe(true)
    expect([
      ratioOf({ ...figure, reference: null }),
      holds({ ...figure, reference: null, goal: 50 }),
    ]).toEqual([null, true])
  })

  it('has neither kept nor broken its promise if it has none, or nothing was measured', () => {
    expect(holds({ ...figure, goal: null })).toBeNull()
    expect(holds({ ...figure, value: Number.NaN })).toBeNull()
  })
})

describe('the document of what Pulseward costs', () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/performance.md'), 'utf8')

  it('takes the figures of a run, and keeps everything around them', () => {
    const results = {
      machine,
      figures: [figure],
      left: [{ bench: 'launch', reason: 'There is no Electron.' }],
    }
    const written = withFigures(text, results)
    expect(written).toContain('2026-03-01 on Some processor, 2 cores')
    expect(written).toContain('| an attempt | 50.0 ms | git status: 20.0 ms | 2.50 × | 2.2 × (missed) |')
    expect(written).toContain('**launch** was not taken: There is no Electron.')
    expect(withFigures(written, results)).toBe(written)
    expect(written.split('<!--')[0]).toBe(text.split('<!--')[0])
  })

  it('is rejected if it has no place for the figures', () => {
    expect(() => withFigures('# Performance', { machine, figures: [], left: [] })).toThrow('lacks')
  })
})
