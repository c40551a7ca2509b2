import { markdownTable } from '../benchmark.ts'
import { type Observed, withSupervisedAgent } from './supervised-agent.ts'

/** How much of a stopped attempt's work the next attempt need not repeat, in seconds of the field. */
interface Kept {
  readonly parts: number
  /** Attempts that were stopped at their limit and followed by another one. */
  readonly ended: number
  readonly spent: number
  readonly kept: number
}

export interface KeptSetting {
  readonly msPerSecond: number
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>
}

/** Longer than the limit, most of them twice as long. */
const WORK_SECONDS = [90, 110, 130, 150, 170, 190, 210, 230]
const PARTS = [1, 4, 8, 16]
const MAX_CYCLES = 12
/** Short limits, so that many attempts are stopped. How much of one is kept depends on its parts, not on its length. */
const TOML = '[adaptive_timeout]\nmode_timeout = 60\nmin_timeout = 60\nlearned = false\n'

/**
 * Runs an agent that works in parts, with a real host and real processes that are really stopped. Kept is what the next attempt
 * found in the folder, was told about in its prompt, and did not repeat.
 */
export async function measureKept({ msPerSecond, limit }: KeptSetting): Promise<readonly Kept[]> {
  return Promise.all(PARTS.map((parts) => limit(() => measure(parts, msPerSecond))))
}

async function measure(parts: number, msPerSecond: number): Promise<Kept> {
  const tasks = Object.fromEntries(
    WORK_SECONDS.map((seconds, index) => [`task_${index}`, { file: `work/${index}.txt`, seconds, parts }]),
  )
  const plan = { seed: '1', habit: 'goes-on' as const, response: 0, tasks }
  const lines = Object.entries(tasks).map(
    ([id, { file }]) =>
      `- [ ] ${id} | Write ${file} | verify: contains("${file}", "part ${parts} of ${parts}") | max_attempts: ${MAX_CYCLES}\n`,
  )
  return withSupervisedAgent({ plan, toml: TOML, inSession: false, msPerSecond }, async (agent) => {
    const observed: Observed[] = []
    const done = new Set<string>()
    for (let cycle = 0; cycle < MAX_CYCLES && done.size < lines.length; cycle += 1) {
      const open = lines.filter((line) => ![...done].some((id) => line.includes(` ${id} |`)))
      await agent.writeContract(`# Work\n\n## Tasks\n${open.join('')}`)
      const attempts = await agent.runCycle()
      observed.push(...attempts)
      for (const { attempt } of attempts) if (attempt.verdict === 'verified') done.add(attempt.taskId)
    }
    return sumUp(parts, tasks, observed)
  })
}

function sumUp(
  parts: number,
  tasks: Readonly<Record<string, { readonly seconds: number }>>,
  observed: readonly Observed[],
): Kept {
  let [ended, spent, kept] = [0, 0, 0]
  for (const [id, { seconds }] of Object.entries(tasks)) {
    const attempts = observed.filter(({ attempt }) => attempt.taskId === id)
    for (const [index, { attempt, truth }] of attempts.entries()) {
      const next = attempts[index + 1]
      if (attempt.outcome !== 'timeout' || next === undefined) continue
      ended += 1
      spent += attempt.durationMs / 1000
      kept += (((next.truth.found ?? 0) - (truth.found ?? 0)) * seconds) / parts
    }
  }
  return { parts, ended, spent, kept }
}

export function keptReport(results: readonly Kept[]): string {
  return markdownTable(
    ['parts of a task', 'ended attempts', 'seconds in them', 'seconds kept', 'share'],
    results.map(({ parts, ended, spent, kept }) => [
      String(parts),
      String(ended),
      spent.toFixed(0),
      kept.toFixed(0),
      `${((100 * kept) / spent).toFixed(0)} %`,
    ]),
  )
}
