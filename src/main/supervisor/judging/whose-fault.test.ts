import { describe, expect, it } from 'vitest'
import { runCycle } from '../loop/run-cycle.ts'
import { report, type ScriptedRun, supervise } from '../testing/supervised-workspace.ts'

const contract = '## Tasks\n- [ ] mail | Count the mails | required | verify: email_count\n'
const failedRun = { outcome: 'error', exitCode: 1 } as const
const limit = { text: "You've hit your limit · resets 11am\n", omittedBytes: 0 }

/** One heartbeat of a plain command, with three mails present. */
async function heartbeat(script: ScriptedRun) {
  const workspace = await supervise({ contract, runs: [script], probes: { email_count: 3 } })
  const { attempts } = await runCycle(
    workspace.ports,
    { trigger: 'manual', dueAt: null },
    new AbortController().signal,
  )
  const { state } = workspace.ledger
  return {
    attempt: attempts[0],
    score: state.score.today?.score ?? 0,
    attemptsCounted: state.progress.tasks.mail?.attempts ?? 0,
    told: workspace.notifications.map(({ about }) => about),
  }
}

describe('the fault for a failed attempt', () => {
  it.each<[string, ScriptedRun]>([
    ['prints it on stderr', { run: { ...failedRun, stderr: limit } }],
    ['prints it last', { stdout: `Counting…\n${limit.text}`, run: failedRun }],
    [
      'names a file that cannot be written',
      { stdout: "EROFS: read-only file system, open 'a'\n", run: failedRun },
    ],
    ['prints only that its request timed out', { stdout: 'Request timed out.\n', run: failedRun }],
    [
      'repeats it until the timeout',
      { stdout: '401\n'.repeat(50), run: { outcome: 'timeout', exitCode: null } },
    ],
    ['exits with 0 anyway', { stdout: '', run: { stderr: limit } }],
    ['prints it as its entire answer', { stdout: limit.text }],
    [
      'cannot reach the model server on this machine',
      { stdout: 'Starting…\nError: connect ECONNREFUSED 127.0.0.1:11434\n', run: failedRun },
    ],
    [
      'reports that it failed',
      { stdout: report('mail', { status: 'failed' }), run: { ...failedRun, stderr: limit } },
    ],
  ])('is the service’s if a command %s: nothing scored, the operator notified once', async (_how, script) => {
    const { attempt, score, attemptsCounted, told } = await heartbeat(script)
    expect(attempt).toMatchObject({ verdict: null, fault: 'environment', points: 0 })
    expect(attempt?.remedy).toMatch(/\.$/)
    expect({ score, attemptsCounted, told }).toEqual({
      score: 0,
      attemptsCounted: 0,
      told: ['agentUnavailable'],
    })
  })

  it.each<[string, ScriptedRun, object]>([
    [
      'gives a wrong value and then blames its quota',
      {
        stdout: report('mail', { status: 'done', claims: { email_count: 7 } }),
        run: { ...failedRun, stderr: limit },
      },
      { verdict: 'not_verified', groundTruthContradiction: true, fault: 'agent' },
    ],
    [
      'names a wrong value, says that it failed, and blames its quota',
      {
        stdout: report('mail', { status: 'failed', claims: { email_count: 7 } }),
        run: { ...failedRun, stderr: limit },
      },
      { verdict: 'not_verified', groundTruthContradiction: true, fault: 'agent' },
    ],
    [
      'names a file that it never wrote, and blames its quota',
      {
        stdout: report('mail', { status: 'failed', files: ['notes/inbox.md'] }),
        run: { ...failedRun, stderr: limit },
      },
      { verdict: 'not_verified', groundTruthContradiction: true, fault: 'agent' },
    ],
    [
      'mentions limits in an answer that claims done',
      {
        stdout: `${limit.text}Error: rate limit exceeded\n${report('mail', { status: 'done' })}`,
        run: failedRun,
      },
      { verdict: expect.stringMatching(/not_verified|unclear/), fault: 'agent' },
    ],
    [
      'gives a wrong value and then blames the disk',
      {
        stdout: report('mail', { status: 'done', claims: { email_count: 7 } }),
        run: { ...failedRun, stderr: { text: "EROFS: read-only file system, open 'a'\n", omittedBytes: 0 } },
      },
      { verdict: 'not_verified', groundTruthContradiction: true, fault: 'agent' },
    ],
    [
      'claims to be done and then prints a disk error',
      {
        stdout: `${report('mail', { status: 'done' })}EIO\nRequest timed out.\n`,
        run: failedRun,
      },
      { verdict: expect.stringMatching(/not_verified|unclear/), fault: 'agent' },
    ],
    [
      'fails after describing how it handles limits',
      {
        stdout: 'Reading client.ts\nlimit exceeded is retried\nError: rate limit exceeded is retried\n',
        run: failedRun,
      },
      { verdict: 'not_verified', fault: 'agent', points: -15 },
    ],
    [
      'cannot reach the server that it works on',
      { stdout: 'Error: connect ECONNREFUSED 127.0.0.1:8080\n', run: failedRun },
      { verdict: 'not_verified', fault: 'agent', points: -15 },
    ],
    [
      'claims to be done and then blames the model server',
      {
        stdout: `${report('mail', { status: 'done' })}Error: connect ECONNREFUSED 127.0.0.1:11434\n`,
        run: failedRun,
      },
      { verdict: expect.stringMatching(/not_verified|unclear/), fault: 'agent' },
    ],
    [
      'exits normally and mentions limits',
      { stdout: `${limit.text}That is why I stopped.` },
      { verdict: expect.stringMatching(/not_verified|unclear/), fault: 'agent' },
    ],
  ])('is the agent’s if it %s', async (_how, script, expected) => {
    const { attempt } = await heartbeat(script)
    expect(attempt).toMatchObject(expected)
  })

  it('pays an agent that did the work and was only refused afterward', async () => {
    const { attempt } = await heartbeat({
      stdout: report('mail', { status: 'done', claims: { email_count: 3 } }),
      run: { ...failedRun, stderr: limit },
    })
    expect(attempt).toMatchObject({ verdict: 'verified', points: 10 })
  })
})
