import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseContract } from '../../core/contract/parse.ts'
import { describeConfigText } from './describe.ts'
import { parseWorkspaceConfig } from './parse-config.ts'
import { readTemplates } from './templates.ts'

const templates = await readTemplates(join(import.meta.dirname, '../../../resources/templates'))

it('there is a template for each kind of work', () => {
  expect(templates.map(({ id }) => id)).toEqual(['code', 'inbox', 'research', 'maintenance', 'empty'])
})

it.each(templates.map((template) => [template.id, template] as const))(
  'the template %s has a valid configuration without dangers, and a contract without problems',
  (id, { contract, configuration }) => {
    const reading = parseWorkspaceConfig(configuration)
    expect(reading).toMatchObject({ ok: true })
    expect(describeConfigText(configuration).flatMap(({ warnings }) => warnings)).toEqual([])
    const probeNames = reading.ok ? Object.keys(reading.config.probes) : []
    const { tasks, diagnostics } = parseContract(contract, { probeNames })
    expect(diagnostics.map(({ code }) => code)).toEqual(id === 'empty' ? ['no-tasks'] : [])
    expect(tasks.length > 0).toBe(id !== 'empty')
  },
)
