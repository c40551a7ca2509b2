import { GIT_OF_CHECKS } from '../../core/custody/git-view.ts'
import { steersChecks } from '../../core/custody/steering-variables.ts'
import type { CheckVariables } from '../ports/check-variables.ts'
import { withheldVariables, without } from './secret-variables.ts'

/**
 * Node.js keeps compiled programs in a folder that others can write to, and doesn't compare them with the text: an agent could
 * leave one there that runs instead of a check.
 */
export const NODE_OF_CHECKS = { NODE_DISABLE_COMPILE_CACHE: '1' } as const

/**
 * Returns what to add to the inherited environment for a check: removals (`undefined`) of what affects programs and what looks
 * like a secret, then the variables it is given.
 */
export function checkEnvironment(
  { env = {}, envFrom = [] }: CheckVariables,
  inherited: NodeJS.ProcessEnv = process.env,
): Record<string, string | undefined> {
  const steering = Object.keys(inherited).filter(steersChecks)
  // A named variable is passed on even if it belongs to an outer agent.
  const passed = envFrom.flatMap((name) => (inherited[name] === undefined ? [] : [[name, inherited[name]]]))
  return {
    ...without([...steering, ...withheldVariables(envFrom, inherited)]),
    ...GIT_OF_CHECKS,
    ...NODE_OF_CHECKS,
    ...Object.fromEntries(passed),
    ...env,
  }
}
