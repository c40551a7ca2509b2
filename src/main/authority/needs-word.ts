import { type AnyContractRouter, isContractProcedure } from '@orpc/contract'
import { contract } from '../../api/contract.ts'
import type { ProcedureMeta } from '../../api/procedures/base.ts'

/** Whether a request, by its method and path, changes score or trust. */
export function needsWord(method: string | undefined, pathname: string): boolean {
  const asked = `${method ?? ''} ${pathname}`
  return rules.some((rule) => rule.test(asked))
}

/** Each procedure can be asked as a plain request and by the page's protocol. */
function rulesOf(router: AnyContractRouter, path: readonly string[]): RegExp[] {
  if (!isContractProcedure(router))
    return Object.entries(router).flatMap(([name, inner]) => rulesOf(inner, [...path, name]))
  const { meta, route } = router['~orpc']
  if ((meta as ProcedureMeta).needsWord !== true) return []
  const plain = (route.path ?? '').replace(/\{\w+\}/g, '[^/]+')
  return [
    new RegExp(`^${route.method} /api${plain}/?$`, 'i'),
    new RegExp(`^\\w+ /rpc/${path.join('/')}/?$`, 'i'),
  ]
}

const rules: readonly RegExp[] = [
  ...rulesOf(contract, []),
  // By it a request becomes the page's.
  /^POST \/api\/session\/code$/,
]
