import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RunReport } from '../core/read-model/attempt.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/*
 * Limits of one attempt: an agent is stopped when its program reports more usage than allowed. That is not a contradiction, and the work
 * done until then is judged.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

/** A program that acts like Claude Code: `answer TOKENS` is one answer of its model, and `await forever()` never ends. */
const program = (script: string) => `#!/usr/bin/env node
const { writeFileSync } = require('node:fs')
const say = (event) => process.stdout.write(JSON.stringify(event) + '\\n')
let answers = 0
const answer = (tokens, text = 'I go on.') => {
  answers += 1
  say({ type: 'assistant', message: { id: 'm' + answers, model: 'm', content: [{ type: 'text', text }], usage: { input_tokens: tokens - 10, output_tokens: 10 } } })
}
const forever = () => new Promise(() => setInterval(() => {}, 1000))
const end = (cost) => say({ type: 'result', subtype: 'success', is_error: false, result: 'done', total_cost_usd: cost, usage: { input_tokens: 1, output_tokens: 1 } })
const report = '\\u0060\\u0060\\u0060heartbeat-report\\n{"task_id": "write", "status": "done", "exit_signal": true}\\n\\u0060\\u0060\\u0060'
process.stdin.resume()
process.stdin.on('end', async () => {
  say({ type: 'system', subtype: 'init', session_id: 's', model: 'm' })
  ${script}
  process.exit(0)
})
`

async function run(script: string, limits: string) {
  const claude = join(cli.root, 'bin/claude')
  const command = [claude, '-p', '--output-format', 'stream-json', '--verbose']
  await cli.write({ 'bin/claude': program(script) })
  await chmod(claude, 0o755)
  return heartbeat(JSON.stringify(command), limits)
}

async function heartbeat(command: string, limits: string) {
  await cli.write({
    'p/HEARTBEAT.md':
      '## Tasks\n- [ ] write | Write the page | required | verify: exists("page.txt") && size("page.txt") > 0\n',
    'p/pulseward.toml': `[agent]\ncommand = ${command}\nsandbox = "off"\n${limits}\n`,
  })
  const { stdout, stderr } = await cli.run(['run', '--once', '--trust', '--json', '--workspace', 'p'])
  const [attempt] = (JSON.parse(stdout) as RunReport).attempts
  if (attempt === undefined) throw new Error(stdout + stderr)
  return attempt
}

test('an agent that uses more is stopped while it works, and not blamed', async () => {
  const attempt = await run('answer(600); answer(600); await forever()', 'attempt_tokens = 1000')
  expect(attempt).toMatchObject({
    outcome: 'budget',
    verdict: 'unclear',
    fault: 'limit',
    groundTruthContradiction: false,
    points: 0,
  })
  expect(attempt.reasons.join()).toContain('what one attempt may use')
  const { stdout } = await cli.run(['attempt', attempt.attemptId, '--json', '--workspace', 'p'])
  const { activity } = JSON.parse(stdout)
  // At most one answer above its limit, and all of it counts.
  expect(activity.usage.inputTokens + activity.usage.outputTokens).toBeLessThanOrEqual(1200)
  expect(activity.usage.inputTokens + activity.usage.outputTokens).toBeGreaterThanOrEqual(1000)
})

test('an agent that speaks the Agent Client Protocol is stopped too, and its usage counts', async () => {
  const puppet = join(import.meta.dirname, '../main/agents/acp/testing/acp-puppet.mjs')
  const update = { sessionUpdate: 'usage_update', used: 5, size: 10, cost: { amount: 0.75, currency: 'USD' } }
  const turn = `update-then-hang:${JSON.stringify(update)}`
  const agent = {
    command: JSON.stringify([process.execPath, puppet, turn]),
    limits: 'kind = "acp"\nattempt_budget_usd = 0.5',
  }
  const attempt = await heartbeat(agent.command, agent.limits)
  expect(attempt).toMatchObject({ outcome: 'budget', verdict: 'unclear', fault: 'limit', points: 0 })
  const { stdout } = await cli.run(['attempt', attempt.attemptId, '--json', '--workspace', 'p'])
  expect(JSON.parse(stdout).activity.usage.costUsd).toBe(0.75)
})

test('work finished before the stop is paid', async () => {
  const script = 'writeFileSync("page.txt", "text"); answer(1200); await forever()'
  expect(await run(script, 'attempt_tokens = 1000')).toMatchObject({
    outcome: 'budget',
    verdict: 'verified',
    points: 10,
  })
})

test('a false claim made before the stop still costs points', async () => {
  const attempt = await run('answer(1200, report); await forever()', 'attempt_tokens = 1000')
  expect(attempt).toMatchObject({ outcome: 'budget', verdict: 'not_verified', fault: 'agent', points: -15 })
})

test('an agent that stays below the limit is not interrupted', async () => {
  const script = 'writeFileSync("page.txt", "text"); answer(400, report); end(0.01)'
  expect(await run(script, 'attempt_tokens = 1000\nattempt_budget_usd = 0.5')).toMatchObject({
    outcome: 'completed',
    verdict: 'verified',
    points: 10,
  })
})
