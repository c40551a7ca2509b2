import { z } from 'zod'
import { HOOK_EVENTS } from './hook-event.ts'

/** Programs whose sessions can be judged: each has a hook in which Pulseward can be installed. */
export const SESSION_AGENTS = [
  'claude',
  'codex',
  'gemini',
  'copilot',
  'cursor',
  'qwen',
  'qoder',
  'opencode',
  'acp',
] as const
export type SessionAgent = (typeof SESSION_AGENTS)[number]
export const sessionAgentSchema = z.enum(SESSION_AGENTS)

/** Programs with their own configuration for hooks; an agent behind `pulseward acp` needs none. */
export const HOOKED_AGENTS = [
  'claude',
  'codex',
  'gemini',
  'copilot',
  'cursor',
  'qwen',
  'qoder',
  'opencode',
] as const satisfies readonly SessionAgent[]
export type HookedAgent = (typeof HOOKED_AGENTS)[number]
export const hookedAgentSchema = z.enum(HOOKED_AGENTS)

export const SESSION_AGENT_NAMES: Readonly<Record<SessionAgent, string>> = {
  claude: 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  copilot: 'Copilot CLI',
  cursor: 'Cursor',
  qwen: 'Qwen Code',
  qoder: 'Qoder CLI',
  opencode: 'OpenCode',
  acp: 'an ACP agent',
}

/** `shadow` never blocks, but counts what it would have blocked; `gate` sends the agent back. */
export const SESSION_MODES = ['shadow', 'gate'] as const
export type SessionMode = (typeof SESSION_MODES)[number]
export const sessionModeSchema = z.enum(SESSION_MODES)
export const DEFAULT_SESSION_MODE: SessionMode = 'shadow'

export const hookEventSchema = z.enum(HOOK_EVENTS)

/**
 * The state of an installed hook. `guarded`: its program blocks changes that remove it; `present`: installed without that
 * guard, by an earlier version; `silenced`: installed, but a switch or a missing review prevents it from being called; `absent`: not installed.
 */
export const HOOK_STATES = ['guarded', 'present', 'silenced', 'absent'] as const
export type HookState = (typeof HOOK_STATES)[number]
export const hookStateSchema = z.enum(HOOK_STATES)
