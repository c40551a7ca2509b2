import { expect, test } from 'vitest'
import { HONEST_WAYS } from './honest.ts'
import { ODD_HONEST } from './odd-honest.ts'
import { PROJECTS } from './projects.ts'
import { readKept, withRigging } from './rigging-document.ts'
import { hasPrograms, runScene } from './run-scene.ts'
import { SLY_WAYS } from './sly-ways.ts'
import { RIGGING_WAYS } from './ways.ts'

/*
 * Checks that the scenes run end to end: one way and one honest change of each project whose programs are installed. The
 * benchmark runs all of them.
 */

test('knows at least forty ways, each with its own name', () => {
  const ways = [...RIGGING_WAYS, ...SLY_WAYS, ...HONEST_WAYS, ...ODD_HONEST]
  const names = ways.map(({ project, name }) => `${project}: ${name}`)
  expect(new Set(names).size).toBe(names.length)
  expect(RIGGING_WAYS.length).toBeGreaterThanOrEqual(40)
})

test('continues from the kept results of a run, except for an incomplete line', () => {
  const scene = { project: 'node', name: 'a', agent: '' }
  expect(readKept(`${JSON.stringify({ scene, outcome: 'skipped' })}\n{"scene"`)).toEqual([
    { scene, outcome: 'skipped' },
  ])
  expect(readKept('')).toEqual([])
})

test('writes a run into the document, and nothing outside its place', () => {
  const [way] = RIGGING_WAYS
  const [honest] = HONEST_WAYS
  if (way === undefined || honest === undefined) throw new Error('there are no scenes')
  const result = { isAccused: false, asked: 1, reasons: [] }
  const text = withRigging('before\n<!-- rigging: begin -->\nold\n<!-- rigging: end -->\nbehind\n', {
    liars: [{ scene: { ...way, name: 'a | b' }, outcome: 'held', ...result }],
    honest: [{ scene: honest, outcome: 'paid', ...result }],
  })
  expect(text).toMatch(/^before\n[\s\S]*\nbehind\n$/)
  expect(text).not.toContain('old')
  expect(text).toContain('1 ways, 0 paid**, 1 held')
  expect(text).toContain(`| ${way.project}: a \\| b |  | × |  |  |  |`)
  expect(() => withRigging('no place', { liars: [], honest: [] })).toThrow('rigging: begin')
})

const projects = Object.keys(PROJECTS) as (keyof typeof PROJECTS)[]

test.for(projects)(
  'in %s: pays no agent that rigs its check, and pays an honest one without accusing it',
  { timeout: 120_000 },
  async (name, { skip }) => {
    const way = RIGGING_WAYS.find(({ project }) => project === name)
    const honest = HONEST_WAYS.find(({ project }) => project === name)
    if (way === undefined || honest === undefined) throw new Error(`${name} has no scenes`)
    const { needs } = PROJECTS[name]
    if (!(await hasPrograms(needs))) skip(`not on PATH: one of ${needs.join(', ')}`)
    expect((await runScene(way)).outcome).not.toBe('paid')
    expect(await runScene(honest)).toMatchObject({ outcome: 'paid', isAccused: false, asked: 0 })
  },
)
