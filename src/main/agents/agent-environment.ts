import { homedir } from 'node:os'
import type { AgentConfig } from '../ports/workspace-config.ts'
import { withheldVariables, without } from '../process/secret-variables.ts'
import { searchPath } from './search-path.ts'

export interface AgentEnvironment {
  /** Added to the inherited environment; `undefined` removes a variable. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Names of inherited variables that look like secrets and are removed. */
  readonly withheld: readonly string[]
}

/**
 * Returns what an agent's environment has beyond that of every child process: its own variables, those named for it even if they look like
 * secrets, and a search path with the usual install folders. Removes variables that look like secrets.
 */
export function agentEnvironment(
  config: Pick<AgentConfig, 'env' | 'passEnvironment'>,
  inherited: NodeJS.ProcessEnv = process.env,
  home: string = homedir(),
): AgentEnvironment {
  const present = Object.entries(inherited).filter(([name]) => config.passEnvironment.includes(name))
  const withheld = withheldVariables([...config.passEnvironment, ...Object.keys(config.env)], inherited)
  return {
    withheld,
    env: {
      ...without(withheld),
      ...Object.fromEntries(present),
      [pathName(inherited)]: searchPath(home, { ...inherited, PATH: inherited[pathName(inherited)] }),
      ...config.env,
    },
  }
}

/** Windows spells it `Path`. */
function pathName(environment: NodeJS.ProcessEnv): string {
  return Object.keys(environment).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
}
