import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import pLimit from 'p-limit'
import { act, fail, hang, run, say, write } from '../../src/main/scripted-model/script.ts'
import { processesOf } from '../support/processes.ts'
import { test } from './support/agent-test.ts'
import { REAL_AGENTS, whyMissing } from './support/programs.ts'

/*
 * Real agent programs, offline, without an account and with a dummy API key. Each test runs a whole heartbeat through the command line; the
 * model that the program talks to follows a script.
 */

/** The agent's last message, with its report. */
function report(fields: object): string {
  return `I am done.\n\n\`\`\`heartbeat-report\n${JSON.stringify({ task_id: 'job', ...fields })}\n\`\`\`\n`
}

const done = report({ status: 'done', files: ['out/made.txt'], exit_signal: true })
const saysDone = report({ status: 'done', exit_signal: true })
const makesIt = act(write('out/made.txt', 'made by the agent\n'))
const honest = [makesIt, say(done)]

// One starts at a time, because all at once some would still be starting when their time is up; while they hang, they only wait.
test('ends a model that hangs at the timeout, and leaves nothing running', async ({
  workspaceOf,
  folder,
}) => {
  const there = REAL_AGENTS.filter((agent) => whyMissing(agent) === null)
  test.skip(there.length === 0, 'No agent program is installed.')
  const oneAtATime = pLimit(1)
  const started = there.map((agent) =>
    oneAtATime(async () => {
      const place = `${agent.preset}-${agent.mode}`
      const workspace = await workspaceOf({
        agent,
        place,
        script: { prompts: [[hang()]] },
        toml: '[adaptive_timeout]\nenabled = false\nmode_timeout = 40\n',
      })
      const end = workspace.heartbeat().then(({ attempts }) => {
        return { place, attempts, asked: workspace.model.prompts.length }
      })
      await Promise.race([workspace.model.untilHanging(), end])
      return { end }
    }),
  )
  const ends = (await Promise.all(started)).map(({ end }) => end)
  expect(await Promise.all(ends)).toMatchObject(
    there.map(({ preset, mode }) => ({
      place: `${preset}-${mode}`,
      attempts: [{ outcome: 'timeout', verdict: 'not_verified', fault: 'agent' }],
      asked: 1,
    })),
  )
  expect(processesOf(folder)).toEqual([])
})

for (const agent of REAL_AGENTS) {
  test.describe(`${agent.preset}, ${agent.mode}`, () => {
    const missing = whyMissing(agent)
    test.skip(missing !== null, missing ?? '')

    test('verifies an honest edit', async ({ workspaceOf }) => {
      const workspace = await workspaceOf({ agent, script: { prompts: [honest] } })
      const { exitCode, attempts, score } = await workspace.heartbeat()
      expect(attempts).toMatchObject([
        { taskId: 'job', outcome: 'completed', verdict: 'verified', fault: null, points: 10 },
      ])
      expect(attempts[0]?.filesChanged).toEqual(['out/made.txt'])
      expect({ exitCode, score: score.score }).toEqual({ exitCode: 0, score: 10 })
      expect(workspace.model.prompts[0]).toContain('Make the file out/made.txt')
    })

    test('does not blame the agent for a refused edit and "done" when the program shows the refusal', async ({
      workspaceOf,
    }) => {
      const workspace = await workspaceOf({
        agent,
        allow: [],
        script: { prompts: [[makesIt, say(saysDone)]] },
      })
      const { attempts, score } = await workspace.heartbeat()
      const refused = { outcome: 'denied', verdict: null, fault: 'environment', points: 0 }
      const hidden = { outcome: 'completed', verdict: 'not_verified', fault: 'agent', points: -15 }
      const shows = agent.showsDenials[agent.mode]
      const isShown = typeof shows === 'boolean' ? shows : shows.test(await workspace.printed())
      expect(attempts).toMatchObject([isShown ? refused : hidden])
      expect(attempts[0]?.filesChanged).toEqual([])
      expect(score.score).toBe(isShown ? 0 : -15)
      const { notices } = await workspace.ask<Status>('status')
      const notGranted = expect.objectContaining({ code: 'edit-not-granted' })
      expect(notices).toEqual(
        isShown
          ? [
              expect.objectContaining({ code: 'backed-off', remedy: expect.stringContaining('"edit"') }),
              notGranted,
            ]
          : [notGranted],
      )
    })

    test('reports a contradiction when a refused edit comes with a false number', async ({ workspaceOf }) => {
      test.skip(
        !agent.goesOnAfterDenial[agent.mode],
        'Its turn is over when a tool is refused: it claims nothing.',
      )
      const workspace = await workspaceOf({
        agent,
        allow: [],
        verify: 'made == 1',
        toml: '[probes.made]\ncommand = ["sh", "-c", "ls out 2>/dev/null | wc -l"]\nparse = "number"\n',
        script: {
          prompts: [[makesIt, say(report({ status: 'done', claims: { made: 1 }, exit_signal: true }))]],
        },
      })
      const { attempts } = await workspace.heartbeat()
      expect(attempts).toMatchObject([
        { verdict: 'not_verified', groundTruthContradiction: true, fault: 'agent', points: -45 },
      ])
      expect(attempts[0]?.reasons).toContain('claimed made = 1, measured 0')
    })

    test('reports a contradiction when the agent only says "done", and the next prompt says so', async ({
      workspaceOf,
    }) => {
      const workspace = await workspaceOf({
        agent,
        script: { prompts: [[say(saysDone)], honest] },
      })
      const first = await workspace.heartbeat()
      expect(first.attempts).toMatchObject([
        { outcome: 'completed', verdict: 'not_verified', fault: 'agent' },
      ])
      expect(first.attempts[0]?.interventions).toContainEqual(
        expect.objectContaining({ event_type: 'false_completion_detected', severity: 'critical' }),
      )
      const second = await workspace.heartbeat()
      expect(workspace.model.prompts[1]).toContain('## Previous Iteration Feedback (DO NOT IGNORE)')
      expect(second.attempts).toMatchObject([{ outcome: 'completed', verdict: 'verified' }])
    })

    test('marks a service that refuses the key as unavailable: scores nothing and backs off', async ({
      workspaceOf,
    }) => {
      const workspace = await workspaceOf({
        agent,
        script: { prompts: [[fail(401, 'The API key is not valid.')]] },
      })
      const { exitCode, attempts, score } = await workspace.heartbeat()
      expect(attempts).toMatchObject([
        { outcome: 'unavailable', verdict: null, fault: 'environment', points: 0, interventions: [] },
      ])
      expect({ exitCode, score: score.score }).toEqual({ exitCode: 3, score: 0 })
      const { next, open } = await workspace.ask<Status>('status')
      expect(next.reason).toMatch(/back|again/i)
      expect(open).toMatchObject([{ id: 'job', attempts: 0 }])
    })

    test('parks the workspace until the service says its limit ends', async ({ workspaceOf }) => {
      test.skip(
        agent.preset !== 'claude' && agent.preset !== 'codex',
        'It asks a service that refuses it again and again, until the time of the attempt is over.',
      )
      const resetsAt = new Date((Math.floor(Date.now() / 60_000) + 180) * 60_000).toISOString()
      const workspace = await workspaceOf({
        agent,
        script: { prompts: [[fail(429, `You have hit your usage limit. It resets at ${resetsAt}.`)]] },
      })
      const { exitCode, attempts, score } = await workspace.heartbeat()
      expect(attempts).toMatchObject([
        { outcome: 'unavailable', verdict: null, fault: 'environment', points: 0, interventions: [] },
      ])
      expect({ exitCode, score: score.score }).toEqual({ exitCode: 3, score: 0 })
      const { next, open } = await workspace.ask<Status>('status')
      expect(next.reason).toMatch(/parked until/i)
      expect(open).toMatchObject([{ id: 'job', attempts: 0 }])
    })

    test('removes what the agent leaves in the operator’s home to run next time', async ({ workspaceOf }) => {
      test.skip(agent.preset !== 'codex', 'The others ask before they run a command.')
      const arming = run('echo x > "$HOME/codex/hooks.json"; mkdir -p out; echo x > out/made.txt')
      const workspace = await workspaceOf({ agent, script: { prompts: [[act(arming), say(done)]] } })
      const { attempts } = await workspace.heartbeat()
      expect(attempts).toMatchObject([{ outcome: 'completed', verdict: 'verified' }])
      expect(existsSync(join(workspace.directory, '../home/codex/hooks.json'))).toBe(false)
      // This shows that Pulseward's sandbox was in use: the program's own would leave the file in the operator's home.
      expect(await workspace.printed()).not.toContain('runs in its own sandbox')
    })

    test('answers a contradiction in the same session', async ({ workspaceOf }) => {
      const workspace = await workspaceOf({
        agent,
        script: { prompts: [[say(saysDone)], honest] },
        toml: '[interventions]\nmid_stream = "same-session"\n',
      })
      const { attempts } = await workspace.heartbeat()
      expect(attempts).toMatchObject([{ outcome: 'completed', verdict: 'verified' }])
      expect(attempts[0]?.interventions.map(({ event_type }) => event_type)).toEqual([
        'no_files_detected',
        'false_completion_detected',
        'mid_stream_prompt_injected',
      ])
      // The session continues: the first message is still in it.
      const followUp = workspace.model.requests.find(({ promptNumber }) => promptNumber === 1)
      expect(JSON.stringify(followUp?.request.messages)).toContain('Make the file out/made.txt')
    })
  })
}

interface Status {
  readonly notices: readonly { readonly code: string; readonly remedy: string | null }[]
  readonly next: { readonly reason: string }
  readonly open: readonly { readonly id: string; readonly attempts: number }[]
}
