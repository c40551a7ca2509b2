/*
 * `npm run bench` lists the benchmarks with the question each answers; `npm run bench -- NAME [options]` runs one.
 */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentStart } from './agent-start.ts'
import { runAll } from './all.ts'
import type { Benchmark } from './benchmark.ts'
import { cleanRoom } from './clean-room.ts'
import { command, runOnce } from './command.ts'
import { complexity } from './complexity/complexity.ts'
import { evaluation } from './evaluation/evaluation.ts'
import { realAgent } from './evaluation/real-agent.ts'
import { rigging } from './evaluation/rigging/rigging.ts'
import { eventLoop } from './event-loop.ts'
import { fleet } from './fleet/fleet.ts'
import { fleetOfOne } from './fleet-of-one/fleet-of-one.ts'
import { hook } from './hook.ts'
import { keystroke } from './keystroke.ts'
import { landing } from './landing.ts'
import { launch } from './launch/launch.ts'
import { ledgerLoad } from './ledger-load.ts'
import { month } from './month/month.ts'
import { overhead } from './overhead.ts'
import { realRepos } from './real-repos.ts'
import { replay } from './replay.ts'
import { timeline } from './timeline.ts'
import { timelineScroll } from './timeline-scroll.ts'
import { verify } from './verify.ts'
import { verifyReplay } from './verify-replay.ts'

// Seals of ledgers in temporary folders don't belong in the user's home folder.
const state = join(tmpdir(), 'pulseward-bench-state')
process.env.XDG_STATE_HOME = state
// Remove those of earlier runs: each host would read them all, looking for lost workspaces.
rmSync(join(state, 'pulseward', 'seals'), { recursive: true, force: true })

const benchmarks: Readonly<Record<string, Benchmark>> = {
  evaluation,
  rigging,
  complexity,
  'real-agent': realAgent,
  command,
  hook,
  'run-once': runOnce,
  overhead,
  'clean-room': cleanRoom,
  'agent-start': agentStart,
  'event-loop': eventLoop,
  fleet,
  'fleet-of-one': fleetOfOne,
  keystroke,
  'ledger-load': ledgerLoad,
  landing,
  launch,
  month,
  'real-repos': realRepos,
  replay,
  timeline,
  'timeline-scroll': timelineScroll,
  verify,
  'verify-replay': verifyReplay,
}

const [name, ...args] = process.argv.slice(2)
const ALL =
  '  all [--json] [--out FILE] [--only WORD] [--check]\n      What does everything cost on this machine? --json writes bench/results and docs/performance.md; --check exits 1 on a missed goal.'
const chosen = name !== undefined && Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined
if (name === 'all') {
  await runAll(benchmarks, args)
} else if (chosen !== undefined) {
  await chosen.run(args)
} else {
  const lines = Object.entries(benchmarks).map(
    ([each, { question, options }]) => `  ${each}${options === '' ? '' : ` ${options}`}\n      ${question}`,
  )
  console.log(`npm run bench -- NAME [options]\n\n${[ALL, ...lines].join('\n')}`)
  if (name !== undefined) {
    console.error(`There is no benchmark ${JSON.stringify(name)}.`)
    process.exitCode = 2
  }
}
