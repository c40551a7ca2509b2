import type { PresetId } from './programs.ts'

/** What tells one agent's account from another's; `AgentConfig` fits. */
export interface AccountHolder {
  readonly preset: PresetId | null
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly account?: string | null
}

/**
 * The name of the account whose limits an agent meets: the operator's where it is set, else its program's, as one login serves it
 * in all folders, told apart by what its `env` sets. A command that is not known shares nothing beyond its own folder.
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
