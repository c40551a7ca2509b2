import type { AgentProgram } from './program.ts'
import { amp } from './programs/amp.ts'
import { auggie } from './programs/auggie.ts'
import { claude } from './programs/claude.ts'
import { cline } from './programs/cline.ts'
import { codex } from './programs/codex.ts'
import { continueCli } from './programs/continue.ts'
import { copilot } from './programs/copilot.ts'
import { crush } from './programs/crush.ts'
import { cursor } from './programs/cursor.ts'
import { droid } from './programs/droid.ts'
import { gemini } from './programs/gemini.ts'
import { goose } from './programs/goose.ts'
import { kimi } from './programs/kimi.ts'
import { opencode } from './programs/opencode.ts'
import { qwen } from './programs/qwen.ts'

/*
 * Every known agent program, one record each, by its preset name. docs/extending.md says what a new one needs.
 */

const programs = {
  claude,
  codex,
  copilot,
  gemini,
  opencode,
  goose,
  qwen,
  kimi,
  cursor,
  cline,
  auggie,
  droid,
  amp,
  crush,
  continue: continueCli,
}

/** A preset; `[agent] preset` of `pulseward.toml`. */
export type PresetId = keyof typeof programs

export const AGENT_PROGRAMS: Readonly<Record<PresetId, AgentProgram>> = programs

export const PRESET_IDS = Object.keys(programs) as [PresetId, ...PresetId[]]

/** The programs whose event streams are understood. */
export const STREAM_PROGRAMS: readonly PresetId[] = PRESET_IDS.filter(
  (id) => (AGENT_PROGRAMS[id].print?.stream ?? null) !== null,
)
