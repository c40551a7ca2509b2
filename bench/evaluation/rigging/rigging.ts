import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import type { Benchmark } from '../../benchmark.ts'
import { HONEST_WAYS } from './honest.ts'
import { ODD_HONEST } from './odd-honest.ts'
import { PROJECTS } from './projects.ts'
import {
  honestSummary,
  honestTable,
  liarsSummary,
  liarsTable,
  type Played,
  type RiggingRun,
  ran,
  readKept,
  withRigging,
} from './rigging-document.ts'
import { hasPrograms, runScene, type SceneResult } from './run-scene.ts'
import type { Scene } from './scene.ts'
import { SLY_WAYS } from './sly-ways.ts'
import { RIGGING_WAYS } from './ways.ts'

const DOCUMENT = join(import.meta.dirname, '../../../docs/evaluation.md')
const OPTIONS = {
  json: { type: 'boolean', default: false },
  only: { type: 'string' },
  name: { type: 'string' },
  parallel: { type: 'string', default: '2' },
  words: { type: 'boolean', default: false },
  keep: { type: 'string' },
  write: { type: 'boolean', default: false },
} as const

/** Real projects, real runners, agents that rig their checks, and honest ones that look like them. */
export const rigging: Benchmark = {
  question: 'Which ways of rigging a check are paid, and which honest agents are accused?',
  options: '[--only rigging|honest] [--name PART] [--parallel 2] [--words] [--json] [--keep FILE] [--write]',
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: OPTIONS })
    const played = await playScenes(values)
    const { liars, honest } = played
    if (values.write) await writeFile(DOCUMENT, withRigging(await readFile(DOCUMENT, 'utf8'), played))
    if (values.json) console.log(JSON.stringify(played, null, 2))
    else
      console.log(
        [
          report(liarsSummary(liars), liarsTable(liars), liars, values.words),
          report(honestSummary(honest), honestTable(honest), honest, values.words),
        ].join('\n\n'),
      )
  },
}

interface Choice {
  readonly only?: string | undefined
  readonly name?: string | undefined
  readonly parallel: string
  /** Where each scene's result is saved as it arrives. Saved scenes are not played again, so an interrupted run can continue. */
  readonly keep?: string | undefined
}

async function playScenes({ only, name: part = '', parallel, keep }: Choice): Promise<RiggingRun> {
  const limit = pLimit(Number(parallel))
  const kept = keep === undefined ? [] : readKept(await readFile(keep, 'utf8').catch(() => ''))
  const meant = ({ name, project }: Scene) => `${project}: ${name}`.includes(part)
  const playOnce = async (scene: Scene): Promise<Played> => {
    const before = kept.find((one) => one.scene.project === scene.project && one.scene.name === scene.name)
    if (before !== undefined) return before
    const result = await playWhereItCan(scene)
    if (keep !== undefined) await appendFile(keep, `${JSON.stringify(result)}\n`)
    return result
  }
  const play = (scenes: readonly Scene[]) =>
    Promise.all(scenes.filter(meant).map((scene) => limit(() => playOnce(scene))))
  return {
    liars: only === 'honest' ? [] : await play([...RIGGING_WAYS, ...SLY_WAYS]),
    honest: only === 'rigging' ? [] : await play([...HONEST_WAYS, ...ODD_HONEST]),
  }
}

async function playWhereItCan(scene: Scene): Promise<Played> {
  const isPossible = await hasPrograms(PROJECTS[scene.project].needs)
  const result: Played = isPossible ? await runScene(scene) : { scene, outcome: 'skipped' }
  process.stderr.write(`${result.outcome} ${scene.project}: ${scene.name}\n`)
  return result
}

function report(summary: string, table: string, played: readonly Played[], inWords: boolean): string {
  return [summary, table, ...(inWords ? [sayReasons(ran(played))] : [])].join('\n\n')
}

function sayReasons(results: readonly SceneResult[]): string {
  return results
    .map(
      ({ scene, outcome, reasons }) =>
        `- ${scene.project}: ${scene.name}: ${outcome}\n${reasons.map((each) => `  - ${each}`).join('\n')}`,
    )
    .join('\n')
}
