import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
// @ts-expect-error -- a plain script, which has no types
import { ensureBuilt } from '../scripts/ensure-built.mjs'
import { type Benchmark, markdownTable, median } from './benchmark.ts'
import type { Figure } from './figure.ts'

const ROUNDS = 31
const root = join(import.meta.dirname, '..')
/** What the hook may cost over a Node.js that does nothing, where the folder belongs to no workspace. */
const GOAL_MS = 30

/** The session hook where it has nothing to do, and `node -e 0`, in turn. */
export const hook: Benchmark = {
  question: `What does the session hook cost over \`node -e 0\` in a folder without a workspace? At most ${GOAL_MS} ms.`,
  options: `[--rounds ${ROUNDS}]`,
  run: async (args) => {
    const options = { rounds: { type: 'string', default: String(ROUNDS) } } as const
    const { values } = parseArgs({ args: [...args], options })
    const figures = await measureHook(Number(values.rounds))
    console.log(
      markdownTable(
        ['hook stop', 'ms over node -e 0'],
        figures.map(({ name, value }) => [name, value.toFixed(1)]),
      ),
    )
  },
}

async function measureHook(rounds: number): Promise<readonly Figure[]> {
  await ensureBuilt(root)
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-hook-bench-')))
  try {
    const [empty, data] = [join(folder, 'empty'), join(folder, 'data')]
    for (const one of [empty, data, join(folder, 'here'), join(folder, 'there')]) mkdirSync(one)
    const script = join(data, 'hook.js')
    copyFileSync(join(root, 'out/main/hook.js'), script)
    execFileSync('git', ['init', '--quiet', join(folder, 'here')])
    const workspaces = [{ id: 'there', directory: join(folder, 'there'), common: null, prefix: '' }]
    writeFileSync(join(data, 'hook-index.json'), JSON.stringify({ version: 1, workspaces }))
    const input = JSON.stringify({
      session_id: 's',
      cwd: join(folder, 'here'),
      last_assistant_message: 'Done.',
    })
    const call = (dataDirectory: string) => [script, 'stop', '--agent', 'claude', '--data-dir', dataDirectory]
    const nothing: number[] = []
    const without: number[] = []
    const elsewhere: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      nothing.push(timed(['-e', '0'], input))
      without.push(timed(call(empty), input))
      elsewhere.push(timed(call(data), input))
    }
    const over = (times: readonly number[]): number => median(times) - median(nothing)
    const figure = (name: string, value: number): Figure => ({
      ...{ bench: 'hook', name, value, unit: 'ms', reference: null, goal: GOAL_MS },
    })
    return [
      figure('the session hook where no workspace is known', over(without)),
      figure('the session hook in a folder of no workspace', over(elsewhere)),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function timed(args: readonly string[], input: string): number {
  const startedMs = performance.now()
  const { status } = spawnSync(process.execPath, args, { input, stdio: ['pipe', 'ignore', 'ignore'] })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`)
  return performance.now() - startedMs
}
