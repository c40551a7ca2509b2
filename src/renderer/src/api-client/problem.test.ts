import { ORPCError } from '@orpc/client'
import { expect, test } from 'vitest'
import { toProblem } from './problem.ts'

test("keeps the host's own words", () => {
  const error = new ORPCError('NOT_FOUND', { message: 'No workspace x. There are: a, b.' })
  expect(toProblem(error)).toEqual({ code: 'NOT_FOUND', message: 'No workspace x. There are: a, b.' })
})

test('explains how to sign in on a refused page, and where to find the cause of an internal error', () => {
  expect(toProblem(new ORPCError('UNAUTHORIZED')).message).toContain('pulseward serve')
  expect(toProblem(new ORPCError('INTERNAL')).message).toContain('log')
})

test('reports UNREACHABLE if there is no answer, whatever was thrown', () => {
  expect(toProblem(new TypeError('Failed to fetch')).code).toBe('UNREACHABLE')
  expect(toProblem('gone')).toEqual({ code: 'UNREACHABLE', message: 'gone' })
})
