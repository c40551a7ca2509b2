import { expect, it } from 'vitest'
import { proposalsProcedures } from './proposals.ts'

it.each([
  ['false', false],
  ['true', true],
  [true, true],
])('of a query, all=%s is %s', async (given, all) => {
  const schema = proposalsProcedures.list['~orpc'].inputSchema
  expect(await schema?.['~standard'].validate({ all: given })).toEqual({ value: { all } })
})
