import { markdownTable } from '../benchmark.ts'
import type { HabitResult } from './habits.ts'
import type { QueueFigures, QueueResult } from './queue.ts'

const ARMS = {
  off: 'off',
  on: 'on',
  always: 'on, `expect_files = "always"`',
  'same-session': 'on, `mid_stream = "same-session"`',
}

/** Returns the table of the habits; empty if none ran. */
export function habitsReport(results: readonly HabitResult[]): string {
  if (results.length === 0) return ''
  const rows = results.map((result) => [
    result.response === results[0]?.response ? result.habit : `${result.habit} (response ${result.response})`,
    ARMS[result.arm],
    result.filesPerIteration.toFixed(2),
    `${share(result.completed, result.completed + result.givenUp)} (${result.completed} of ${result.completed + result.givenUp})`,
    share(result.wasted, result.iterations),
    share(result.unclear, result.iterations),
    ((100 * interventionsOf(result)) / result.iterations).toFixed(0),
    `${result.falseAccusations.length} of ${result.honestAttempts}`,
    String(result.suspensions),
  ])
  const accusations = results.flatMap(({ falseAccusations }) => falseAccusations)
  const table = markdownTable(
    [
      'agent',
      'interventions',
      'files per iteration',
      'tasks completed',
      'wasted iterations',
      'of them unclear',
      'interventions per 100 iterations',
      'honest attempts accused',
      'suspensions',
    ],
    rows,
  )
  return [`### Habits, ${results[0]?.iterations} iterations each`, table, ...accusations].join('\n\n')
}

/** Counts all types except `agent_reinforced`, which only says that there was one before. */
function interventionsOf({ interventionsRaised }: HabitResult): number {
  const { agent_reinforced: _answer, ...raised } = interventionsRaised
  return Object.values(raised).reduce((sum, count) => sum + count, 0)
}

/** Returns the table of one workload, with figures summed over the seeds. */
export function queueReport(name: string, results: readonly QueueResult[]): string {
  const arms = (['fixed', 'adaptive'] as const).flatMap((timeouts) => {
    const runs = results.filter((result) => result.timeouts === timeouts)
    return [
      queueRow(
        timeouts,
        runs.map(({ byItself }) => byItself),
      ),
      queueRow(
        `${timeouts}, \`retry-blocked\` once`,
        runs.map(({ afterRetry }) => afterRetry),
      ),
    ]
  })
  const seeds = new Set(results.map(({ seed }) => seed)).size
  const table = markdownTable(
    [
      'timeouts',
      'UI tasks blocked',
      'by seed',
      'UI tasks completed',
      'wasted attempts',
      'hours in agents',
      'honest attempts accused',
    ],
    arms,
  )
  return `### Queue of 43 tasks: ${name} (${seeds} seed${seeds === 1 ? '' : 's'})\n\n${table}`
}

function queueRow(arm: string, figures: readonly QueueFigures[]): readonly string[] {
  const sum = (key: keyof QueueFigures) => figures.reduce((total, each) => total + each[key], 0)
  return [
    arm,
    share(sum('uiBlocked'), sum('uiTasks')),
    figures.map(({ uiBlocked }) => uiBlocked).join(', '),
    share(sum('uiCompleted'), sum('uiTasks')),
    share(sum('wasted'), sum('attempts')),
    (sum('agentSeconds') / 3600 / figures.length).toFixed(1),
    `${sum('falseAccusations')} of ${sum('attempts')}`,
  ]
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`
}
