import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RunReport } from '../../../core/read-model/attempt.ts'
import { type TemporaryHost, temporaryFolder, temporaryHost } from '../../testing/temporary-host.ts'

/*
 * A repository whose tests record each run in a file next to it, and take long enough for their results to be cached. They pass if
 * `src/answer.js` is 42.
 */

const CONTRACT =
  '## Tasks\n\n- [ ] fix | Find the answer | required | verify: tests.failed == 0 | max_attempts: 9\n'
const TEST = `const { appendFileSync, readFileSync } = require('node:fs')
const { test } = require('node:test')
const assert = require('node:assert')
test('answers', async () => {
  appendFileSync('../runs', '.')
  await new Promise((done) => setTimeout(done, 300))
  assert.strictEqual(readFileSync('src/answer.js', 'utf8').trim(), '42')
})
`
const CONFIGURATION = `[agent]\nid = "claude"\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[probes.tests]\ncommand = ["node", "--test", "--test-reporter=tap"]\nparse = "tap"\n`

interface Repository {
  readonly host: TemporaryHost
  readonly file: (path: string) => string
  /** Returns the attempt, and how often the tests ran for it. */
  heartbeat(
    does: string,
    claim?: Record<string, unknown>,
  ): Promise<{ runs: number; attempt: RunReport['attempts'][number] }>
}

async function repository(isDrawn = false): Promise<Repository> {
  const root = await temporaryFolder()
  const file = (path: string) => join(root, 'w', path)
  for (const folder of ['src', 'test', 'node_modules']) mkdirSync(file(folder), { recursive: true })
  mkdirSync(join(root, 'bin'))
  const searchPath = process.env.PATH
  process.env.PATH = [join(root, 'bin'), searchPath].join(delimiter)
  writeFileSync(file('src/answer.js'), '0')
  writeFileSync(file('test/answer.test.js'), TEST)
  writeFileSync(file('.gitignore'), 'node_modules/\n')
  const git = (...words: string[]) => execFileSync('git', words, { cwd: file('.'), stdio: 'pipe' })
  git('init', '--quiet')
  git('add', '.')
  git('-c', 'user.name=o', '-c', 'user.email=o@example.invalid', 'commit', '--quiet', '-m', 'Start')
  const host = await temporaryHost(
    { w: { contract: CONTRACT, configuration: CONFIGURATION } },
    { root, drawn: () => isDrawn },
  )
  onTestFinished(async () => {
    process.env.PATH = searchPath
    await host.remove()
  })
  return {
    host,
    file,
    heartbeat: async (does, claim = { status: 'failed' }) => {
      const report = JSON.stringify({ task_id: 'fix', ...claim })
      const script = `cat > /dev/null\n${does}\nprintf '%s\\n' '\`\`\`heartbeat-report' '${report}' '\`\`\`'\n`
      writeFileSync(join(root, 'agent.sh'), script)
      rmSync(join(root, 'runs'), { force: true })
      const { attempts } = (await host.client.heartbeat.run({ wait: true })) as RunReport
      const [attempt] = attempts
      if (attempt === undefined) throw new Error('The task did not run')
      const runs = existsSync(join(root, 'runs')) ? readFileSync(join(root, 'runs'), 'utf8').length : 0
      return { runs, attempt }
    },
  }
}

describe('the tests of a repository', () => {
  it('run once per attempt in the steady state, and again after the operator changed something', async () => {
    const { heartbeat, file, host } = await repository()
    const runs: Record<string, number> = {}
    const count = async (name: string, does: string) => {
      runs[name] = (await heartbeat(does)).runs
    }
    await count('first', 'echo 1 > src/answer.js')
    await count('steady', 'echo 2 > src/answer.js')
    writeFileSync(file('node_modules/installed.js'), '')
    await count('after an ignored file', 'echo 3 > src/answer.js')
    writeFileSync(join(host.root, 'bin', 'tool'), '')
    await count('after an installed program', 'echo 5 > src/answer.js')
    const { attempt, runs: last } = await heartbeat('echo 42 > src/answer.js', { status: 'done' })
    expect(runs).toEqual({
      first: 2,
      steady: 1,
      'after an ignored file': 2,
      'after an installed program': 2,
    })
    expect([last, attempt.verdict, attempt.points]).toEqual([1, 'verified', 10])
  })

  it("don't give an agent points for what the operator did between two attempts", async () => {
    const { heartbeat, file } = await repository()
    await heartbeat('echo 1 > src/answer.js')
    writeFileSync(file('src/answer.js'), '42')
    const { attempt, runs } = await heartbeat('echo > src/other.js', { status: 'done' })
    expect(runs).toBe(2)
    expect(attempt).toMatchObject({ verdict: 'verified', points: 0 })
  })

  it('contradict an agent whose claim was true of the last attempt but not of this one', async () => {
    const { heartbeat } = await repository()
    await heartbeat('echo 1 > src/answer.js')
    const lie = await heartbeat(':', { status: 'done', claims: { 'tests.failed': 0 } })
    expect(lie.attempt).toMatchObject({ verdict: 'not_verified', groundTruthContradiction: true })
    // Measured, then measured again because the claim differs. The next attempt starts with a fresh answer.
    expect(lie.runs).toBe(2)
    expect((await heartbeat(':')).runs).toBe(2)
  })

  it('run anyway if selected at random, and report a different answer', async () => {
    const { heartbeat, file, host } = await repository(true)
    writeFileSync(
      file('test/answer.test.js'),
      TEST.replace("readFileSync('src/answer.js', 'utf8').trim()", "readFileSync('../world', 'utf8').trim()"),
    )
    writeFileSync(join(host.root, 'world'), '0')
    await heartbeat('echo 1 > src/answer.js')
    writeFileSync(join(host.root, 'world'), '42')
    expect((await heartbeat(':')).runs).toBe(2)
    const workspace = await host.client.workspaces.get({ id: host.id('w') })
    expect(JSON.stringify(workspace)).toContain('The check tests gave two different answers')
  })
})
