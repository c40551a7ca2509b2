import { existsSync } from 'node:fs'
import { join } from 'node:path'

/*
 * The real agent programs, as `npm run agents` brings them. Two of them would put their binary in place by an
 * install script; it is taken from their platform's package instead, so that nothing of theirs runs at installation.
 */

const modules = join(import.meta.dirname, '../node_modules')
const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** The way a program is run: its own print mode, or the Agent Client Protocol. */
export type Mode = 'print' | 'acp'

export interface RealAgent {
  readonly preset: 'claude' | 'codex' | 'gemini' | 'opencode'
  readonly mode: Mode
  /** Whether a refused tool shows in what it reports; by chance, a pattern of what its log then holds. */
  readonly showsDenials: Readonly<Record<Mode, boolean | RegExp>>
  /** Whether the model may go on when a tool was refused, or its turn is over. */
  readonly goesOnAfterDenial: Readonly<Record<Mode, boolean>>
  /** By name on PATH, what they are. */
  readonly programs: Readonly<Record<string, string>>
  /** Points the program at the model at this address, with a separate home folder. */
  readonly setup: (modelUrl: string, home: string) => AgentSetup
}

interface AgentSetup {
  /** Added to the preset's arguments. */
  readonly args: readonly string[]
  /** `[agent] env`. */
  readonly env: Readonly<Record<string, string>>
  /** Of the process that runs Pulseward: keys that only pass because the preset names them. */
  readonly keys: Readonly<Record<string, string>>
  /** Files below the home folder. */
  readonly files: Readonly<Record<string, string>>
}

const claude: Omit<RealAgent, 'mode'> = {
  preset: 'claude',
  showsDenials: { print: true, acp: true },
  goesOnAfterDenial: { print: true, acp: true },
  programs: {
    claude: join(modules, `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`),
    'claude-agent-acp': join(modules, '.bin/claude-agent-acp'),
  },
  setup: (modelUrl) => ({
    args: [],
    env: {
      ANTHROPIC_BASE_URL: modelUrl,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // Else it asks a service that refuses it ten times, for minutes.
      CLAUDE_CODE_MAX_RETRIES: '1',
    },
    keys: { ANTHROPIC_API_KEY: 'dummy' },
    files: {},
  }),
}

const codex: Omit<RealAgent, 'mode'> = {
  preset: 'codex',
  // Only a command that outlives the first moment, in which its sandbox may have ended it, comes into its events.
  showsDenials: { print: /"command_execution".*"status":"failed"/, acp: /^\[command\]/m },
  goesOnAfterDenial: { print: true, acp: true },
  programs: { codex: join(modules, '.bin/codex'), 'codex-acp': join(modules, '.bin/codex-acp') },
  setup: (modelUrl) => ({
    args: [],
    env: {},
    keys: { OPENAI_API_KEY: 'dummy' },
    files: {
      'codex/config.toml': `model = "gpt-5.4"
model_provider = "scripted"
[model_providers.scripted]
name = "Scripted"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
request_max_retries = 1
stream_max_retries = 1
`,
    },
  }),
}

const gemini: Omit<RealAgent, 'mode'> = {
  preset: 'gemini',
  showsDenials: { print: false, acp: true },
  goesOnAfterDenial: { print: true, acp: true },
  programs: { gemini: join(modules, '.bin/gemini') },
  setup: (modelUrl) => ({
    args: [],
    env: { GOOGLE_GEMINI_BASE_URL: modelUrl },
    keys: { GEMINI_API_KEY: 'dummy' },
    files: {
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
      }),
    },
  }),
}

const opencode: Omit<RealAgent, 'mode'> = {
  preset: 'opencode',
  showsDenials: { print: true, acp: true },
  goesOnAfterDenial: { print: false, acp: false },
  programs: { opencode: join(modules, `opencode-${platform}/bin/opencode`) },
  setup: (modelUrl) => ({
    args: [],
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
    keys: { OPENCODE_API_KEY: 'dummy' },
    files: {
      '.config/opencode/opencode.json': JSON.stringify({
        model: 'scripted/scripted',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${modelUrl}/v1`, apiKey: 'dummy' },
            models: { scripted: { cost: { input: 1, output: 2 } } },
          },
        },
      }),
    },
  }),
}

/** Every program in every mode it is tested in. */
export const REAL_AGENTS: readonly RealAgent[] = [claude, codex, gemini, opencode].flatMap((agent) =>
  (['print', 'acp'] as const).map((mode) => ({ ...agent, mode })),
)

/** Why an agent cannot be tested here, with the remedy; `null` if it can. */
export function whyMissing({ programs }: RealAgent): string | null {
  const missing = Object.entries(programs).filter(([, file]) => !existsSync(file))
  if (missing.length === 0) return null
  const names = missing.map(([name]) => name).join(' and ')
  return `${names} not installed; \`npm ci --prefix e2e/agents --ignore-scripts\` brings the real agents.`
}
