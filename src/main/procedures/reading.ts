import { isContractProcedure } from '@orpc/contract'
import { contract } from '../../api/api.ts'

/**
 * The procedures that change nothing, by their names over `/rpc`: those that plain HTTP asks for by GET, what concerns the live events, and
 * the exports, which come bit by bit.
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
