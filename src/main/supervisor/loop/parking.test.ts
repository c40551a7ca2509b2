import { describe, expect, it } from 'vitest'
import { report, type SupervisedWorkspace, supervise } from '../testing/supervised-workspace.ts'
import { createParkingLot } from './parking-lot.ts'
import { createWorkspaceLoop, type WorkspaceLoop } from './workspace-loop.ts'

const contract = '## Tasks\n- [ ] mail | Count the mail | required | verify: mail_count\n'
const toml = '[probes.mail_count]\nfile = "mail"\nparse = "number"\n'
const honest = { stdout: report('mail', { status: 'done', claims: { mail_count: 3 } }) }
const HOUR = 60 * 60_000
const NOTHING_ELSE = { outputTokens: 0, cachedInputTokens: null, costUsd: null }

/** An agent whose own program reports that its service is closed until `at`. */
function limited(at: string, day = '2026-11-20') {
  return {
    run: {
      outcome: 'unavailable' as const,
      exitCode: 1,
      reason: "The service's limit is reached.",
      remedy: 'Wait.',
      resetsAtMs: Date.parse(`${day}T${at.padEnd(8, ':00')}+01:00`),
    },
  }
}

interface Supervised extends SupervisedWorkspace {
  readonly loop: WorkspaceLoop
}

async function started(
  runs: Parameters<typeof supervise>[0]['runs'],
  beside?: SupervisedWorkspace,
): Promise<Supervised> {
  const workspace = await supervise({
    contract,
    toml: `${toml}[agent]\ncommand = ["agent"]\naccount = "work"\n`,
    probes: { mail_count: 3 },
    runs,
    ...(beside && { beside }),
  })
  const loop = createWorkspaceLoop(workspace.ports, { scheduled: true })
  await loop.start()
  // Another loop may already be asleep: this one has settled once it is not running.
  await expect.poll(() => loop.next.state).not.toMatch(/due|running/)
  return Object.assign(workspace, { loop })
}

const attempts = ({ prompts }: Supervised): number => prompts.length

describe('a limit with a stated reset', () => {
  it('is waited for: no attempt before the reset, and the next one right after it', async () => {
    const workspace = await started([limited('13:30'), honest])
    expect(workspace.loop.next).toMatchObject({
      state: 'parked',
      dueMs: Date.parse('2026-11-20T13:30+01:00'),
    })
    expect(workspace.loop.next.reason).toMatch(/^Parked until 13:30: The service's limit/)
    await workspace.clock.advance(3.5 * HOUR - 1)
    expect(attempts(workspace)).toBe(1)
    await workspace.clock.advance(1)
    expect(attempts(workspace)).toBe(2)
    expect(workspace.ledger.state.backoff).toBeNull()
    expect(workspace.loop.next.state).toBe('waiting')
    await workspace.loop.stop()
  })

  it('asks nothing of the operator, and notifies once', async () => {
    const workspace = await started([limited('13:30'), limited('13:30'), honest])
    expect(workspace.ledger.state.notices).toEqual([])
    expect(workspace.notifications).toMatchObject([{ title: 'w: parked until 13:30' }])
    await workspace.loop.stop()
  })

  it('waits even for a reset that is weeks away, and shows it, because an agent may have made it up', async () => {
    const workspace = await started([limited('13:30', '2026-12-10')])
    expect(workspace.loop.next.state).toBe('parked')
    expect(workspace.ledger.state.notices).toMatchObject([{ code: 'backed-off' }])
    await workspace.loop.stop()
  })

  it('that turns out to be wrong is retried less and less often', async () => {
    const workspace = await started([limited('10:00')])
    await workspace.clock.advance(2 * HOUR)
    // In 120 minutes: after 1, 2, 4, 8, 16, then every 30.
    expect(attempts(workspace)).toBe(8)
    expect(workspace.loop.next.state).toBe('waiting')
    expect(workspace.notifications).toMatchObject([{ title: 'w: the agent could not run' }])
    await workspace.loop.stop()
  })

  it('is kept over a restart', async () => {
    const workspace = await started([limited('13:30'), honest])
    await workspace.loop.stop()
    const again = createWorkspaceLoop(workspace.ports, { scheduled: true })
    await again.start()
    await workspace.clock.sleeping()
    expect(again.next.state).toBe('parked')
    expect(attempts(workspace)).toBe(1)
    await again.stop()
  })

  it('ends early if the operator runs a heartbeat by hand and the account answers', async () => {
    const workspace = await started([limited('13:30'), honest])
    const other = await started([honest], workspace)
    expect(other.loop.next.state).toBe('parked')
    expect(attempts(other)).toBe(0)
    await workspace.loop.runNow()
    expect(workspace.loop.next.state).toBe('waiting')
    await other.clock.advance(60_000)
    await expect.poll(() => attempts(other)).toBe(1)
    await Promise.all([workspace.loop.stop(), other.loop.stop()])
  })
})

describe('a limit that ends within a minute', () => {
  it('keeps other workspaces of the account from running into it', async () => {
    const workspace = await started([limited('10:00:30'), honest])
    expect(workspace.loop.next.state).toBe('parked')
    const others = [await started([honest], workspace), await started([honest], workspace)]
    expect(others.map(({ loop }) => loop.next.state)).toEqual(['parked', 'parked'])
    expect(others.map(attempts)).toEqual([0, 0])
    await Promise.all([workspace, ...others].map(({ loop }) => loop.stop()))
  })
})

describe('workspaces on one account', () => {
  const untilMs = 1_000_000
  function lot() {
    const clock = { nowMs: () => nowMs }
    let nowMs = 0
    const moved: string[][] = []
    const parking = createParkingLot(clock, (ids) => moved.push([...ids]))
    parking.park('work', 'a', untilMs, 'Closed.')
    return {
      parking,
      moved,
      at: (ms: number) => {
        nowMs = ms
      },
      keeps: (workspace: string) => parking.keeps('work', workspace)?.untilMs ?? null,
    }
  }

  it('wait together; those on another account do not wait', () => {
    const { parking, keeps } = lot()
    expect(['a', 'b'].map(keeps)).toEqual([untilMs, untilMs])
    expect(parking.keeps('private', 'a')).toBeNull()
  })

  it('let the first one after the reset try the account, and follow at intervals once it has answered', () => {
    const { parking, keeps, at, moved } = lot()
    at(untilMs)
    expect(['a', 'b', 'c'].map(keeps)).toEqual([null, null, null])
    parking.begins('work', 'b')
    expect(keeps('b')).toBeNull()
    expect(parking.keeps('work', 'a')?.reason).toBe(
      'Waits for b, which tries the account first after its limit.',
    )
    expect(keeps('c')).toBeGreaterThan(untilMs)
    at(untilMs + 60_000)
    parking.ends('work', 'b', true)
    expect(moved.at(-1)).toEqual(expect.arrayContaining(['a', 'c']))
    expect(['c', 'a'].map(keeps)).toEqual([null, untilMs + 80_000])
    at(untilMs + 80_000)
    expect(keeps('a')).toBeNull()
  })

  it('wait again if the first one meets the limit again', () => {
    const { parking, keeps, at } = lot()
    at(untilMs)
    parking.begins('work', 'b')
    parking.park('work', 'b', 2 * untilMs, 'Closed again.')
    parking.ends('work', 'b', false)
    expect(['a', 'b', 'c'].map(keeps)).toEqual([2 * untilMs, 2 * untilMs, 2 * untilMs])
  })

  it('let the next one try if the first did not use the account', () => {
    const { parking, keeps, at } = lot()
    at(untilMs)
    parking.begins('work', 'b')
    parking.ends('work', 'b', false)
    expect(keeps('a')).toBeNull()
    parking.begins('work', 'a')
    expect(keeps('b')).toBeGreaterThan(untilMs)
  })

  it("do not mistake the end of an attempt that began before the limit for the limit's end", () => {
    const { parking, keeps } = lot()
    parking.ends('work', 'b', true)
    expect(keeps('a')).toBe(untilMs)
  })

  it('are not blocked forever by one whose attempt never ends', () => {
    const { parking, keeps, at } = lot()
    at(untilMs)
    parking.begins('work', 'b')
    at(untilMs + 3 * HOUR)
    expect(keeps('a')).toBeNull()
  })

  it('all follow within ten minutes, however many they are', () => {
    const { parking, keeps, at } = lot()
    at(untilMs)
    parking.begins('work', 'a')
    parking.ends('work', 'a', true)
    const turns = Array.from({ length: 1000 }, (_, index) => keeps(`w${index}`) ?? untilMs)
    expect(Math.max(...turns) - untilMs).toBeLessThan(600_000)
  })
})

describe('a workspace with a share of its account’s window', () => {
  /** The account after a five-hour window that held 1000 tokens, half an hour into the next one. */
  function inFreshWindow() {
    let nowMs = 0
    const parking = createParkingLot({ nowMs: () => nowMs })
    const at = (hours: number): void => {
      nowMs = hours * HOUR
    }
    const attempt = (workspace: string, tokens: number): void => {
      parking.begins('work', workspace)
      parking.used('work', workspace, tokens)
      parking.ends('work', workspace, true)
    }
    parking.park('work', 'greedy', HOUR, 'Closed.')
    at(1)
    attempt('greedy', 700)
    attempt('other', 300)
    at(4)
    parking.begins('work', 'greedy')
    parking.park('work', 'greedy', 6 * HOUR, 'Closed.')
    parking.ends('work', 'greedy', false)
    at(6)
    return { parking, at, attempt }
  }

  it('must wait once it has used its share, until the window is over; the others need not', () => {
    const { parking, at, attempt } = inFreshWindow()
    attempt('greedy', 499)
    expect(parking.keeps('work', 'greedy', 0.5)).toBeNull()
    attempt('greedy', 1)
    expect(parking.keeps('work', 'greedy', 0.5)).toMatchObject({
      untilMs: 11 * HOUR,
      isClosed: false,
      reason: expect.stringContaining('share'),
    })
    expect(parking.keeps('work', 'greedy')).toBeNull()
    at(6.1)
    expect(parking.keeps('work', 'other', 0.5)).toBeNull()
    at(11)
    expect(parking.keeps('work', 'greedy', 0.5)).toBeNull()
    attempt('greedy', 10)
    expect(parking.keeps('work', 'greedy', 0.5)).toBeNull()
  })

  it('need not wait while the size of a window is unknown', () => {
    const parking = createParkingLot({ nowMs: () => 2 * HOUR })
    parking.park('work', 'greedy', HOUR, 'Closed.')
    parking.begins('work', 'greedy')
    parking.used('work', 'greedy', 1_000_000)
    parking.ends('work', 'greedy', true)
    expect(parking.keeps('work', 'greedy', 0.1)).toBeNull()
  })

  it('learns nothing from a limit that lasts for days', () => {
    const { parking, at, attempt } = inFreshWindow()
    attempt('greedy', 5000)
    parking.begins('work', 'greedy')
    parking.park('work', 'greedy', 100 * HOUR, 'Closed for the week.')
    at(100)
    attempt('greedy', 500)
    expect(parking.keeps('work', 'greedy', 0.5)?.untilMs).toBe(105 * HOUR)
  })

  it('waits between two tasks of one heartbeat, and at the next one', async () => {
    const usage = (tokens: number) => ({
      stdout: honest.stdout,
      events: [{ kind: 'usage' as const, usage: { inputTokens: tokens, ...NOTHING_ELSE } }],
    })
    const workspace = await supervise({
      contract: `${contract}- [ ] more | And again | required | verify: mail_count\n`,
      toml: `${toml}[agent]\ncommand = ["agent"]\naccount = "work"\nwindow_share = 0.25\n`,
      probes: { mail_count: 3 },
      runs: [limited('11:00'), usage(600), usage(400), limited('16:00'), usage(300), usage(300)],
    })
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: true })
    await loop.start()
    await expect.poll(() => loop.next.state).toBe('parked')
    await workspace.clock.advance(HOUR)
    await expect.poll(() => workspace.prompts).toHaveLength(3)
    await workspace.clock.advance(HOUR)
    await expect.poll(() => loop.next.state).toBe('parked')
    await workspace.clock.advance(4 * HOUR)
    await expect.poll(() => workspace.prompts).toHaveLength(5)
    expect(loop.next).toMatchObject({
      dueMs: Date.parse('2026-11-20T21:00+01:00'),
      reason: expect.stringContaining('window_share'),
    })
    await loop.stop()
  })
})
