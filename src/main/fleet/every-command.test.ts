import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { NatsConnection } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AskAnswer, OperatorPass } from '../../core/fleet/ask.ts'
import type { EventBody } from '../../core/record/events.ts'
import type { AskAction } from '../../core/vocabulary/fleet.ts'
import { finishedAttempt } from '../ledger/testing/sample-events.ts'
import { SEEDED } from '../testing/seeded-workspaces.ts'
import { type TemporaryHost, temporaryHost } from '../testing/temporary-host.ts'
import { sendAsk, signedAsk } from './ask-hosts.ts'
import { connectHub } from './connect-hub.ts'
import { NATS, natsServer } from './testing/nats-server.ts'
import { type TemporaryHub, temporaryHub } from './testing/temporary-hub.ts'

/*
 * Tests every remote command in every state of a workspace. An answer of "done" must be true at that moment, a refusal must have changed
 * nothing, and the timeline must say which of the two it was.
 */

const ACTIONS = ['pause', 'resume', 'run', 'stop', 'unblock', 'accept', 'refuse'] as const
type Action = (typeof ACTIONS)[number] & AskAction

const checks = { verdict: 'verified' as const, reasons: [] }
/** Work held for review because its check was changed. */
const HELD = finishedAttempt('a-held', {
  agentId: 'agent',
  verdict: 'unclear',
  points: 0,
  held: {
    id: 'a-held',
    because: 'check',
    files: ['check.sh'],
    inPlace: checks,
    cleanRoom: checks,
    with: null,
  },
})
const EVENTS: readonly EventBody[] = [...SEEDED.one.events, HELD]
const contract = `${SEEDED.one.contract}- [ ] write | Write it | required | verify: exists("written.txt")\n`
const base = { ...SEEDED.one, contract, events: EVENTS }
const after = (...events: readonly EventBody[]) => ({ ...base, events: [...EVENTS, ...events] })
const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
const TO_ANSWER = ['unblock', 'accept', 'refuse'] as const

interface State {
  readonly seed: typeof base & { readonly trusted?: boolean }
  /** Actions that are carried out; all others are refused. */
  readonly done: readonly Action[]
  /** Brings the workspace into this state once the host runs. */
  readonly make?: (folder: string, host: TemporaryHost, workspace: string) => Promise<unknown>
}

const STATES: Readonly<Record<string, State>> = {
  normal: { seed: base, done: ['pause', 'run', ...TO_ANSWER] },
  suspended: {
    seed: after({ type: 'suspended', reason: '3 times no files' }),
    done: ['pause', 'resume', ...TO_ANSWER],
  },
  paused: { seed: after({ type: 'paused', until: null }), done: ['pause', 'resume', 'run', ...TO_ANSWER] },
  'paused-and-suspended': {
    seed: after({ type: 'suspended', reason: '3 times no files' }, { type: 'paused', until: null }),
    done: ['pause', 'resume', ...TO_ANSWER],
  },
  parked: {
    seed: after({
      type: 'backed-off',
      reason: "The service's limit is reached.",
      remedy: 'Wait.',
      minutes: 60,
      until: inAnHour,
      resetsAt: inAnHour,
    }),
    done: ['pause', 'run', ...TO_ANSWER],
  },
  unapproved: { seed: { ...base, trusted: false }, done: ['pause', ...TO_ANSWER] },
  'without-contract': {
    seed: base,
    done: ['pause', ...TO_ANSWER],
    make: (folder) => rm(join(folder, 'HEARTBEAT.md')),
  },
  'without-folder': {
    seed: base,
    // Answers go into the record, which is in another folder.
    done: ['pause', ...TO_ANSWER],
    make: (folder) => rm(folder, { recursive: true }),
  },
  'nothing-to-answer': {
    seed: { ...SEEDED.one, events: [...SEEDED.one.events.slice(0, 2), ...SEEDED.one.events.slice(4, 5)] },
    done: ['pause', 'run'],
  },
  // This agent runs until it is stopped.
  running: {
    seed: { ...base, configuration: SEEDED.slow.configuration.replace('"60"', '"36000"') },
    done: ['pause', 'stop', ...TO_ANSWER],
    make: async (_folder, host, workspace) => {
      await host.client.heartbeat.run({ workspace, wait: false })
      await vi.waitFor(async () => expect((await seen(host, workspace)).running).not.toBeNull(), {
        timeout: PATIENCE_MS,
        interval: 20,
      })
    },
  },
}

const CASES = Object.keys(STATES).flatMap((state) => ACTIONS.map((action) => [state, action] as const))
const ABOUT: Partial<Record<Action, string>> = { unblock: 'draw_chart', accept: 'a-held', refuse: 'a-held' }
const PATIENCE_MS = 120_000
const noop = (): void => {}

/** Returns everything that an answer can be about, as the host itself shows it. */
async function seen(host: TemporaryHost, workspace: string) {
  const { paused, suspended, running, heartbeats } = await host.client.workspaces.get({ id: workspace })
  const blocked = await host.client.tasks.blocked({ workspace })
  const { held } = await host.client.review.list({ workspace })
  return {
    paused,
    suspended,
    running: running?.cycle ?? null,
    begun: Math.max(0, ...heartbeats.map(({ cycle }) => cycle ?? 0), running?.cycle ?? 0),
    blocked: blocked.map(({ taskId }) => taskId),
    held: held.map(({ attemptId }) => attemptId),
  }
}

describe.skipIf(natsServer === null)(`every remote command in every state (${NATS})`, () => {
  let hub: TemporaryHub
  let host: TemporaryHost
  let pass: OperatorPass
  let connection: NatsConnection
  let workspace = ''

  beforeAll(async () => {
    hub = await temporaryHub()
    await hub.prepare('build-1')
    const seeds = CASES.map(([state, action]) => [`${state}-${action}`, STATES[state]?.seed ?? base] as const)
    host = await temporaryHost(Object.fromEntries(seeds), { scheduled: true })
    const { url, token } = await hub.add('build-1')
    await host.client.fleet.join({ url, token })
    pass = await hub.operator('olga')
    connection = await connectHub({ ...pass, authority: null })
    await vi.waitFor(async () => expect(await ask('normal-run', 'look')).toMatchObject({ kind: 'done' }), {
      timeout: PATIENCE_MS / 2,
      interval: 50,
    })
  }, PATIENCE_MS)
  // Stop it, because only a limited number run at once.
  afterEach(() => host.client.heartbeat.stop({ workspace }).then(noop, noop))
  afterAll(async () => {
    await connection.close()
    await host.remove()
    await hub.remove()
  }, PATIENCE_MS)

  const ask = (workspace: string, action: AskAction): Promise<AskAnswer> => {
    const about = ABOUT[action as Action] ?? null
    const wanted = { host: 'build-1', workspace, action, about, until: null, reason: 'It was looked at' }
    return sendAsk(connection, 'build-1', pass.name, signedAsk(pass, wanted, Date.now()))
  }

  test.each(CASES)(
    '%s, %s: the answer says what really happened',
    async (state, action) => {
      const name = `${state}-${action}`
      workspace = host.id(name)
      await STATES[state]?.make?.(host.folder(name), host, workspace)
      const before = await seen(host, workspace)
      const answer = await ask(name, action)
      const now = await seen(host, workspace)
      const isDone = STATES[state]?.done.includes(action) === true
      expect(answer).toMatchObject({ kind: isDone ? 'done' : 'failed' })
      const { entries } = await host.client.timeline.list({ workspace, limit: 10 })
      expect(entries.filter(({ type }) => type === 'answered-from-afar').map(({ title }) => title)).toEqual([
        expect.stringMatching(isDone ? /^Done: .* olga / : /^Refused: .* olga /),
      ])
      if (answer.kind !== 'done') {
        expect(answer).toMatchObject({ problem: expect.stringMatching(/^.{10,}[.!?]$/s) })
        return expect(now).toEqual(before)
      }
      expect(answer.effect).toMatch(/^.{10,}\.$/s)
      switch (action) {
        case 'pause':
          return expect(now).toMatchObject({ paused: { until: null }, running: before.running })
        case 'resume':
          return expect(now).toMatchObject({ paused: null, suspended: null })
        case 'run':
          return expect(now.begun).toBe(before.begun + 1)
        case 'stop':
          return expect(now.running).toBeNull()
        case 'unblock':
          return expect(now.blocked).not.toContain('draw_chart')
        default:
          return expect(now.held).toEqual([])
      }
    },
    PATIENCE_MS,
  )
})
