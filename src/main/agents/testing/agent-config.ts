import { DEFAULT_SANDBOX } from '../../ports/containment.ts'
import type { AgentConfig } from '../../ports/workspace-config.ts'

/** Returns an agent's configuration with every default, for tests; by default the command has no arguments. */
export function agentConfig(overrides: Partial<AgentConfig> = {}): AgentConfig {
  return {
    id: 'agent',
    kind: 'command',
    acpVersion: 1,
    preset: null,
    command: ['agent'],
    model: null,
    prompt: 'stdin',
    env: {},
    stream: null,
    passEnvironment: [],
    allow: [],
    deny: [],
    managesPermissions: false,
    permissionTimeoutSeconds: 60,
    notes: [],
    dayLimits: { usd: null, tokens: null, atLimit: 'pause' },
    attemptCeiling: { tokens: null, usd: null },
    windowShare01: null,
    containment: DEFAULT_SANDBOX,
    ...overrides,
  }
}
