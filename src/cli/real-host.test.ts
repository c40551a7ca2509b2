import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { processesNamed } from '../main/process/testing/running-processes.ts'
import { type CliFixture, createCliFixture, firstLine } from './testing/cli-fixture.ts'

/*
 * Commands that start their own host, with real agents and real files, from the folder to the verdict.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})

afterEach(() => cli.close())

/** An agent that claims 3 mails for every task, but writes only one file. */
const agent = `
import { writeFileSync } from 'node:fs'
let prompt = ''
for await (const chunk of process.stdin) prompt += chunk
const task = /## Task (\\S+)/.exec(prompt)[1]
if (task === 'write') writeFileSync('made.txt', 'one\\n')
const report = { task_id: task, status: 'done', claims: { mails: 3 }, files: task === 'write' ? ['made.txt'] : [] }
console.log('\`\`\`heartbeat-report\\n' + JSON.stringify(report) + '\\n\`\`\`')
`
const inbox = {
  'inbox/HEARTBEAT.md':
    '## Tasks\n- [ ] write | Write | required | verify: exists("made.txt")\n- [ ] count | Count | required | verify: mails\n',
  'inbox/agent.mjs': agent,
  'inbox/mails.txt': '3\n',
  'inbox/pulseward.toml': `[agent]\ncommand = [${JSON.stringify(process.execPath)}, "agent.mjs"]\n[probes.mails]\nfile = "mails.txt"\nparse = "number"\n`,
}

describe('attempt', () => {
  it('shows the newest attempt or the named one: verdict, reason, and what the agent said', async () => {
    await cli.write(inbox)
    const { stdout: run } = await cli.run(['run', '--once', '--trust', '--json'], {
      currentDirectory: 'inbox',
    })
    const { attempts } = JSON.parse(run) as { attempts: { attemptId: string; taskId: string }[] }
    const [first, last] = attempts
    const shown = await cli.run(['attempt', first?.attemptId ?? ''], { currentDirectory: 'inbox' })
    expect(shown.exitCode).toBe(0)
    expect(shown.stdout).toMatch(/write {2}✓ verified {2}\+10/)
    expect(shown.stdout).toContain('made.txt')
    expect(shown.stdout).toContain('heartbeat-report')
    const newest = await cli.run(['attempt', '--json'], { currentDirectory: 'inbox' })
    expect(JSON.parse(newest.stdout)).toMatchObject({ attemptId: last?.attemptId, taskId: 'count' })
  })

  it('says so if there is none', async () => {
    await cli.write(inbox)
    await cli.run(['add', 'inbox', '--trust'])
    for (const args of [['attempt'], ['attempt', 'a-1']]) {
      const { exitCode, stderr } = await cli.run(args, { currentDirectory: 'inbox' })
      expect(exitCode).toBe(2)
      expect(stderr).toMatch(/^pulseward: .*no attempt/i)
    }
  })
})

describe('run --once', () => {
  it('adds and approves a new folder, runs it, and prints verdicts, points and score', async () => {
    await cli.write(inbox)
    const { exitCode, stdout, stderr } = await cli.run(['run', '--once', '--trust', '--json'], {
      currentDirectory: 'inbox',
    })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({
      workspace: expect.stringMatching(/^inbox-/),
      cycle: 1,
      attempts: [
        {
          taskId: 'write',
          outcome: 'completed',
          verdict: 'verified',
          points: 10,
          filesChanged: ['made.txt'],
        },
        { taskId: 'count', outcome: 'completed', verdict: 'verified', points: 10 },
      ],
      score: { score: 20, target: 50, verified: 2 },
    })
  })

  it('continues the count from one run to the next, and detects a contradiction', async () => {
    await cli.write(inbox)
    await cli.run(['run', '--once', '--trust'], { currentDirectory: 'inbox' })
    await cli.write({ 'inbox/mails.txt': '0\n' })
    const { exitCode, stdout } = await cli.run(['run', '--once', '--json', '--workspace', 'inbox'])
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      cycle: 2,
      attempts: [
        { taskId: 'write', verdict: 'not_verified', groundTruthContradiction: true },
        { taskId: 'count', verdict: 'not_verified', groundTruthContradiction: true, points: -45 },
      ],
    })
  })

  it('exits with 1 if nothing was verified', async () => {
    await cli.write({ ...inbox, 'inbox/mails.txt': '0\n' })
    const { exitCode, stdout } = await cli.run(['run', '--once', '--trust'], { currentDirectory: 'inbox' })
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/≠ count .*−45 .*claimed mails = 3, measured 0/)
  })

  it('runs nothing in an unapproved folder, and exits with 2', async () => {
    await cli.write(inbox)
    const { exitCode, stdout, stderr } = await cli.run(['run', '--once'], { currentDirectory: 'inbox' })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(/pulseward\.toml is not approved, so nothing was run\..*pulseward trust/)
    await expect(readFile(join(cli.root, 'inbox/made.txt'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('names a folder with blanks so that the command it gives can be pasted', async () => {
    await cli.write({
      'my inbox/HEARTBEAT.md': '## Tasks\n',
      'my inbox/pulseward.toml': '[agent]\ncommand = ["true"]\n',
    })
    const trust = `pulseward trust '${join(cli.root, 'my inbox')}'`
    const { stderr } = await cli.run(['run', '--once'], { currentDirectory: 'my inbox' })
    expect(stderr).toContain(`\`${trust}\``)
    expect((await cli.run(['add', 'my inbox'])).stdout).toContain(`Approve it with: ${trust}\n`)
    expect((await cli.run(['doctor'])).stdout).toContain(`\`${trust}\``)
    const { stdout } = await cli.run(['sample', 'a sample'])
    expect(stdout).toContain(`--workspace '${join(cli.root, 'a sample')}'\n`)
  })

  it('runs the approved configuration after an edit, and says so', async () => {
    await cli.write(inbox)
    await cli.run(['trust', 'inbox'])
    await cli.write({ 'inbox/pulseward.toml': '[agent]\ncommand = ["/nowhere"]\n' })
    const { exitCode, stderr } = await cli.run(['run', '--once', '--workspace', 'inbox'])
    expect(exitCode).toBe(0)
    expect(stderr).toContain('the approved copy is used')
  })

  it.each([
    ['broken', '[agent]\ncommand = [\n', ['--trust'], /pulseward\.toml:2:12: Not valid TOML/],
    ['broken', '[agent]\ncommand = [\n', [], /pulseward\.toml:2:12: Not valid TOML/],
    ['wrong', '[agent]\ncommand = []\n', ['--trust'], /pulseward\.toml:2:11: agent\.command: expected/],
  ])('says where a %s pulseward.toml is wrong and exits with 2', async (_name, toml, flags, words) => {
    await cli.write({ ...inbox, 'inbox/pulseward.toml': toml })
    const { exitCode, stderr } = await cli.run(['run', '--once', ...flags], { currentDirectory: 'inbox' })
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(words)
  })

  it('exits with 3 if the agent cannot be started, and scores nothing', async () => {
    await cli.write({ ...inbox, 'inbox/pulseward.toml': '[agent]\ncommand = ["no-such-agent"]\n' })
    const { exitCode, stdout } = await cli.run(['run', '--once', '--trust', '--json'], {
      currentDirectory: 'inbox',
    })
    expect(exitCode).toBe(3)
    const report = JSON.parse(stdout)
    expect(report.attempts[0]).toMatchObject({ outcome: 'unavailable', verdict: null, fault: 'environment' })
    expect(report.score.score).toBe(0)
  })

  it.each([
    [['run', '--once', '--workspace', 'nowhere'], /There is no folder .*nowhere/],
    [['run', '--once'], /There is no workspace yet/],
  ])('%j without a folder to run exits with 2', async (args, words) => {
    const { exitCode, stderr } = await cli.run(args)
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(words)
  })

  it('stops what it runs when interrupted, and releases the data folder', async () => {
    // In a sandbox the agent does not know its process id outside, so it is found by name.
    const name = `interrupted-${Date.now()}`
    await cli.write({
      ...inbox,
      'inbox/agent.mjs': `import { writeFileSync } from 'node:fs'
process.title = '${name}'
writeFileSync('started', '')
setInterval(() => {}, 1000)`,
    })
    const child = cli.start(['run', '--once', '--trust', '--json'], { currentDirectory: 'inbox' })
    const ended = once(child, 'exit')
    await expect.poll(() => existsSync(join(cli.root, 'inbox/started'))).toBe(true)
    expect(processesNamed(name)).toHaveLength(1)
    child.kill('SIGINT')
    expect(await ended).toEqual([3, null])
    expect(processesNamed(name)).toEqual([])
    expect((await cli.run(['score', '--workspace', 'inbox', '--json'])).exitCode).toBe(0)
  })
})

describe('the sample', () => {
  it('shows verified, contradictions, unclear and a timeout in its first heartbeat', async () => {
    await cli.run(['sample', 'demo'])
    const { exitCode, stdout } = await cli.run(['run', '--once', '--trust', '--json', '--workspace', 'demo'])
    expect(exitCode).toBe(0)
    const { attempts, score } = JSON.parse(stdout)
    expect(
      attempts.map((attempt: Record<string, unknown>) => [
        attempt.taskId,
        attempt.outcome,
        attempt.verdict,
        attempt.groundTruthContradiction,
        attempt.points,
      ]),
    ).toEqual([
      ['fetch_mail', 'completed', 'verified', false, 10],
      ['write_summary', 'completed', 'verified', false, 10],
      ['answer_urgent', 'completed', 'not_verified', true, -45],
      ['weekly_report', 'completed', 'not_verified', true, -45],
      ['check_calendar', 'completed', 'unclear', false, -2],
      ['pack_attachments', 'timeout', 'not_verified', false, -15],
    ])
    expect(score).toMatchObject({ score: -87, penalty: 'lockdown' })
  })

  it('becomes honest in its second heartbeat', async () => {
    await cli.run(['sample', 'demo'])
    await cli.run(['run', '--once', '--trust', '--workspace', 'demo'])
    const { stdout } = await cli.run(['run', '--once', '--json', '--workspace', 'demo'])
    const { attempts, score } = JSON.parse(stdout)
    expect(attempts.map((attempt: Record<string, unknown>) => attempt.verdict)).toEqual([
      'verified',
      'verified',
      'verified',
      'verified',
      'unclear',
      'verified',
    ])
    expect(score.score).toBe(-39)
  })
})

describe('serve', () => {
  it('prints its address, answers other commands, and exits with 0 when told to stop', async () => {
    await cli.write(inbox)
    const child = cli.start(['serve'])
    const ended = once(child, 'exit')
    const line = await firstLine(child)
    expect(line).toMatch(/^Pulseward is serving on http:\/\/127\.0\.0\.1:\d+\/\?code=\S+$/)
    const address = line.slice(line.indexOf('http'))
    const { origin } = new URL(address)
    expect((await fetch(`${origin}/healthz`)).status).toBe(200)

    const token = await cli.run(['token', '--json'])
    expect(JSON.parse(token.stdout)).toEqual({ token: expect.any(String), url: origin, pid: child.pid })
    expect(address).not.toContain(JSON.parse(token.stdout).token)
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(303)
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(401)
    expect((await cli.run(['add', 'inbox', '--trust'])).exitCode).toBe(0)
    expect(JSON.parse((await cli.run(['list', '--json'])).stdout).workspaces).toMatchObject([
      { name: 'inbox' },
    ])

    const second = cli.start(['serve'])
    const said = textOf(second.stderr as Readable)
    const [code] = await once(second, 'exit')
    expect(code).toBe(3)
    const [, page = ''] = /It serves (\S+) \(good once/.exec(await said) ?? []
    expect((await fetch(page, { redirect: 'manual' })).status).toBe(303)

    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect((await cli.run(['token'])).exitCode).toBe(3)
  })

  it('prints one JSON document with --json', async () => {
    const child = cli.start(['serve', '--json', '--port', '0'])
    if (child.stdout === null) throw new Error('expected a pipe')
    let text = ''
    for await (const chunk of child.stdout) {
      text += chunk
      if (text.endsWith('}\n')) break
    }
    expect(JSON.parse(text)).toMatchObject({ port: expect.any(Number), pid: child.pid })
  })

  it('opens the sample if there is no workspace yet', async () => {
    const child = cli.start(['serve', '--sample'])
    await firstLine(child)
    await expect
      .poll(async () => JSON.parse((await cli.run(['list', '--json'])).stdout).workspaces.length)
      .toBe(1)
  })
})
