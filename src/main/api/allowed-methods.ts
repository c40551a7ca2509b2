import { StandardOpenAPIMatcher, type StandardOpenAPIMatcherOptions } from '@orpc/openapi/standard'
import type { AnyRouter } from '@orpc/server'

/** Every method that a procedure may be declared with, in the order in which they are listed. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Returns the methods that a path below `/api` accepts; empty if there is no such path. */
export type AllowedMethods = (pathname: string) => Promise<readonly string[]>

/** Returns the methods of the router's procedures, using the matcher that finds them, so the two cannot disagree. */
export function allowedMethodsOf(router: AnyRouter, options: StandardOpenAPIMatcherOptions): AllowedMethods {
  // Created on first use: the host inside a command serves no connections and does not need it.
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
