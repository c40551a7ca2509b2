import type { HookedAgent } from '../../core/vocabulary/session.ts'

/*
 * How the real programs are pointed at a scripted model, with a separate home folder (`surroundings`) and none of the user's files.
 */

export interface ScriptedProgram {
  /** On PATH. */
  readonly name: string
  /** Starts one session with this prompt, allowed to edit. `null`: the program has sessions only as a server (`run-program.ts`). */
  readonly session: ((prompt: string) => readonly string[]) | null
  readonly setup: (modelUrl: string) => ScriptedSetup
}

export interface ScriptedSetup {
  readonly env: Readonly<Record<string, string>>
  /** Keys that no service accepts. */
  readonly keys: Readonly<Record<string, string>>
  /** Files, relative to the home folder. */
  readonly files: Readonly<Record<string, string>>
}

/** Omits programs that only work with their maker's service. */
export const SCRIPTED_PROGRAMS = {
  claude: {
    name: 'claude',
    session: (prompt) => ['-p', prompt, '--permission-mode', 'acceptEdits', '--allowedTools=Edit,Write'],
    setup: (modelUrl) => ({
      env: {
        ANTHROPIC_BASE_URL: modelUrl,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        // Otherwise it tries a service that refuses it ten times, for minutes.
        CLAUDE_CODE_MAX_RETRIES: '1',
      },
      keys: { ANTHROPIC_API_KEY: 'dummy' },
      files: {},
    }),
  },
  codex: {
    name: 'codex',
    session: (prompt) => ['exec', '--sandbox', 'workspace-write', prompt],
    setup: (modelUrl) => ({
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
  },
  gemini: {
    name: 'gemini',
    session: (prompt) => ['-p', prompt, '--approval-mode', 'auto_edit'],
    setup: (modelUrl) => ({
      // Hooks are only called in trusted folders.
      env: { GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
      keys: { GEMINI_API_KEY: 'dummy' },
      files: {
        '.gemini/settings.json': JSON.stringify({
          security: { auth: { selectedType: 'gemini-api-key' } },
          general: { disableAutoUpdate: true },
          privacy: { usageStatisticsEnabled: false },
        }),
      },
    }),
  },
  copilot: {
    name: 'copilot',
    session: (prompt) => ['-p', prompt, '--allow-all-tools', '--trust-folder'],
    setup: (modelUrl) => ({
      env: {
        COPILOT_OFFLINE: 'true',
        COPILOT_PROVIDER_BASE_URL: modelUrl,
        COPILOT_PROVIDER_TYPE: 'anthropic',
        COPILOT_MODEL: 'claude-sonnet-4',
      },
      keys: { COPILOT_PROVIDER_API_KEY: 'dummy' },
      files: {},
    }),
  },
  qwen: {
    name: 'qwen',
    session: (prompt) => ['-p', prompt, '--approval-mode', 'auto-edit', '--auth-type', 'openai'],
    setup: (modelUrl) => ({
      env: { OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_MODEL: 'scripted' },
      keys: { OPENAI_API_KEY: 'dummy' },
      files: {
        '.qwen/settings.json': JSON.stringify({
          general: { disableAutoUpdate: true },
          privacy: { usageStatisticsEnabled: false },
        }),
      },
    }),
  },
  opencode: {
    name: 'opencode',
    session: null,
    setup: (modelUrl) => ({
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
  },
} as const satisfies Partial<Record<HookedAgent, ScriptedProgram>>
