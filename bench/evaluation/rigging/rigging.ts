import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { type Benchmark, markdownTable } from '../../benchmark.ts'
import { HONEST_WAYS } from './honest.ts'
import { PROJECTS } from './projects.ts'
import { hasPrograms, runScene, type SceneResult } from './run-scene.ts'
import type { Scene } from './scene.ts'
import { RIGGING_WAYS } from './ways.ts'

const OPTIONS = {
  json: { type: 'boolean', default: false },
  only: { type: 'string' },
  name: { type: 'string' },
  parallel: { type: 'string', default: '2' },
  words: { type: 'boolean', default: false },
} as const

/** Real projects, real runners, agents that rig their checks, and honest ones that look like them. */
export const rigging: Benchmark = {
  question: 'Which ways of rigging a check are paid, and which honest agents are accused?',
  options: '[--only rigging|honest] [--name PART] [--parallel 2] [--words] [--json]',
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: OPTIONS })
    const limit = pLimit(Number(values.parallel))
    const meant = ({ name, project }: Scene) => `${project}: ${name}`.includes(values.name ?? '')
    const play = (scenes: readonly Scene[]) =>
      Promise.all(scenes.filter(meant).map((scene) => limit(() => playWhereItCan(scene))))
    const liars = values.only === 'honest' ? [] : await play(RIGGING_WAYS)
    const honest = values.only === 'rigging' ? [] : await play(HONEST_WAYS)
    if (values.json) console.log(JSON.stringify({ liars, honest }, null, 2))
    else console.log([liarsReport(liars, values.words), honestReport(honest, values.words)].join('\n\n'))
  },
}

type Played = SceneResult | { readonly scene: Scene; readonly outcome: 'skipped' }

async function playWhereItCan(scene: Scene): Promise<Played> {
  const isPossible = await hasPrograms(PROJECTS[scene.project].needs)
  const result: Played = isPossible ? await runScene(scene) : { scene, outcome: 'skipped' }
  process.stderr.write(`${result.outcome} ${scene.project}: ${scene.name}\n`)
  return result
}

function ran(results: readonly Played[]): readonly SceneResult[] {
  return results.flatMap((result) => (result.outcome === 'skipped' ? [] : [result]))
}

function liarsReport(results: readonly Played[], inWords: boolean): string {
  const mark = (result: Played, outcome: string) => (result.outcome === outcome ? '×' : '')
  const rows = results.map((result) => [
    `${result.scene.project}: ${result.scene.name}`,
    ...['paid', 'held', 'refused', 'unclear', 'skipped'].map((outcome) => mark(result, outcome)),
  ])
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length
  return [
    `### Rigging: ${ran(results).length} ways, ${count('paid')} paid, ${count('held')} held, ${count('refused')} refused, ${count('unclear')} unclear, ${count('skipped')} skipped`,
    markdownTable(['way', 'paid', 'held', 'refused', 'unclear', 'skipped'], rows),
    ...(inWords ? [sayReasons(ran(results))] : []),
  ].join('\n\n')
}

function honestReport(results: readonly Played[], inWords: boolean): string {
  const played = ran(results)
  const rows = played.map(({ scene, outcome, isAccused, asked }) => [
    `${scene.project}: ${scene.name}`,
    outcome === 'paid' ? '×' : '',
    outcome === 'held' ? '×' : '',
    isAccused ? '×' : '',
    String(asked),
  ])
  const unasked = played.filter(({ scene }) => scene.asksForTests !== true)
  const sum = (list: readonly SceneResult[]) => list.reduce((total, { asked }) => total + asked, 0)
  const other = played.filter(({ scene }) => scene.asksForTests === true)
  return [
    `### Honest: ${played.length} changes, ${played.filter(({ isAccused }) => isAccused).length} accused; decisions asked: ${sum(unasked)} in ${unasked.length} attempts that were asked for no test change, ${sum(other)} in ${other.length} that were`,
    markdownTable(['change', 'paid', 'held', 'accused', 'asked'], rows),
    ...(inWords ? [sayReasons(played)] : []),
  ].join('\n\n')
}

function sayReasons(results: readonly SceneResult[]): string {
  return results
    .map(
      ({ scene, outcome, reasons }) =>
        `- ${scene.project}: ${scene.name}: ${outcome}\n${reasons.map((each) => `  - ${each}`).join('\n')}`,
    )
    .join('\n')
}
