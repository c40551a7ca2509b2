import type { PresetId } from './programs.ts'

/** The parts of an agent's configuration that determine its account; `AgentConfig` fits. */
export interface AccountHolder {
  readonly preset: PresetId | null
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly account?: string | null
}

/**
 * Returns the name of the account whose limits apply to an agent: the operator's if set. Otherwise the program with its `env`, because one
 * login serves a program in all folders unless `env` differs. An unknown command shares nothing outside its folder.
 */
export function accountOf(
  { account = null, preset, command, env }: AccountHolder,
  directory: string,
): string {
  if (account !== null) return `named:${account}`
  const settings = Object.entries(env)
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
  return JSON.stringify(preset === null ? [directory, command, settings] : [preset, settings])
}
