import { expect, it } from 'vitest'
import { proposalsProcedures } from './proposals.ts'

it.each([
  ['false', false],
  ['true', true],
  [true, true],
])('reads all=%s in a query as %s', async (given, all) => {
  const schema = proposalsProcedures.list['~orpc'].inputSchema
  expect(await schema?.['~standard'].validate({ all: given })).toEqual({ value: { all } })
})
