import { expect, test } from 'vitest'
import { HONEST_WAYS } from './honest.ts'
import { PROJECTS } from './projects.ts'
import { hasPrograms, runScene } from './run-scene.ts'
import { RIGGING_WAYS } from './ways.ts'

/* That the scenes run end to end: one way and one honest change of each project whose programs are there. All of them are the benchmark's. */

test('knows at least forty ways, each by a name of its own', () => {
  const names = RIGGING_WAYS.map(({ project, name }) => `${project}: ${name}`)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThanOrEqual(40)
})

const projects = Object.keys(PROJECTS) as (keyof typeof PROJECTS)[]

test.for(projects)(
  'in %s: one that rigs is not paid, one that is honest is, and not accused',
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
