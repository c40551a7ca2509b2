import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { appendFileSync, watch, writeFileSync } from 'node:fs'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunReport } from '../core/read-model/attempt.ts'
import type { LandingView } from '../core/read-model/landing.ts'
import { seededNumbers } from '../main/testing/seeded-numbers.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'
import { killAt } from './testing/kill-at.ts'

/*
 * Kills a host at a chosen file event in the repository or the data folder while work is landing: nothing lands twice, nothing verified is
 * lost, and no lock, tree or process is left behind.
 */

const seed = Number(process.env.PULSEWARD_TEST_SEED ?? randomInt(2 ** 31))
/** Set it to run more; each takes some seconds. */
const KILLS = Number(process.env.PULSEWARD_TEST_KILLS ?? 8)
const LONG_MS = 60_000 + KILLS * 60_000
/** About as many as a heartbeat causes in each folder; a host that causes fewer ends normally. */
const MAX_EVENTS = { p: 105, data: 380 }
/** The probability that the host after a killed one is killed too. */
const AGAIN = 0.4

let cli: CliFixture

const IDENTITY = ['-c', 'user.name=Operator', '-c', 'user.email=o@example.org']

function git(...args: readonly string[]): string {
  return execFileSync('git', [...IDENTITY, ...args], { cwd: join(cli.root, 'p'), encoding: 'utf8' }).trim()
}

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

/** Adds the next task as the operator. */
async function ask(number: number): Promise<void> {
  const id = `make_${number}`
  await cli.write({
    // No matter how often it is killed, the task must not be blocked.
    'p/HEARTBEAT.md': `## Tasks\n- [ ] ${id} | Make ${id} | required | verify: contains("made/${id}.txt", "${id}") | max_attempts: 1000\n`,
  })
  git('add', '--all')
  git('commit', '--quiet', '--message', `Ask for task ${number}`)
}

/** Changes several files, so that updating the work tree can be interrupted midway. Does nothing for work that has landed. */
const AGENT = `task=$(sed -n 's/^## Task //p' | head -1); here=$(dirname "$0")
(sleep 600 > /dev/null 2>&1 &)
touch "$here/begun"; until [ -f "$here/go" ]; do sleep 0.02; done
[ -f "made/$task.txt" ] && { echo 'EXIT_SIGNAL: true'; exit; }
mkdir -p made changed; echo "$task" > "made/$task.txt"
for at in 1 2 3 4 5 6; do echo "$task $at" > "changed/$at.txt"; done
ln -sf "$task.txt" made/last
echo 'EXIT_SIGNAL: true'
`

async function begin(): Promise<void> {
  await cli.write({
    'p/HEARTBEAT.md': '## Tasks\n',
    'p/pulseward.toml':
      '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[workspace]\nisolation = "worktree"\n[landing]\nmode = "auto"\n[interventions]\nthreshold_no_files = 1000\nthreshold_false_completion = 1000\n',
    'p/operator.txt': 'mine\n',
    'p/changed/1.txt': 'one\n',
    'agent.sh': AGENT,
  })
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'gc.auto', '0')
  await ask(1)
  await cli.run(['trust', 'p'])
}

/** Runs `work`, and holds the agents back until the operator has moved the target, if `moves`. */
async function besideOperator<T>(moves: boolean, work: () => Promise<T>): Promise<T> {
  for (const name of ['begun', 'go']) await rm(join(cli.root, name), { force: true })
  const watcher = watch(cli.root)
  watcher.on('change', (_, name) => {
    if (name !== 'begun') return
    watcher.close()
    if (moves) {
      appendFileSync(join(cli.root, 'p/operator.txt'), 'more\n')
      git('commit', '--quiet', '--message', 'Move the target', '--', 'operator.txt')
    }
    writeFileSync(join(cli.root, 'go'), '')
  })
  try {
    return await work()
  } finally {
    watcher.close()
  }
}

interface Landed {
  readonly commit: string
  readonly task: string
  readonly attempt: string
  readonly tree: string
}

/** Returns what landed on the target, oldest first. */
function landed(): readonly Landed[] {
  const key = (name: string) => `%(trailers:key=Pulseward-${name},valueonly,separator=)`
  const format = `%H ${key('Task')} ${key('Attempt')} ${key('Tree')}`
  return git('log', '--reverse', `--format=${format}`, '--grep=Pulseward-Task: ', 'main')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [commit = '', task = '', attempt = '', tree = ''] = line.split(' ')
      return { commit, task, attempt, tree }
    })
}

/** Returns the command lines of processes that work in the test's folder. */
async function processesIn(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '')
    if (cwd === folder || cwd.startsWith(`${folder}/`))
      found.push((await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' '))
  }
  return found
}

async function locks(): Promise<readonly string[]> {
  const names = await readdir(join(cli.root, 'p/.git'), { recursive: true })
  return names.filter((name) => /\.lock$|\.pulseward$/.test(name))
}

async function json(...words: string[]): Promise<unknown> {
  const { stdout, stderr } = await cli.run([...words, '--json', '--workspace', 'p'])
  try {
    return JSON.parse(stdout)
  } catch {
    throw new Error(`${words.join(' ')}: ${stdout}${stderr}`)
  }
}

describe.runIf(process.platform === 'linux')(
  `a host that is killed at a chosen moment (PULSEWARD_TEST_SEED=${seed})`,
  () => {
    it('lands each verified work once, and leaves no lock, tree or process', {
      timeout: LONG_MS,
    }, async () => {
      await begin()
      const random = seededNumbers(seed)
      const deaths = { p: 0, data: 0 }
      let asked = 1
      for (let kill = 0; kill < KILLS; kill += 1) {
        const place = kill % 2 === 0 ? 'p' : 'data'
        const events = 1 + Math.floor(random() * MAX_EVENTS[place])
        const wasKilled = await besideOperator(random() < 0.5, () =>
          killAt(cli, 'p', { folder: join(cli.root, place), events }),
        )
        if (wasKilled) deaths[place] += 1
        const told = `kill ${kill}: ${wasKilled ? 'killed' : 'ended'} at event ${events} in ${place}`
        if (wasKilled && kill + 1 < KILLS && random() < AGAIN) continue
        await settled(told, asked)
        asked += 1
        await ask(asked)
      }
      expect(deaths.p + deaths.data).toBeGreaterThan(0)
      process.stderr.write(`killed in ${JSON.stringify(deaths)}, ended ${KILLS - deaths.p - deaths.data}\n`)
      git('fsck', '--strict')
    })
  },
)

/** Runs a heartbeat to its end, then expects every requested task on the target exactly once. */
async function settled(killed: string, asked: number): Promise<void> {
  const { attempts } = (await besideOperator(false, () => json('run', '--once'))) as RunReport
  const ran = attempts.map(({ taskId, verdict, reasons }) => [taskId, verdict, reasons[0] ?? ''])
  const told = `${killed}; then ${JSON.stringify(ran)}`
  const { landing } = (await json('landing')) as { landing: LandingView[] }
  const there = landed()
  const wanted = Array.from({ length: asked }, (_, at) => `make_${at + 1}`)
  expect(
    there.map(({ task }) => task),
    told,
  ).toEqual(wanted)
  expect(
    landing.filter(({ state }) => state !== 'landed' && state !== 'dropped'),
    told,
  ).toEqual([])
  // The list keeps only the latest.
  const verified = landing.flatMap(({ state, attemptId }) => (state === 'landed' ? [attemptId] : []))
  expect(verified.toReversed(), told).toEqual(there.slice(-verified.length).map(({ attempt }) => attempt))
  const last = there.at(-1)
  expect(git('rev-parse', `${last?.commit}^{tree}`), told).toBe(last?.tree)
  expect(git('show', `${last?.commit}:made/${last?.task}.txt`), told).toBe(last?.task)
  expect(git('status', '--porcelain'), told).toBe('')
  expect(await locks(), told).toEqual([])
  expect(git('worktree', 'list').split('\n'), told).toHaveLength(1)
  const [workspace = ''] = await readdir(join(cli.dataDirectory, 'trees'))
  const trees = await readdir(join(cli.dataDirectory, 'trees', workspace))
  expect(
    trees.filter((name) => !/^[123]$/.test(name)),
    told,
  ).toEqual([])
  expect(await processesIn(cli.root), told).toEqual([])
}
