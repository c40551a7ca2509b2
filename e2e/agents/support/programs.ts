import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SCRIPTED_PROGRAMS, type ScriptedSetup } from '../../../src/main/scripted-model/programs.ts'

/*
 * The real agent programs, as `npm run agents` installs them. Two of them would install their binary with an install script; we take it
 * from their platform's package instead, so that none of their code runs at installation.
 */

const modules = join(import.meta.dirname, '../node_modules')
const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** The way a program is run: its own print mode, or the Agent Client Protocol. */
export type Mode = 'print' | 'acp'

export interface RealAgent {
  readonly preset: 'claude' | 'codex' | 'gemini' | 'opencode'
  readonly mode: Mode
  /** Whether the program's output shows a refused tool; if it only sometimes does, a pattern that its log then matches. */
  readonly showsDenials: Readonly<Record<Mode, boolean | RegExp>>
  /** Whether the model may continue after a refused tool; otherwise its turn is over. */
  readonly goesOnAfterDenial: Readonly<Record<Mode, boolean>>
  /** The executables, by their name on PATH. */
  readonly programs: Readonly<Record<string, string>>
}

const claude: Omit<RealAgent, 'mode'> = {
  preset: 'claude',
  showsDenials: { print: true, acp: true },
  goesOnAfterDenial: { print: true, acp: true },
  programs: {
    claude: join(modules, `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`),
    'claude-agent-acp': join(modules, '.bin/claude-agent-acp'),
  },
}

const codex: Omit<RealAgent, 'mode'> = {
  preset: 'codex',
  // A command appears in its events only if it runs longer than a moment; its sandbox may have ended it before that.
  showsDenials: { print: /"command_execution".*"status":"failed"/, acp: /^\[command\]/m },
  goesOnAfterDenial: { print: true, acp: true },
  programs: { codex: join(modules, '.bin/codex'), 'codex-acp': join(modules, '.bin/codex-acp') },
}

const gemini: Omit<RealAgent, 'mode'> = {
  preset: 'gemini',
  showsDenials: { print: false, acp: true },
  goesOnAfterDenial: { print: true, acp: true },
  programs: { gemini: join(modules, '.bin/gemini') },
}

const opencode: Omit<RealAgent, 'mode'> = {
  preset: 'opencode',
  showsDenials: { print: true, acp: true },
  goesOnAfterDenial: { print: false, acp: false },
  programs: { opencode: join(modules, `opencode-${platform}/bin/opencode`) },
}

/** Every program in every mode it is tested in. */
export const REAL_AGENTS: readonly RealAgent[] = [claude, codex, gemini, opencode].flatMap((agent) =>
  (['print', 'acp'] as const).map((mode) => ({ ...agent, mode })),
)

/** Points the program at the model at this address. */
export function setupOf({ preset }: Pick<RealAgent, 'preset'>, modelUrl: string): ScriptedSetup {
  return SCRIPTED_PROGRAMS[preset].setup(modelUrl)
}

/** The programs whose sessions are tested, by their names for hooks. */
export const SESSION_PROGRAMS: Readonly<Record<keyof typeof SCRIPTED_PROGRAMS, Pick<RealAgent, 'programs'>>> =
  {
    ...{ claude, codex, gemini, opencode },
    copilot: { programs: { copilot: join(modules, '.bin/copilot') } },
    qwen: { programs: { qwen: join(modules, '.bin/qwen') } },
  }

/** Returns why an agent can't be tested here and how to fix that; `null` if it can. */
export function whyMissing({ programs }: Pick<RealAgent, 'programs'>): string | null {
  const missing = Object.entries(programs).filter(([, file]) => !existsSync(file))
  if (missing.length === 0) return null
  const names = missing.map(([name]) => name).join(' and ')
  return `${names} not installed; \`npm ci --prefix e2e/agents --ignore-scripts\` brings the real agents.`
}
