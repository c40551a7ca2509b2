import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AttemptDetail } from '../core/read-model/attempt.ts'
import { costParts, costsInWords } from '../core/read-model/cost-words.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'
import { type Attempt, agentScript, commitAll, firstAttempt } from './testing/rigged-run.ts'

/*
 * How the command reports the time that an attempt's checks took: a probe, a gate and a command of the check, in place and in the clean
 * room.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

type Costs = NonNullable<Attempt['costs']>

/** Runs one heartbeat of an agent that does `lines`, and measures how long it can have taken at most. */
async function play(lines: string): Promise<{ attempt: Attempt; costs: Costs; atMostMs: number }> {
  await cli.write({
    'p/HEARTBEAT.md':
      '## Tasks\n- [ ] a | Do it | verify: mail > 0 && succeeds("sh check.sh") | max_attempts: 2\n',
    'p/pulseward.toml': [
      '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"',
      '[probes.mail]\ncommand = ["cat", "mail"]\nparse = "number"',
      '[gates]\ncommands = [["sh", "gate.sh"]]',
      '[verification]\ncommands = ["sh check.sh"]\n',
    ].join('\n'),
    'agent.sh': agentScript(lines, { task_id: 'a', status: 'done' }),
    'p/mail': '0\n',
    'p/check.sh': 'grep -q . a.txt\n',
    'p/gate.sh': 'exit 0\n',
  })
  commitAll(join(cli.root, 'p'))
  const startedMs = performance.now()
  const attempt = await firstAttempt(cli)
  const atMostMs = Math.ceil(performance.now() - startedMs)
  if (attempt.costs === null) throw new Error('no costs were recorded')
  return { attempt, costs: attempt.costs, atMostMs }
}

const runsOf = ({ byCheck }: Costs): Record<string, number> =>
  Object.fromEntries(byCheck.map(({ kind, name, runs }) => [`${kind} ${name}`, runs]))

it('adds up, in place only if no check file was touched, and is shown with every attempt', async () => {
  const { attempt, costs, atMostMs } = await play('echo 3 > mail; echo done > a.txt')
  expect(attempt).toMatchObject({ verdict: 'verified' })
  const parts = costParts(costs).map(({ ms }) => ms)
  expect(parts.every((ms) => Number.isInteger(ms) && ms >= 0)).toBe(true)
  expect(costs).toMatchObject({ agentMs: attempt.durationMs, cleanRoomMs: 0 })
  expect(parts.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(atMostMs)
  // None of these runs in parallel with itself.
  for (const { ms } of costs.byCheck) expect(ms).toBeLessThanOrEqual(costs.checksMs + 1)
  expect(Object.keys(runsOf(costs)).toSorted()).toEqual([
    'command sh check.sh',
    'gate sh gate.sh',
    'probe mail',
  ])
  // Run before and after the agent; what follows a false `&&` did not run before.
  expect(runsOf(costs)['probe mail']).toBeGreaterThanOrEqual(2)

  const args = ['--workspace', 'p']
  const shown = await cli.run(['attempt', '--json', ...args])
  expect((JSON.parse(shown.stdout) as AttemptDetail).costs).toEqual(costs)
  const { stdout } = await cli.run(['attempt', ...args])
  expect(stdout).toContain(`${costsInWords(costs)}\n`)
  expect(stdout).toMatch(/Checks that took longest\n(?: {2}(?:probe|gate|command) .+: .+ in \d+ runs?\n){3}/)

  const [longest] = costs.byCheck
  const doctor = await cli.run(['doctor', '--json'])
  const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string; message: string }[] }
  expect(checks.filter(({ name }) => /^workspace \S+ checks$/.test(name))).toEqual([
    expect.objectContaining({
      status: 'ok',
      message: expect.stringMatching(
        new RegExp(
          `^${longest?.kind} ${longest?.name} took longest on \\d{4}-\\d\\d-\\d\\d: .+ in ${longest?.runs} runs?$`,
        ),
      ),
    }),
  ])
})

it('shows the clean room separately if a check file was changed', async () => {
  const { attempt, costs, atMostMs } = await play('echo 3 > mail; echo "exit 0" > check.sh')
  expect(attempt.verdict).not.toBe('verified')
  expect(costs.cleanRoomMs).toBeGreaterThan(0)
  const parts = costParts(costs).map(({ ms }) => ms)
  expect(parts.every((ms) => Number.isInteger(ms) && ms >= 0)).toBe(true)
  expect(parts.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(atMostMs)
  expect(runsOf(costs)['command sh check.sh']).toBeGreaterThanOrEqual(2)
})
