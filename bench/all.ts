import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import type { Benchmark } from './benchmark.ts'
import { type Figure, holds } from './figure.ts'
import { thisMachine } from './machine.ts'
import { type Results, withFigures } from './performance-document.ts'

const document = join(import.meta.dirname, '../docs/performance.md')

/** Runs every benchmark that has figures, one after the other. Those that can't run here are left out and listed. */
export async function runAll(
  benchmarks: Readonly<Record<string, Benchmark>>,
  args: readonly string[],
): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      out: { type: 'string', default: join(import.meta.dirname, 'results/latest.json') },
      only: { type: 'string', default: '' },
      check: { type: 'boolean', default: false },
    },
  })
  const machine = thisMachine()
  const figures: Figure[] = []
  const left: { bench: string; reason: string }[] = []
  for (const [bench, { measure }] of Object.entries(benchmarks)) {
    if (measure === undefined || !bench.includes(values.only)) continue
    const begunMs = performance.now()
    console.error(`${bench} …`)
    try {
      figures.push(...(await withinLimit(measure())))
    } catch (error) {
      left.push({ bench, reason: error instanceof Error ? error.message : String(error) })
      console.error(error)
    }
    console.error(`${bench}: ${((performance.now() - begunMs) / 1000).toFixed(0)} s`)
    // An interrupted run keeps its results so far.
    if (values.json) await writeResults(values.out, { machine, figures, left })
  }
  const results: Results = { machine, figures, left }
  // A partial run doesn't represent the whole.
  if (values.json && values.only === '') {
    await writeFile(document, withFigures(await readFile(document, 'utf8'), results))
    console.error(`Written into ${document}`)
  }
  console.log(JSON.stringify(results, null, 2))
  if (values.check) checkPromises(results)
  // A benchmark that did not end in time may still keep the process alive.
  if (left.some(({ reason }) => reason === TOO_LATE)) process.exit()
}

/** Fails the process if a figure misses its goal, or if a benchmark did not run, because then a promise was not checked. */
function checkPromises({ figures, left }: Results): void {
  const missed = figures.filter((figure) => holds(figure) === false)
  for (const { bench, name } of missed) console.error(`Missed its goal: ${bench}: ${name}`)
  for (const { bench, reason } of left) console.error(`Not measured: ${bench}: ${reason}`)
  if (missed.length + left.length > 0) process.exitCode = 1
}

async function writeResults(file: string, results: Results): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`)
  console.error(`Written to ${file}`)
}

/** Together they take about a quarter of an hour on a quiet machine with two cores, none of them more than a third of it. */
const LIMIT_MS = 10 * 60_000
const TOO_LATE = 'It had not ended after ten minutes: the machine is busy, or the benchmark hangs.'

async function withinLimit<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(TOO_LATE)), LIMIT_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
