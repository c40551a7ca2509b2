import type { PresetId } from './programs.ts'

/** What distinguishes one agent's account from another's; `AgentConfig` fits. */
export interface AccountHolder {
  readonly preset: PresetId | null
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly account?: string | null
}

/**
 * Returns the name of the account whose limits apply to an agent: the operator's if set, otherwise the program's, because one
 * login serves it in all folders, distinguished by what its `env` sets. An unknown command shares nothing outside its folder.
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
