import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { supervisorTag } from '../main/process/supervisor-tag.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/*
 * Identifies who sent a request when an agent without a sandbox finds the host's token or runs Pulseward's commands.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const entry = join(import.meta.dirname, 'index.ts')

/** Runs `act` with access to the host's address, records the result, and reports the task as not done. */
const agent = (act: string) => `
import { readFileSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
const data = process.argv[2]
const { port, token } = JSON.parse(readFileSync(data + '/server.json', 'utf8'))
const ask = (method, path, body) => fetch('http://127.0.0.1:' + port + path, {
  method,
  headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
})
const pulseward = (...args) => spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', ${JSON.stringify(entry)}, '--data-dir', data, ...args], { encoding: 'utf8' })
const came = await (async () => { ${act} })()
writeFileSync('came.json', JSON.stringify(came))
console.log('\`\`\`heartbeat-report\\n' + JSON.stringify({ task_id: 'fix', status: 'failed' }) + '\\n\`\`\`')
`

interface Touch {
  readonly event_type: string
  readonly severity: string
  readonly details: Record<string, unknown>
}

async function attempt(act: string) {
  await cli.write({
    'w/HEARTBEAT.md': '## Tasks\n- [ ] fix | Fix it | required | verify: exists("fixed.txt")\n',
    'w/agent.mjs': agent(act),
    'w/pulseward.toml': `[agent]\ncommand = [${JSON.stringify(process.execPath)}, "agent.mjs", ${JSON.stringify(cli.dataDirectory)}]\nsandbox = "off"\n`,
  })
  const { stdout } = await cli.run(['run', '--once', '--trust', '--json', '--workspace', 'w'])
  const { score, attempts } = JSON.parse(stdout) as {
    score: { score: number }
    attempts: { interventions: Touch[] }[]
  }
  const listed = await cli.run(['interventions', '--json', '--workspace', 'w'])
  const { events: interventions } = JSON.parse(listed.stdout) as { events: { event_type: string }[] }
  const shown = await cli.run(['attempt', '--json', '--workspace', 'w'])
  const status = await cli.run(['status', '--json', '--workspace', 'w'])
  const isTouch = ({ event_type }: { event_type: string }) => event_type === 'supervisor_touched'
  return {
    reported: attempts.flatMap(({ interventions }) => interventions.filter(isTouch)),
    shown: (JSON.parse(shown.stdout) as { interventions: Touch[] }).interventions.filter(isTouch),
    needs: (JSON.parse(status.stdout) as { needs: { kind: string; reason: string }[] }).needs,
    came: JSON.parse(await readFile(join(cli.root, 'w/came.json'), 'utf8')),
    touched: interventions.filter(({ event_type }) => event_type === 'supervisor_touched'),
    score: score.score,
  }
}

describe.runIf(process.platform === 'linux')('a process of a supervised agent', () => {
  it.each([
    [
      'rates its own work',
      `const r = await ask('POST', '/api/score/feedback', { feedback: 'up' }); return r.status`,
      403,
    ],
    ['reads the score', `return (await ask('GET', '/api/score')).status`, 403],
    [
      'uses the page’s protocol',
      `return (await ask('POST', '/rpc/score/feedback', { json: { feedback: 'up' } })).status`,
      403,
    ],
    ['runs the command line', `return pulseward('feedback', 'up').status`, 3],
    [
      'runs it with a cleared environment',
      `return spawnSync('env', ['-i', process.execPath, '--disable-warning=ExperimentalWarning', ${JSON.stringify(entry)}, '--data-dir', data, 'overrule', 'x', '--verdict', 'verified', '--reason', 'r']).status`,
      3,
    ],
    ['asks for the token', `return pulseward('token').status`, 3],
  ])('that %s is refused, recorded and reported', async (_name, act, status) => {
    const { came, touched, score, reported, shown, needs } = await attempt(act)
    expect(came).toBe(status)
    expect(touched).toMatchObject([{ severity: 'critical', task_id: 'fix' }])
    expect(reported).toMatchObject([{ severity: 'critical' }])
    expect(shown).toEqual(reported)
    expect(needs.map(({ reason }) => reason).join()).toContain(
      `asked for ${String(reported[0]?.details.asked_for)}`,
    )
    expect(score).toBe(-15)
  })

  it('that runs a command is reported with the command’s name', async () => {
    const { reported } = await attempt(`return pulseward('feedback', 'up').status`)
    expect(reported).toMatchObject([{ details: { asked_for: 'pulseward feedback up' } }])
  })

  it('may read its own task, and lint a contract', async () => {
    const { came, touched } = await attempt(
      `return [(await ask('GET', '/api/tasks')).status, pulseward('check', 'HEARTBEAT.md').status]`,
    )
    expect(came).toEqual([200, 0])
    expect(touched).toEqual([])
  })
})

describe.runIf(process.platform === 'linux')(
  'a process that detached from its agent’s environment, session and parent',
  () => {
    const late = `
import { readFileSync, writeFileSync } from 'node:fs'
const { port, token } = JSON.parse(readFileSync(process.argv[2] + '/server.json', 'utf8'))
const ask = async (method, path, body) => {
  const answer = await fetch('http://127.0.0.1:' + port + path, {
    method,
    headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return [answer.status, await answer.json()]
}
const [, [{ id }]] = await ask('GET', '/api/workspaces')
const came = {
  thumb: (await ask('POST', '/api/score/feedback', { feedback: 'up' }))[0],
  trust: (await ask('POST', '/api/workspaces/' + id + '/trust', { hash: 'x' }))[0],
  page: (await ask('POST', '/api/session/code'))[0],
  record: (await ask('POST', '/rpc/workspaces/acceptRecord', { json: { id } }))[0],
  remove: (await ask('DELETE', '/api/workspaces/' + id))[0],
  read: (await ask('GET', '/api/score'))[0],
}
writeFileSync('late.json', JSON.stringify(came))
`
    it('changes neither score nor trust while an attempt runs, and may read', async () => {
      await cli.write({ 'w/late.mjs': late })
      const { came, score, reported, shown, needs } = await attempt(`
      spawnSync('env', ['-i', 'setsid', '--fork', process.execPath, 'late.mjs', data])
      for (;;) {
        try { return JSON.parse(readFileSync('late.json', 'utf8')) } catch {}
        await new Promise((done) => setTimeout(done, 20))
      }`)
      expect(came).toEqual({ thumb: 403, trust: 403, page: 403, record: 403, remove: 403, read: 200 })
      expect(score).toBe(-15)
      // The sender can't be identified, so it is recorded and reported without blaming the agent.
      expect(reported).toMatchObject([
        { severity: 'warning', details: { asked_for: 'POST /api/score/feedback', attributed: false } },
      ])
      expect(shown).toEqual(reported)
      expect(needs.map(({ reason }) => reason).join()).toContain('may be yours or the agent’s')
    })
  },
)

it('a command of an agent’s that was refused while no host ran is recorded by the next one', async () => {
  await attempt('return 0')
  const environment = { PULSEWARD_SUPERVISOR: supervisorTag(cli.dataDirectory) }
  const { exitCode } = await cli.run(['feedback', 'up', '--workspace', 'w'], { environment })
  expect(exitCode).toBe(3)
  for (const _ of ['recorded', 'once']) {
    const { stdout } = await cli.run(['interventions', '--json', '--workspace', 'w'])
    const { events } = JSON.parse(stdout) as { events: { event_type: string; details: object }[] }
    expect(events.filter(({ event_type }) => event_type === 'supervisor_touched')).toMatchObject([
      { severity: 'critical', details: { asked_for: 'pulseward feedback up' } },
    ])
  }
})

it('a request by the operator is recorded with who made it', async () => {
  await attempt('return 0')
  expect((await cli.run(['feedback', 'down', '--workspace', 'w'])).exitCode).toBe(0)
  const status = await cli.run(['status', '--json', '--workspace', 'w'])
  const { workspace } = JSON.parse(status.stdout) as { workspace: string }
  const ledger = join(cli.dataDirectory, 'workspaces', workspace, 'ledger')
  const { readdir } = await import('node:fs/promises')
  const lines = (
    await Promise.all(
      (
        await readdir(ledger)
      )
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => readFile(join(ledger, name), 'utf8')),
    )
  ).join('')
  const thumb = lines.split('\n').find((line) => line.includes('"feedback-given"'))
  expect(thumb).toContain('"asked":{"who":"host"')
  expect(thumb).toContain('"whileRunning":false')
})
