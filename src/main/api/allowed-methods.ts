import { StandardOpenAPIMatcher, type StandardOpenAPIMatcherOptions } from '@orpc/openapi/standard'
import type { AnyRouter } from '@orpc/server'

/** Every method that a procedure may be declared with, in the order in which they are told. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The methods that a path below `/api` takes; none where there is no such path. */
export type AllowedMethods = (pathname: string) => Promise<readonly string[]>

/** What the router's procedures take, by the very matcher that finds them: the two cannot disagree. */
export function allowedMethodsOf(router: AnyRouter, options: StandardOpenAPIMatcherOptions): AllowedMethods {
  // Made when it is first asked: the host of a command that asks it without a connection needs none.
  let made: StandardOpenAPIMatcher | null = null
  const make = (): StandardOpenAPIMatcher => {
    const matcher = new StandardOpenAPIMatcher(options)
    matcher.init(router)
    return matcher
  }
  return async (pathname) => {
    made ??= make()
    const matcher = made
    const path = `/${pathname.replace(/^\/api/, '').replace(/^\/|\/$/g, '')}` as const
    const matches = await Promise.all(METHODS.map((method) => matcher.match(method, path)))
    return METHODS.filter((_, at) => matches[at] !== undefined)
  }
}
