import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { OperatorPass } from '../../core/fleet/ask.ts'
import type { AskAction } from '../../core/vocabulary/fleet.ts'
import { finishedAttempt } from '../ledger/testing/sample-events.ts'
import { SEEDED } from '../testing/seeded-workspaces.ts'
import { temporaryFolder, temporaryHost } from '../testing/temporary-host.ts'
import { askHost } from './ask-hosts.ts'
import { type HostProcesses, hostProcesses } from './testing/host-processes.ts'
import { NATS, natsServer } from './testing/nats-server.ts'
import { recordedLines } from './testing/recorded-lines.ts'
import { type TemporaryHub, temporaryHub } from './testing/temporary-hub.ts'

/** Work held for review because its check was changed. */
const checks = { verdict: 'verified' as const, reasons: [] }
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
const WAITING = { ...SEEDED.two, events: [...SEEDED.two.events, HELD] }

/** A workspace with an agent that rewrites its own contract. */
const REWRITER = {
  ...SEEDED.one,
  contract: '## Tasks\n\n- [ ] fix | Fix the sum | required | verify: exists("fixed.txt")\n',
  configuration: `[agent]\ncommand = ${JSON.stringify(['sh', '-c', `cat > prompt.txt; sed -i 's/exists("fixed.txt")/true/' HEARTBEAT.md`])}\nsandbox = "off"\n`,
}

const HOSTS = {
  one: {
    // This agent ignores the signal to stop, so stopping it takes a while.
    stubborn: {
      ...SEEDED.slow,
      configuration: SEEDED.slow.configuration.replace(
        '["sleep", "60"]',
        `["sh", "-c", "trap '' TERM; while :; do sleep 1; done"]`,
      ),
    },
    quick: SEEDED.one,
    agreed: REWRITER,
    declined: REWRITER,
    // This agent runs until it is stopped.
    slow: { ...SEEDED.slow, configuration: SEEDED.slow.configuration.replace('"60"', '"36000"') },
  },
  two: { waiting: WAITING },
  three: { waiting: WAITING },
}
type HostName = keyof typeof HOSTS
const NAMES = Object.keys(HOSTS) as HostName[]

interface Recorded {
  readonly type: string
  readonly [key: string]: unknown
}

// A slow machine takes a while to start three of them.
const PATIENCE_MS = 300_000

describe.skipIf(natsServer === null)(
  `remote requests to hosts that run as processes (${NATS})`,
  { timeout: 2 * PATIENCE_MS },
  () => {
    let hub: TemporaryHub
    let root: string
    let pass: OperatorPass
    let processes: HostProcesses
    const ids = new Map<string, string>()

    beforeEach(async () => {
      root = await temporaryFolder()
      hub = await temporaryHub()
      for (const host of NAMES) {
        const seeded = await temporaryHost(HOSTS[host], { root: join(root, host) })
        for (const name of Object.keys(HOSTS[host])) ids.set(`${host}/${name}`, seeded.id(name))
        await seeded.stop()
        await hub.prepare(host)
        await hub.joinFolder(host, join(root, host, 'data'))
      }
      pass = await hub.operator('olga')
      processes = hostProcesses(root)
      for (const host of NAMES) await processes.start(host, '')
    }, 2 * PATIENCE_MS)
    afterEach(async () => {
      for (const host of NAMES) await processes.end(host, 'SIGTERM')
      await hub.remove()
      await rm(root, { recursive: true, force: true })
    }, PATIENCE_MS)

    const eventually = (check: () => Promise<void>): Promise<void> =>
      vi.waitFor(check, { timeout: PATIENCE_MS, interval: 100 })
    const events = async (host: HostName, workspace?: string): Promise<Recorded[]> => {
      const records = await recordedLines(join(root, host, 'data'))
      const id = ids.get(`${host}/${workspace}`)
      return [...records]
        .flatMap(([each, lines]) => (workspace === undefined || each === id ? lines : []))
        .map((line) => JSON.parse(line))
    }
    const ask = (host: HostName, workspace: string, action: AskAction, about: string | null = null) =>
      askHost(pass, { host, workspace, action, about, until: null, reason: 'It was looked at' }, Date.now())
    const isAsked = (action: AskAction) => (event: Recorded) =>
      event.type === 'asked-from-afar' && event.action === action && event.operator === 'olga'
    /** Expects that only one host carried it out, and that the result is in its record and at the hub. */
    const expectAsked = async (host: HostName, workspace: string, action: AskAction, then: object) => {
      await eventually(async () => {
        const recorded = await events(host, workspace)
        const at = recorded.findIndex(isAsked(action))
        expect(at).toBeGreaterThanOrEqual(0)
        expect(recorded.slice(at + 1)).toContainEqual(expect.objectContaining(then))
      })
      for (const other of NAMES)
        expect((await events(other)).filter(isAsked(action))).toHaveLength(other === host ? 1 : 0)
      await eventually(async () => {
        const sent = await hub.lines(host, ids.get(`${host}/${workspace}`) ?? '')
        expect(sent.filter((line) => line !== 'packed' && isAsked(action)(JSON.parse(line)))).toHaveLength(1)
      })
    }

    /**
     * An agent's change to its contract waits; after a remote answer the contract matches the answer, and the record says who
     * gave it.
     */
    const expectProposal = async (workspace: string, action: 'accept' | 'refuse', check: string) => {
      const contract = join(root, 'one', workspace, 'HEARTBEAT.md')
      expect(await ask('one', workspace, 'run')).toMatchObject({ kind: 'done' })
      let id = ''
      await eventually(async () => {
        const recorded = await events('one', workspace)
        const made = recorded.findIndex(({ type }) => type === 'proposal-made')
        expect(made).toBeGreaterThanOrEqual(0)
        expect(recorded.slice(made).map(({ type }) => type)).toContain('cycle-finished')
        id = String(recorded[made]?.id)
      })
      expect(await ask('one', workspace, action, id)).toMatchObject({ kind: 'done' })
      const answered = {
        type: 'proposal-answered',
        id,
        answer: action === 'accept' ? 'accepted' : 'reverted',
        asked: expect.objectContaining({ who: 'operator', from: 'olga' }),
      }
      await eventually(async () => {
        const recorded = await events('one', workspace)
        expect(recorded.filter(isAsked(action))).toHaveLength(1)
        expect(recorded).toContainEqual(expect.objectContaining(answered))
        expect(await readFile(contract, 'utf8')).toContain(`verify: ${check}\n`)
      })
      await eventually(async () => {
        const sent = await hub.lines('one', ids.get(`one/${workspace}`) ?? '')
        expect(sent.filter((line) => line !== 'packed').map((line) => JSON.parse(line))).toContainEqual(
          expect.objectContaining({ type: 'proposal-answered', id }),
        )
      })
      expect((await ask('one', workspace, action, id)).kind).toBe('failed')
    }

    test('runs and stops heartbeats, and accepts on one host and refuses on another held work and a proposed change', async () => {
      // Wait until every host listens; a request before that does nothing.
      for (const host of NAMES)
        await eventually(async () => {
          expect(await ask(host, Object.keys(HOSTS[host])[0] ?? '', 'look')).toMatchObject({ kind: 'done' })
        })

      expect(await ask('one', 'quick', 'run')).toMatchObject({ kind: 'done' })
      await expectAsked('one', 'quick', 'run', { type: 'cycle-finished', cycle: 3, ending: 'completed' })

      // Check without sending a request: a second one would differ from the first only by its workspace.
      expect(await ask('one', 'slow', 'run')).toMatchObject({ kind: 'done' })
      await eventually(async () => {
        expect(await events('one', 'slow')).toContainEqual(
          expect.objectContaining({ type: 'attempt-started' }),
        )
      })
      expect(await ask('one', 'slow', 'stop')).toMatchObject({ kind: 'done' })
      await expectAsked('one', 'slow', 'stop', { type: 'cycle-finished', cycle: 3, ending: 'stopped' })

      const asked = expect.objectContaining({ who: 'operator', from: 'olga' })
      expect(await ask('two', 'waiting', 'accept', 'a-held')).toMatchObject({ kind: 'done' })
      const answered = { type: 'review-answered', attemptId: 'a-held', asked, reason: 'It was looked at' }
      await expectAsked('two', 'waiting', 'accept', { ...answered, answer: 'accept' })
      expect(await ask('three', 'waiting', 'refuse', 'a-held')).toMatchObject({ kind: 'done' })
      await expectAsked('three', 'waiting', 'refuse', { ...answered, answer: 'refuse' })
      await expectProposal('agreed', 'accept', 'true')
      await expectProposal('declined', 'refuse', 'exists("fixed.txt")')
      // It stays answered, even if another operator asks.
      expect(await ask('three', 'waiting', 'accept', 'a-held')).toMatchObject({
        kind: 'failed',
        problem: expect.stringMatching(/is not held for review/),
      })
    })

    test('a host that is killed while it works answers nothing, and reports the interruption at its next start', async () => {
      await eventually(async () => {
        expect(await ask('one', 'stubborn', 'look')).toMatchObject({ kind: 'done' })
      })
      expect(await ask('one', 'stubborn', 'run')).toMatchObject({ kind: 'done' })
      const recorded = async (type: string) =>
        (await events('one', 'stubborn')).filter((event) => event.type === type && event.action !== 'run')
      await eventually(async () => expect(await recorded('attempt-started')).toHaveLength(1))
      const wanted = { host: 'one', workspace: 'stubborn', action: 'stop', about: null, until: null } as const
      const asked = askHost(pass, { ...wanted, reason: null }, Date.now(), 8000)
      const answer = asked.then(
        (given) => ({ given }),
        (error: unknown) => ({ given: String(error) }),
      )
      await eventually(async () => expect(await recorded('asked-from-afar')).toHaveLength(1))
      await processes.end('one', 'SIGKILL')
      expect(await recorded('answered-from-afar')).toEqual([])
      expect((await answer).given).toMatch(
        /one did not answer within 8 seconds\. It may or may not have done it/,
      )
      await expect(ask('one', 'stubborn', 'look')).rejects.toThrow(/one is not listening.*Nothing was done/)
      await processes.start('one', '')
      await eventually(async () => {
        expect(await recorded('answered-from-afar')).toEqual([
          expect.objectContaining({ action: 'stop', operator: 'olga', outcome: 'interrupted' }),
        ])
      })
    })
  },
)
