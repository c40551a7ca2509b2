import { describe, expect, it } from 'vitest'
import { FILE_SECTIONS } from '../../../../core/configuration/sections.ts'
import { FIELD_GROUPS, fieldsWith } from './fields.ts'

const namesOf = (title: string) =>
  FIELD_GROUPS.find((group) => group.title === title)?.fields.map(({ name }) => name) ?? []

describe('the form', () => {
  it('contains every setting that has a label once', () => {
    const shown = FIELD_GROUPS.flatMap(({ fields }) => fields.map(({ name }) => name))
    const labeled = FILE_SECTIONS.filter(({ title }) => title !== null).flatMap(({ name, settings }) =>
      Object.entries(settings).flatMap(([key, { label }]) => (label === undefined ? [] : [`${name}.${key}`])),
    )
    expect(shown.toSorted()).toEqual(labeled.toSorted())
  })

  it('shows sandbox, permissions and budget of the agent under separate headings', () => {
    expect(namesOf('Sandbox')).toContain('agent.writable')
    expect(namesOf('Budget')).toContain('agent.daily_budget_usd')
    expect(namesOf('Agent')).not.toContain('agent.sandbox')
  })
})

describe('a search', () => {
  const found = (words: string) =>
    FIELD_GROUPS.flatMap((group) => fieldsWith(group, words).map(({ name }) => name))

  it.each([
    ['writable', 'agent.writable'],
    ['outside WORKSPACE', 'agent.writable'],
    ['daily_tokens', 'agent.daily_tokens'],
    ['budget attempt', 'agent.attempt_budget_usd'],
  ])('for “%s” finds %s', (words, name) => {
    expect(found(words)).toContain(name)
  })

  it('finds everything without words, and nothing for words that no setting has', () => {
    expect(found(' ')).toHaveLength(found('').length)
    expect(found('xylophone')).toEqual([])
  })
})
