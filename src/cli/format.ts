import { durationWords } from '../core/pacing/duration-words.ts'
import { offsetWords, timeWhereWritten } from '../core/pacing/time-where-written.ts'
import type { RunReport } from '../core/read-model/attempt.ts'
import type { Score } from '../core/read-model/score.ts'
import { counted } from '../core/scoring/format.ts'
import { type ShownVerdict, shownVerdict } from '../core/vocabulary/verdict.ts'
import type { Paint, Style } from './output.ts'

type Attempt = RunReport['attempts'][number]

/** Formats points: `+10`, `−15` (with a real minus sign), `0`. */
export function signed(points: number): string {
  if (points === 0) return '0'
  return points > 0 ? `+${points}` : `−${Math.abs(points)}`
}

/** Formats a duration to the nearest second: `41 s`, `1 h 2 min 3 s`. */
export function duration(milliseconds: number): string {
  return durationWords(Math.round(milliseconds / 1000) * 1000)
}

const VERDICT_GLYPHS: Readonly<Record<ShownVerdict, { readonly glyph: string; readonly style: Style }>> = {
  contradiction: { glyph: '≠', style: 'bad' },
  not_verified: { glyph: '✕', style: 'bad' },
  held: { glyph: '‖', style: 'warning' },
  unclear: { glyph: '?', style: 'warning' },
  verified: { glyph: '✓', style: 'good' },
  environment: { glyph: '⏻', style: 'quiet' },
  skipped: { glyph: '–', style: 'quiet' },
}

/** Returns the symbol of a verdict and how prominent it is; a contradiction is the most prominent. */
export function verdictGlyph(
  attempt: Pick<Attempt, 'verdict' | 'groundTruthContradiction' | 'fault'> & {
    readonly held?: object | null
  },
): {
  readonly glyph: string
  readonly style: Style
} {
  return VERDICT_GLYPHS[shownVerdict(attempt)]
}

/** Returns the standing in words: `escalated`, `good`, or empty if nothing stands out. */
function standingWord(score: Pick<Score, 'penalty' | 'reward'>): string {
  if (score.penalty !== 'none') return score.penalty
  return score.reward === 'none' ? '' : score.reward
}

/** Returns a line such as `82 of 91 (excellent, 1 contradiction)`: a day's contradictions stay beside its standing, also once reviewed. */
export function scoreLine(score: Score, paint: Paint): string {
  const words = [standingWord(score), contradictionWords(score.contradictions)].filter((word) => word !== '')
  const style = score.score < 0 ? 'bad' : 'good'
  const value = score.score < 0 ? `−${Math.abs(score.score)}` : String(score.score)
  return `${paint(style, value)} of ${score.target}${words.length === 0 ? '' : ` (${words.join(', ')})`}`
}

/** Returns "1 contradiction"; empty for none. */
export function contradictionWords(count: number): string {
  return count === 0 ? '' : counted(count, 'contradiction')
}

/** Aligns columns to the left, as wide as their longest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, cell.length)),
    [],
  )
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

/** Formats a time for people, in the terminal's own time zone: `14:32`, or with the date if it is another day. */
export function clockTime(iso: string, nowMs: number): string {
  const time = new Date(iso)
  const isToday = time.toDateString() === new Date(nowMs).toDateString()
  const pad = (value: number): string => String(value).padStart(2, '0')
  const clock = `${pad(time.getHours())}:${pad(time.getMinutes())}`
  return isToday ? clock : `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())} ${clock}`
}

/**
 * Formats a workspace time for people, in the workspace's own time zone, like the reasons shown beside it: `14:32`, or with the date if it
 * is another day there. If the terminal's clock shows something else, that is added: `14:32 (UTC+09:00; 06:32 here)`.
 */
export function workspaceTime(iso: string, nowMs: number): string {
  const here = clockTime(iso, nowMs)
  const written = timeWhereWritten(iso)
  if (written === null || written.offsetMinutes === -new Date(iso).getTimezoneOffset()) return here
  const { day, clock, offsetMinutes } = written
  const today = new Date(nowMs + offsetMinutes * 60_000).toISOString().slice(0, 10)
  return `${day === today ? clock : `${day} ${clock}`} (${offsetWords(offsetMinutes)}; ${here} here)`
}
