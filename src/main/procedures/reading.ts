import { isContractProcedure } from '@orpc/contract'
import { contract } from '../../api/api.ts'

/**
 * The names over `/rpc` of procedures that change nothing: those that plain HTTP offers by GET, those about live events, and the streamed
 * exports.
 */
export const READING: ReadonlySet<string> = new Set([
  'events',
  'workspaces/watch',
  'timeline/export',
  'fleet/export',
  ...readingIn(contract, ''),
])

function readingIn(part: object, prefix: string): string[] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
    if (isContractProcedure(value)) return value['~orpc'].route.method === 'GET' ? [`${prefix}${name}`] : []
    return typeof value === 'object' && value !== null ? readingIn(value, `${prefix}${name}/`) : []
  })
}
