import { DEFAULT_ADAPTIVE_TIMEOUT } from '../../src/core/configuration/adaptive-timeout.ts'
import { classifyComplexity } from '../../src/core/pacing/complexity.ts'
import { COMPLEXITY_LEVELS, type ComplexityLevel } from '../../src/core/vocabulary/complexity.ts'
import { type Benchmark, markdownTable } from '../benchmark.ts'
import { LABELLED_TASKS } from './labelled-tasks.ts'

/** The classifier's labels counted against the labels that people gave. */
export interface Confusion {
  readonly counts: Readonly<Record<ComplexityLevel, Readonly<Record<ComplexityLevel, number>>>>
  readonly right: number
  readonly all: number
  readonly wrong: readonly {
    readonly task: string
    readonly is: ComplexityLevel
    readonly taken: ComplexityLevel
  }[]
}

/** Classifies a hundred labeled task lines with the default words. */
export const complexity: Benchmark = {
  question: 'Does the classifier label tasks as people do?',
  options: '',
  run: async () => console.log(describe(confusion())),
}

export function confusion(): Confusion {
  const judged = COMPLEXITY_LEVELS.flatMap((is) =>
    LABELLED_TASKS[is].map((task) => ({ task, is, taken: classify(task) })),
  )
  const count = (is: ComplexityLevel, taken: ComplexityLevel): number =>
    judged.filter((one) => one.is === is && one.taken === taken).length
  const row = (is: ComplexityLevel) => byLevel((taken) => count(is, taken))
  const wrong = judged.filter(({ is, taken }) => is !== taken)
  return { counts: byLevel(row), right: judged.length - wrong.length, all: judged.length, wrong }
}

function classify(task: string): ComplexityLevel {
  const [line = '', ...criteria] = task.split('/')
  const [id = '', description = ''] = line.split(' | ')
  return classifyComplexity(
    { id, description, criteria: criteria.map((text) => ({ text })) },
    DEFAULT_ADAPTIVE_TIMEOUT.complexity,
  )
}

function byLevel<Value>(of: (level: ComplexityLevel) => Value): Record<ComplexityLevel, Value> {
  return { simple: of('simple'), medium: of('medium'), complex: of('complex'), ui_heavy: of('ui_heavy') }
}

function describe({ counts, right, all, wrong }: Confusion): string {
  const rows = COMPLEXITY_LEVELS.map((is) => [
    is,
    ...COMPLEXITY_LEVELS.map((taken) => String(counts[is][taken])),
  ])
  const table = markdownTable(['is \\ taken for', ...COMPLEXITY_LEVELS], rows)
  const misses = wrong.map(({ task, is, taken }) => `- ${is}, taken for ${taken}: ${task}`)
  return [`${right} of ${all} right`, table, misses.join('\n')].join('\n\n')
}
