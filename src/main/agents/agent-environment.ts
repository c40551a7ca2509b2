import { homedir } from 'node:os'
import type { AgentConfig } from '../ports/workspace-config.ts'
import { withheldVariables, without } from '../process/secret-variables.ts'
import { searchPath } from './search-path.ts'

export interface AgentEnvironment {
  /** To be added to the inherited environment; `undefined` takes a variable out of it. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Names of inherited variables that look like secrets and are kept back. */
  readonly withheld: readonly string[]
}

/**
 * What an agent gets beside what every child process does: its own variables, those that were named for it, whatever they
 * look like, and a search path with the usual install folders. Variables that look like secrets are taken out.
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

/** Windows writes it `Path`. */
function pathName(environment: NodeJS.ProcessEnv): string {
  return Object.keys(environment).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
}
