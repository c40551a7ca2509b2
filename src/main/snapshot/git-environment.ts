import { withheldVariables, without } from '../process/secret-variables.ts'

/** What git is not given of our environment: what steers it, and what looks like a secret. */
export function gitVariables(): Record<string, undefined> {
  const steering = Object.keys(process.env).filter((name) => name.startsWith('GIT_'))
  return without([...steering, ...withheldVariables([])])
}
