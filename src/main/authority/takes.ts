import { type AnyContractRouter, isContractProcedure } from '@orpc/contract'
import { contract } from '../../api/api.ts'
import { ENDPOINTS } from '../../api/endpoints.ts'
import type { ProcedureMeta, Takes } from '../../api/procedures/base.ts'

/** Something that can be requested, and who may request it. */
interface Declared {
  /** For example `score.feedback`; `null`: not a procedure. */
  readonly procedure: string | null
  readonly method: string
  /** The path, with `{id}` for a name; `null`: only over `/rpc`. */
  readonly path: string | null
  readonly takes: Takes
}

/** Returns who may call a procedure that declares `meta`. */
export function takesBy(meta: ProcedureMeta): Takes {
  return meta.takes ?? 'operator'
}

/** All procedures in the order of the API, then everything else that is served over HTTP. */
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
 * Returns who may request this method and path; `null` if nothing is declared. A procedure can be called as a plain request and through the
 * page's protocol. This check is enough to keep everyone else out; the procedure itself decides again, however its path was spelled.
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
