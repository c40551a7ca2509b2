import { describe, expect, it } from 'vitest'
import type { EventBody } from '../../../core/record/events.ts'
import { cycleStarted } from '../../../core/record/testing/sample-events.ts'
import { withSteps } from '../../ports/ledger.ts'
import { report, supervise } from '../testing/supervised-workspace.ts'
import { createWorkspaceLoop } from './workspace-loop.ts'

const contract = '## Tasks\n- [ ] mail | Count the mail | required | verify: mail_count\n'
const toml = '[probes.mail_count]\nfile = "mail"\nparse = "number"\n'
const honest = { stdout: report('mail', { status: 'done', claims: { mail_count: 3 } }) }
const liar = { stdout: report('mail', { status: 'done', claims: { mail_count: 9 } }) }
const minutes = (count: number): number => count * 60_000
const berlin = (time: string): string => `2026-11-20T${time}:00.000+01:00`

describe('a workspace loop', () => {
  it('runs at once, then after each interval, counted from the end of the last cycle', async () => {
    const workspace = await supervise({ contract, toml, probes: { mail_count: 3 }, runs: [honest] })
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: true })
    await loop.start()
    await workspace.clock.sleeping()
    expect(workspace.ledger.state.progress.cycleCount).toBe(1)

    // +10 of 50 is below a quarter of the target: a warning, which does not change the interval.
    await workspace.clock.advance(minutes(15) - 1)
    expect(workspace.ledger.state.progress.cycleCount).toBe(1)
    await workspace.clock.advance(1)
    expect(workspace.ledger.state.progress.cycleCount).toBe(2)
    await loop.stop()
  })

  it('runs sooner after an agent lied, and says why', async () => {
    const workspace = await supervise({ contract, toml, probes: { mail_count: 0 }, runs: [liar] })
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: true })
    await loop.start()
    await workspace.clock.sleeping()
    expect(workspace.ledger.state.score.today.score).toBe(-45)
    expect(loop.standing).toMatchObject({ penalty: 'lockdown', intervalMinutes: 8 })
    expect(loop.next.reason).toMatch(/ended at 10:00\. .*8 minutes/)
    await workspace.clock.advance(minutes(8))
    expect(workspace.ledger.state.progress.cycleCount).toBe(2)
    await loop.stop()
  })

  it('closes a heartbeat whose end could not be recorded before beginning the next', async () => {
    const { ports, ledger } = await supervise({ contract, toml, probes: { mail_count: 3 }, runs: [honest] })
    let isFull = false
    let isFreed = false
    const fails = (events: readonly EventBody[]): readonly EventBody[] => {
      if (events.some(({ type }) => type === 'attempt-finished')) isFull = !isFreed
      if (isFull) throw new Error('disk full')
      return events
    }
    const failing = withSteps(ledger, () => [{ mark: fails }])
    const loop = createWorkspaceLoop({ ...ports, ledger: failing }, { scheduled: false })
    await loop.start()
    await expect(loop.runNow()).rejects.toThrow('disk full')
    expect(ledger.state.running).not.toBeNull()
    expect(loop.next.state).not.toBe('running')

    isFreed = true
    isFull = false
    expect((await loop.runNow()).attempts).toMatchObject([{ verdict: 'verified' }])
    expect(ledger.state.running).toBeNull()
    expect(ledger.state.score.today.score).toBe(10)
    await loop.stop()
  })

  it('collapses the heartbeats missed while the machine slept into one catch-up run', async () => {
    const workspace = await supervise({ contract, toml, probes: { mail_count: 3 }, runs: [honest] })
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: true })
    await loop.start()
    await workspace.clock.sleeping()
    await workspace.clock.jump(minutes(100))
    const { heartbeats, progress } = workspace.ledger.state
    expect(progress.cycleCount).toBe(2)
    expect(heartbeats.map(({ state, count }) => ({ state, count }))).toEqual([
      { state: 'done', count: 1 },
      { state: 'missed', count: 6 },
      { state: 'done', count: 1 },
    ])
    await loop.stop()
  })

  it('records what it missed while the supervisor itself was not running', async () => {
    const first = await supervise({ contract, toml, probes: { mail_count: 3 }, runs: [honest] })
    const loop = createWorkspaceLoop(first.ports, { scheduled: true })
    await loop.start()
    await first.clock.sleeping()
    await loop.stop()
    await first.ledger.close()

    const later = await supervise({
      contract,
      toml,
      probes: { mail_count: 3 },
      runs: [honest],
      start: '2026-11-20T11:00',
      directory: first.ports.directory,
    })
    const restarted = createWorkspaceLoop(later.ports, { scheduled: true })
    await restarted.start()
    await later.clock.sleeping()
    expect(later.ledger.state.heartbeats[1]).toMatchObject({ state: 'missed', at: berlin('10:15'), count: 4 })
    expect(later.ledger.state.progress.cycleCount).toBe(2)
    await restarted.stop()
  })

  it('continues at once, then as usual, after the machine started with a future date', async () => {
    const first = await supervise({
      contract,
      toml,
      probes: { mail_count: 3 },
      runs: [honest],
      start: '2031-01-01T10:00',
    })
    const loop = createWorkspaceLoop(first.ports, { scheduled: true })
    await loop.start()
    await first.clock.sleeping()
    await first.ledger.append({ type: 'heartbeat-skipped', dueAt: berlin('10:00'), reason: 'idle' })
    await loop.stop()
    await first.ledger.close()

    const { directory } = first.ports
    const later = await supervise({ contract, toml, probes: { mail_count: 3 }, runs: [honest], directory })
    const restarted = createWorkspaceLoop(later.ports, { scheduled: true })
    await restarted.start()
    await later.clock.sleeping()
    expect(later.ledger.state.progress.cycleCount).toBe(2)
    await later.clock.advance(minutes(14))
    expect(later.ledger.state.progress.cycleCount).toBe(2)
    await later.clock.advance(minutes(6))
    expect(later.ledger.state.progress.cycleCount).toBe(3)
    await restarted.stop()
  })

  it('does not wait too long if the clock is set back while it sleeps', async () => {
    const workspace = await supervise({ contract, toml, probes: { mail_count: 3 }, runs: [honest] })
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: true })
    await loop.start()
    await workspace.clock.sleeping()
    workspace.clock.setBack(minutes(48 * 60))
    await workspace.clock.advance(minutes(1))
    expect(workspace.ledger.state.progress.cycleCount).toBe(2)
    await workspace.clock.advance(minutes(10))
    expect(workspace.ledger.state.progress.cycleCount).toBe(2)
    await loop.stop()
  })

  it('records the heartbeat that a pause skips, once, and runs when resumed', async () => {
    const workspace = await supervise({ contract, toml, probes: { mail_count: 3 }, runs: [honest] })
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: true })
    await loop.start()
    await workspace.clock.sleeping()
    await workspace.ledger.append({ type: 'paused', until: null })
    await loop.refresh()
    expect(loop.next).toMatchObject({ dueMs: null, state: 'none', reason: 'Paused until resumed.' })
    await workspace.clock.advance(minutes(40))
    expect(workspace.ledger.state.progress.cycleCount).toBe(1)
    expect(workspace.ledger.state.heartbeats.filter(({ state }) => state === 'skipped')).toHaveLength(1)

    await workspace.ledger.append({ type: 'resumed' })
    await loop.refresh()
    await workspace.clock.advance(1)
    expect(workspace.ledger.state.progress.cycleCount).toBe(2)
    await loop.stop()
  })

  it('does not run a heartbeat that was paused while waiting for its place, unless it was started by hand', async () => {
    const workspace = await supervise({ contract, toml, probes: { mail_count: 3 }, runs: [honest] })
    let give = (): void => {}
    const place = new Promise<void>((resolve) => {
      give = resolve
    })
    const withSlot: typeof workspace.ports.withSlot = (work) => place.then(work)
    const loop = createWorkspaceLoop({ ...workspace.ports, withSlot }, { scheduled: true })
    await loop.start()
    expect(loop.next).toMatchObject({
      state: 'due',
      reason: 'Waits for a running heartbeat of another workspace to end.',
    })
    await workspace.ledger.append({ type: 'paused', until: null })
    await loop.refresh()
    expect(loop.next).toMatchObject({ state: 'none', reason: 'Paused until resumed.' })
    give()
    await workspace.clock.sleeping()
    expect(workspace.ledger.state.progress.cycleCount).toBe(0)

    expect((await loop.runNow()).attempts).toMatchObject([{ verdict: 'verified' }])
    await loop.stop()
  })

  it('calls a heartbeat late that has not started within a minute', async () => {
    const workspace = await supervise({ contract, toml, probes: { mail_count: 3 }, runs: [honest] })
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: false })
    await loop.start()
    await loop.runNow()
    // Nothing else sleeps, and the clock advances only for sleepers.
    void workspace.clock.sleep(minutes(60))
    expect(loop.next.state).toBe('waiting')
    await workspace.clock.advance(minutes(16))
    expect(loop.next.state).toBe('due')
    await workspace.clock.advance(1)
    expect(loop.next.state).toBe('late')
    await loop.stop()
  })

  it('notifies the operator when a heartbeat cannot run, and tries again', async () => {
    const workspace = await supervise({ contract, toml, probes: { mail_count: 3 }, runs: [honest] })
    const { readContract } = workspace.ports
    let failures = 0
    const full = async () => {
      if (failures++ > 0) return readContract()
      throw new Error('Cannot write the ledger: the disk is full')
    }
    const loop = createWorkspaceLoop({ ...workspace.ports, readContract: full }, { scheduled: true })
    await loop.start()
    await workspace.clock.sleeping()
    expect(workspace.notifications).toMatchObject([
      {
        title: 'w: the heartbeat could not run',
        body: expect.stringMatching(/^Cannot write the ledger: the disk is full\. No heartbeat runs/),
      },
    ])
    await workspace.clock.advance(minutes(1))
    expect(workspace.ledger.state.progress.cycleCount).toBe(1)
    await loop.stop()
  })

  it('waits for the active hours', async () => {
    const workspace = await supervise({
      contract,
      toml: `${toml}[heartbeat]\ntimezone = "Europe/Berlin"\nactive_hours = "12:00-13:00"\n`,
      probes: { mail_count: 3 },
      runs: [honest],
    })
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: true })
    await loop.start()
    await workspace.clock.advance(minutes(119))
    expect(workspace.ledger.state.progress.cycleCount).toBe(0)
    await workspace.clock.advance(minutes(1))
    expect(workspace.ledger.state.progress.cycleCount).toBe(1)
    await loop.stop()
  })

  it('refuses a second cycle while one runs', async () => {
    const workspace = await supervise({ contract, toml, runs: [{ until: new Promise(() => {}) }] })
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: false })
    await loop.start()
    const running = loop.runNow()
    await expect(loop.runNow()).rejects.toMatchObject({ kind: 'conflict' })
    await loop.stop()
    await expect(running).resolves.toMatchObject({ cycle: 1 })
  })

  it('ends a running attempt when it stops, without a verdict or a back-off', async () => {
    const workspace = await supervise({ contract, toml, runs: [{ until: new Promise(() => {}) }] })
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: false })
    await loop.start()
    const running = loop.runNow()
    await workspace.agentStarted
    await loop.stop()
    const { attempts } = await running
    expect(attempts).toMatchObject([{ verdict: null, fault: 'environment', points: 0 }])
    expect(workspace.ledger.state).toMatchObject({ running: null, backoff: null })
    expect(workspace.ledger.state.progress.tasks.mail?.attempts).toBe(0)
  })

  it('ends a run when the operator says so: claims made by then do not score, and the next heartbeat runs on time', async () => {
    const lying = { ...liar, until: new Promise<void>(() => {}) }
    const two = `${contract}- [ ] post | Send the post | required | verify: mail_count\n`
    const workspace = await supervise({ contract: two, toml, probes: { mail_count: 0 }, runs: [lying] })
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: true })
    await loop.start()
    await workspace.agentStarted
    const { attemptId } = workspace.ledger.state.running?.attempt ?? { attemptId: '' }
    await expect(loop.stopNow('another')).rejects.toMatchObject({ kind: 'conflict' })
    await loop.stopNow(attemptId)
    const { score, attempts, backoff, running, progress } = workspace.ledger.state
    expect(score.today.score).toBe(0)
    expect(attempts).toMatchObject([{ taskId: 'mail', outcome: 'stopped', verdict: null, points: 0 }])
    expect([backoff, running, progress.tasks.mail?.attempts]).toEqual([null, null, 0])
    await expect(loop.stopNow()).rejects.toMatchObject({ kind: 'conflict' })
    expect(loop.next.reason).toMatch(/15 minutes/)
    await loop.stop()
  })

  it('changes the day at midnight with nothing else to record', async () => {
    const workspace = await supervise({
      contract,
      toml: `${toml}[heartbeat]\ntimezone = "Europe/Berlin"\nactive_hours = "10:00-11:00"\n`,
      probes: { mail_count: 3 },
      runs: [honest],
      start: '2026-11-20T10:50',
    })
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: true })
    await loop.start()
    await workspace.clock.sleeping()
    await workspace.clock.advance(minutes(14 * 60))
    expect(workspace.ledger.state.score).toMatchObject({
      today: { date: '2026-11-21', score: 0 },
      history: [{ date: '2026-11-20', score: 10 }],
    })
    await loop.stop()
  })

  it('begins a new day when it is opened, without a heartbeat', async () => {
    const workspace = await supervise({ contract, toml, probes: { mail_count: 3 }, runs: [honest] })
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: false })
    await loop.start()
    await loop.runNow()
    await loop.stop()
    // Nothing else sleeps, and the clock advances only for sleepers.
    void workspace.clock.sleep(minutes(48 * 60))
    await workspace.clock.advance(minutes(24 * 60))
    const later = createWorkspaceLoop(workspace.ports, { scheduled: false })
    await later.start()
    expect(workspace.ledger.state.score).toMatchObject({
      today: { date: '2026-11-21', score: 0 },
      history: [{ date: '2026-11-20', score: 10 }],
    })
  })

  it('closes an attempt that a crash left open: no verdict, nothing scored', async () => {
    const workspace = await supervise({ contract, toml, runs: [honest] })
    await workspace.ledger.append(cycleStarted(1, { contractHash: '' }), {
      type: 'attempt-started',
      attemptId: '1-1-lost',
      cycle: 1,
      taskId: 'mail',
      agentId: 'agent',
      timeoutSeconds: 120,
      required: true,
    })
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: false })
    await loop.start()
    expect(workspace.ledger.state.running).toBeNull()
    expect(workspace.ledger.state.attempts).toMatchObject([
      { attemptId: '1-1-lost', verdict: null, fault: 'environment' },
    ])
    expect(workspace.ledger.state.score.today.score).toBe(0)
  })
})

describe('a laptop on battery', () => {
  const contractOfOne = '## Tasks\n- [ ] a | Do a | required\n'
  const untilPower = `[heartbeat]\ntimezone = "Europe/Berlin"\npause_on_battery = true\n`

  it('begins no heartbeat until it is plugged in again, and records the skipped ones', async () => {
    const workspace = await supervise({ contract: contractOfOne, toml: untilPower, runs: [{}] })
    workspace.isOnBattery = true
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: true })
    await loop.start()
    await workspace.clock.sleeping()
    await workspace.clock.advance(60 * 60_000)
    expect(workspace.prompts).toEqual([])
    expect(loop.next).toMatchObject({ dueMs: null, reason: 'On battery: waiting for power.' })
    expect(workspace.ledger.state.heartbeats[0]).toMatchObject({ state: 'skipped', detail: 'On battery' })
    workspace.isOnBattery = false
    await workspace.clock.advance(30_000)
    expect(workspace.prompts).toHaveLength(1)
    await loop.stop()
  })

  it('keeps running if the operator has not decided', async () => {
    const workspace = await supervise({ contract: contractOfOne, runs: [{}] })
    workspace.isOnBattery = true
    const loop = createWorkspaceLoop(workspace.ports, { scheduled: true })
    await loop.start()
    await workspace.clock.sleeping()
    expect(workspace.prompts).toHaveLength(1)
    await loop.stop()
  })
})
