import { type AnyContractRouter, isContractProcedure } from '@orpc/contract'
import { contract } from '../../api/api.ts'
import { ENDPOINTS } from '../../api/endpoints.ts'
import type { ProcedureMeta, Takes } from '../../api/procedures/base.ts'

/** Something that can be asked for, and whose requests it takes. */
interface Declared {
  /** As in `score.feedback`; `null`: no procedure. */
  readonly procedure: string | null
  readonly method: string
  /** With `{id}` where a name stands; `null`: over `/rpc` only. */
  readonly path: string | null
  readonly takes: Takes
}

/** Whose requests a procedure takes that declares `meta`. */
export function takesBy(meta: ProcedureMeta): Takes {
  return meta.takes ?? 'operator'
}

/** All procedures in the order of the contract, then what else is answered over HTTP. */
export const DECLARED: readonly Declared[] = [
  ...declaredIn(contract, []),
  ...ENDPOINTS.map(({ method, path, takes }) => ({ procedure: null, method, path, takes })),
]

function declaredIn(router: AnyContractRouter, names: readonly string[]): Declared[] {
  if (!isContractProcedure(router))
    return Object.entries(router).flatMap(([name, inner]) => declaredIn(inner, [...names, name]))
  const { meta, route } = router['~orpc']
  return [
    {
      procedure: names.join('.'),
      method: route.method ?? 'POST',
      path: route.path === undefined ? null : `/api${route.path}`,
      takes: takesBy(meta as ProcedureMeta),
    },
  ]
}

/**
 * Whose requests are taken at this method and path, as they were sent; `null` where nothing is declared. A procedure can be asked for as a
 * plain request and by the page's protocol. What lets nobody further needs no more than this; what lets somebody further is decided again by
 * the procedure itself, whichever way its path was written.
 */
export function takesAt(method: string | undefined, pathname: string): Takes | null {
  const asked = `${method ?? ''} ${pathname}`
  return rules.find(({ rule }) => rule.test(asked))?.takes ?? null
}

const rules: readonly { readonly rule: RegExp; readonly takes: Takes }[] = DECLARED.flatMap(
  ({ procedure, method, path, takes }) => [
    ...(path === null ? [] : [{ takes, rule: ruleOf(`${method} ${path.replace(/\{\w+\}/g, '[^/]+')}`) }]),
    ...(procedure === null ? [] : [{ takes, rule: ruleOf(`\\w+ /rpc/${procedure.replaceAll('.', '/')}`) }]),
  ],
)

function ruleOf(pattern: string): RegExp {
  return new RegExp(`^${pattern}/?$`, 'i')
}
