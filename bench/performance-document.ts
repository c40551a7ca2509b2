import { markdownTable } from './benchmark.ts'
import { type Figure, holds, ratioOf } from './figure.ts'
import type { MeasuredOn } from './machine.ts'

/** The result of a run of all benchmarks: `bench/results/latest.json`. */
export interface Results {
  readonly machine: MeasuredOn
  readonly figures: readonly Figure[]
  /** Benchmarks that could not run here, with the reason. */
  readonly left: readonly { readonly bench: string; readonly reason: string }[]
}

const BEGIN = '<!-- figures: begin -->'
const END = '<!-- figures: end -->'

/** Returns `docs/performance.md` with its tables generated from the results. Throws if it has no place for them. */
export function withFigures(text: string, results: Results): string {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`docs/performance.md lacks ${BEGIN} or ${END}.`)
  return `${text.slice(0, from)}${BEGIN}\n\n${described(results)}\n\n${text.slice(to)}`
}

function described({ machine, figures, left }: Results): string {
  const benches = [...new Set(figures.map(({ bench }) => bench))]
  const { processor, cores, memoryGib, system, node, git, load, at } = machine
  return [
    `Taken ${at.slice(0, 10)} on ${processor}, ${cores} cores, ${memoryGib} GiB, ${system}, Node.js ${node}, git ${git}; load before ${load}.`,
    ...benches.map((bench) => `**${bench}**\n\n${tableOf(figures.filter((one) => one.bench === bench))}`),
    ...left.map(({ bench, reason }) => `**${bench}** was not taken: ${reason}`),
  ].join('\n\n')
}

function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { name, value, unit, reference, goal } = figure
    const ratio = ratioOf(figure)
    const kept = holds(figure)
    return [
      name,
      said(value, unit),
      reference === null ? '' : `${reference.name}: ${said(reference.value, unit)}`,
      ratio === null ? '' : Number.isNaN(ratio) ? '–' : `${ratio.toFixed(2)} ×`,
      goal === null
        ? ''
        : `${reference === null ? said(goal, unit) : `${goal} ×`}${kept === false ? ' (missed)' : ''}`,
    ]
  })
  return markdownTable(['what', 'measured', 'beside', 'ratio', 'at most'], rows)
}

function said(value: number, unit: Figure['unit']): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return Number.isNaN(value) ? '–' : `${value.toFixed(digits)} ${unit}`
}
