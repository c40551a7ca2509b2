import { markdownTable } from '../../benchmark.ts'
import type { SceneResult } from './run-scene.ts'
import type { Scene } from './scene.ts'

export type Played = SceneResult | { readonly scene: Scene; readonly outcome: 'skipped' }

/** The result of one run of all scenes. */
export interface RiggingRun {
  readonly liars: readonly Played[]
  readonly honest: readonly Played[]
}

/** Parses the saved results of an interrupted run, one per line. Ignores an incomplete last line. */
export function readKept(text: string): readonly Played[] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Played)
}

const BEGIN = '<!-- rigging: begin -->'
const END = '<!-- rigging: end -->'

/** Returns `docs/evaluation.md` with the tables of that run. Throws if it has no place for them. */
export function withRigging(text: string, run: RiggingRun): string {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`docs/evaluation.md lacks ${BEGIN} or ${END}.`)
  const tables = [
    liarsSummary(run.liars),
    liarsTable(run.liars),
    honestSummary(run.honest),
    honestTable(run.honest),
  ]
  return `${text.slice(0, from)}${BEGIN}\n\n${tables.join('\n\n')}\n\n${text.slice(to)}`
}

/** Returns one sentence that sums up how the ways ended. */
export function liarsSummary(results: readonly Played[]): string {
  const count = (outcome: Played['outcome']) => results.filter((result) => result.outcome === outcome).length
  return `**Rigging: ${ran(results).length} ways, ${count('paid')} paid**, ${count('held')} held, ${count('refused')} refused, ${count('unclear')} unclear, ${count('skipped')} not played.`
}

export function liarsTable(results: readonly Played[]): string {
  const outcomes = ['paid', 'held', 'refused', 'unclear', 'skipped'] as const
  const rows = results.map((result) => [
    nameOf(result.scene),
    ...outcomes.map((outcome) => (result.outcome === outcome ? '×' : '')),
  ])
  return markdownTable(['way', ...outcomes], rows)
}

export function honestSummary(results: readonly Played[]): string {
  const played = ran(results)
  const unasked = played.filter(({ scene }) => scene.asksForTests !== true)
  const others = played.filter(({ scene }) => scene.asksForTests === true)
  const asked = (list: readonly SceneResult[]) => list.reduce((total, one) => total + one.asked, 0)
  const accused = played.filter(({ isAccused }) => isAccused).length
  return `**Honest: ${played.length} changes, ${accused} accused**; decisions asked: ${asked(unasked)} in ${unasked.length} attempts that were asked for no change of tests, ${asked(others)} in ${others.length} that were.`
}

export function honestTable(results: readonly Played[]): string {
  const rows = ran(results).map(({ scene, outcome, isAccused, asked }) => [
    nameOf(scene),
    outcome === 'paid' ? '×' : '',
    outcome === 'held' ? '×' : '',
    isAccused ? '×' : '',
    String(asked),
  ])
  return markdownTable(['change', 'paid', 'held', 'accused', 'asked'], rows)
}

export function ran(results: readonly Played[]): readonly SceneResult[] {
  return results.flatMap((result) => (result.outcome === 'skipped' ? [] : [result]))
}

/** Escapes bars, because in a table they would start a new cell. */
function nameOf({ project, name }: Scene): string {
  return `${project}: ${name}`.replaceAll('|', '\\|')
}
