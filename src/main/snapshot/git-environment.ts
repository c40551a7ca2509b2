import { withheldVariables, without } from '../process/secret-variables.ts'

/** Returns the variables of our environment that git does not get: those that affect its behavior, and those that look like secrets. */
export function gitVariables(): Record<string, undefined> {
  const steering = Object.keys(process.env).filter((name) => name.startsWith('GIT_'))
  return without([...steering, ...withheldVariables([])])
}
