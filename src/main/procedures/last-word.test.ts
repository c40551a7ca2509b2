import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { timestamp } from '../../core/pacing/schedule.ts'
import type { RunReport } from '../../core/read-model/attempt.ts'
import type { AttemptResult, EventBody } from '../../core/record/events.ts'
import { cycleStarted, doneClaim } from '../../core/record/testing/sample-events.ts'
import type { Verdict } from '../../core/vocabulary/verdict.ts'
import { finishedAttempt } from '../ledger/testing/sample-events.ts'
import { type TemporaryHost, temporaryHost } from '../testing/temporary-host.ts'

/*
 * The operator's word over an attempt, and the heartbeats after it: a real host, and agents that write and report what they are given.
 */

const CONTRACT =
  '## Tasks\n\n- [ ] note | Sum up the mail | required | verify: good summary | max_attempts: 9\n'
const CONFIGURATION =
  '[agent]\nid = "claude"\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[heartbeat]\ntimezone = "Europe/Berlin"\n'
const INBOX = 'notes/inbox.md'

interface Turn {
  /** What the agent's shell does before it reports. */
  readonly does?: string
  readonly claim?: Record<string, unknown>
}

interface Workspace {
  readonly host: TemporaryHost
  heartbeat(turn?: Turn): Promise<RunReport['attempts'][number]>
}

async function workspaceWith(events: readonly EventBody[] = []): Promise<Workspace> {
  const host = await temporaryHost({ w: { contract: CONTRACT, configuration: CONFIGURATION, events } })
  onTestFinished(() => host.remove())
  return {
    host,
    heartbeat: async ({ does = ':', claim = {} } = {}) => {
      const report = JSON.stringify({ task_id: 'note', status: 'done', ...claim })
      const script = `cat > /dev/null\n${does}\nprintf '%s\\n' '\`\`\`heartbeat-report' '${report}' '\`\`\`'\n`
      await writeFile(join(host.root, 'agent.sh'), script)
      const { attempts } = (await host.client.heartbeat.run({ wait: true })) as RunReport
      const [attempt] = attempts
      if (attempt === undefined) throw new Error('The task did not run')
      return attempt
    },
  }
}

const WRITES: Turn = { does: `mkdir -p notes; echo mail >> ${INBOX}`, claim: { files: [INBOX] } }
const NAMES: Turn = { claim: { files: [INBOX] } }
const PAID = { verdict: 'verified', points: 10 }
const STANDS = { verdict: 'verified', points: 0, groundTruthContradiction: false }
const REFUTED = { verdict: 'not_verified', points: -15, groundTruthContradiction: false }
const CONTRADICTED = { verdict: 'not_verified', points: -45, groundTruthContradiction: true }

const overrule = ({ host }: Workspace, id: string, verdict: Verdict) =>
  host.client.attempts.overrule({ id, verdict, reason: 'I looked' })

describe('an attempt overruled to not verified', () => {
  it('leaves nothing that a liar could say again: done is a false completion, and its file a contradiction', async () => {
    const workspace = await workspaceWith()
    const liar = await workspace.heartbeat(WRITES)
    expect(liar).toMatchObject(PAID)
    await overrule(workspace, liar.attemptId, 'not_verified')
    const again = await workspace.heartbeat()
    expect(again).toMatchObject(REFUTED)
    expect(again.interventions.map(({ event_type }) => event_type)).toContain('false_completion_detected')
    expect(await workspace.heartbeat(NAMES)).toMatchObject(CONTRADICTED)
  })

  it('pays the honest one that does it anew, whose work stands from then on', async () => {
    const workspace = await workspaceWith()
    const { attemptId } = await workspace.heartbeat(WRITES)
    await overrule(workspace, attemptId, 'not_verified')
    expect(await workspace.heartbeat(WRITES)).toMatchObject(PAID)
    expect(await workspace.heartbeat()).toMatchObject(STANDS)
  })

  it('takes nothing from work that was done anew before it was overruled', async () => {
    const workspace = await workspaceWith()
    const { attemptId } = await workspace.heartbeat(WRITES)
    expect(await workspace.heartbeat(WRITES)).toMatchObject(PAID)
    await overrule(workspace, attemptId, 'not_verified')
    expect(await workspace.heartbeat(NAMES)).toMatchObject(STANDS)
  })
})

describe('an attempt overruled to verified', () => {
  it('stands heartbeat after heartbeat for the honest one, where the work left a file and where it left none', async () => {
    const workspace = await workspaceWith()
    const honest = await workspace.heartbeat()
    expect(honest).toMatchObject(REFUTED)
    await overrule(workspace, honest.attemptId, 'verified')
    for (let again = 0; again < 3; again += 1) expect(await workspace.heartbeat()).toMatchObject(STANDS)
  })

  it('lets it name the file that a refuted attempt had left', async () => {
    const workspace = await workspaceWith()
    const claim = { files: [INBOX, 'notes/none.md'] }
    const honest = await workspace.heartbeat({ ...WRITES, claim })
    expect(honest).toMatchObject(CONTRADICTED)
    await overrule(workspace, honest.attemptId, 'verified')
    expect(await workspace.heartbeat(NAMES)).toMatchObject(STANDS)
    expect(await workspace.heartbeat()).toMatchObject(STANDS)
  })

  it('does not cover a liar once the file is no longer what the operator saw, nor a file that it never had', async () => {
    const workspace = await workspaceWith()
    const { attemptId } = await workspace.heartbeat({ ...WRITES, claim: { files: [INBOX, 'notes/none.md'] } })
    await overrule(workspace, attemptId, 'verified')
    expect(await workspace.heartbeat({ claim: { files: ['notes/other.md'] } })).toMatchObject(CONTRADICTED)
    await overrule(workspace, attemptId, 'unclear')
    await overrule(workspace, attemptId, 'verified')
    await rm(join(workspace.host.folder('w'), INBOX))
    expect(await workspace.heartbeat()).toMatchObject(REFUTED)
  })

  it('covers a named folder for as long as what the agent wrote there is what the operator saw', async () => {
    const workspace = await workspaceWith()
    const { attemptId } = await workspace.heartbeat({ ...WRITES, claim: { files: ['notes/'] } })
    await overrule(workspace, attemptId, 'unclear')
    await overrule(workspace, attemptId, 'verified')
    expect(await workspace.heartbeat()).toMatchObject(STANDS)
    await rm(join(workspace.host.folder('w'), INBOX))
    expect(await workspace.heartbeat()).toMatchObject(REFUTED)
  })

  it('covers a deletion for as long as the file is gone', async () => {
    const workspace = await workspaceWith()
    const old = join(workspace.host.folder('w'), 'old.md')
    await writeFile(old, 'old')
    const { attemptId } = await workspace.heartbeat({ does: 'rm old.md' })
    await overrule(workspace, attemptId, 'not_verified')
    await overrule(workspace, attemptId, 'verified')
    expect(await workspace.heartbeat()).toMatchObject(STANDS)
    await writeFile(old, 'old')
    expect(await workspace.heartbeat()).toMatchObject(REFUTED)
  })
})

/** A workspace whose first attempts ended like this, without a host that saw them. */
function workspaceAfter(...results: readonly Partial<AttemptResult>[]): Promise<Workspace> {
  const task = {
    id: 'note',
    description: 'Sum up the mail',
    verify: 'good summary',
    required: true,
    maxAttempts: 9,
    checked: false,
    criteria: [],
    line: 3,
  }
  return workspaceWith([
    { type: 'contract-read', hash: 'h', tasks: [task] },
    cycleStarted(1, { trigger: 'manual', contractHash: 'h' }),
    ...results.map((result, index) =>
      finishedAttempt(`a-${index + 1}`, {
        taskId: task.id,
        description: task.description,
        verify: task.verify,
        startedAt: timestamp(Date.now(), 'local'),
        verdict: 'unclear',
        points: 0,
        claim: CLAIM,
        ...result,
      }),
    ),
    { type: 'cycle-finished', cycle: 1, ending: 'completed' },
  ])
}

const CLAIM = doneClaim(INBOX)

function held(id: string): Partial<AttemptResult> {
  return {
    held: {
      id,
      because: 'dependencies',
      files: [INBOX],
      inPlace: { verdict: 'verified', reasons: [] },
      cleanRoom: { verdict: null, reasons: [] },
      with: null,
    },
  }
}

describe('held work', () => {
  it('accepted, is done for the honest one at the next heartbeat too', async () => {
    const workspace = await workspaceAfter(held('a-1'))
    await workspace.host.client.review.answer({ id: 'a-1', answer: 'accept' })
    expect(await workspace.heartbeat()).toMatchObject(STANDS)
  })

  it('refused, is no work that a liar could claim again', async () => {
    const workspace = await workspaceAfter(held('a-1'))
    await workspace.host.client.review.answer({ id: 'a-1', answer: 'refuse' })
    expect(await workspace.heartbeat(NAMES)).toMatchObject(CONTRADICTED)
  })

  it('overruled, counts as the verdict that the operator gave it, and takes nothing from what never counted', async () => {
    const { host } = await workspaceAfter(held('a-1'))
    const { client } = host
    // The day of the attempt, which midnight may have ended meanwhile.
    const day = async () => {
      const { today, history } = await client.score.history({})
      return [today, ...history].find(({ overruledCount }) => overruledCount > 0)
    }
    const verified = { id: 'a-1', verdict: 'verified', reason: 'I looked' } as const
    expect(await client.attempts.overrule(verified)).toMatchObject({ delta: 10 })
    expect(await client.score.get({})).toMatchObject({ held: 0 })
    expect(await day()).toMatchObject({
      score: 10,
      verifiedCount: 1,
      unclearCount: 0,
      judgedCount: 1,
      overruledCount: 1,
    })
    const { overruled } = await client.attempts.get({ id: 'a-1' })
    expect(overruled).toMatchObject({ from: 'unclear' })
    await client.attempts.overrule({ id: 'a-1', verdict: 'not_verified', reason: 'I looked again' })
    expect(await day()).toMatchObject({
      score: -15,
      verifiedCount: 0,
      failedCount: 1,
      unclearCount: 0,
      judgedCount: 1,
    })
  })

  it.each([
    ['holds a comma, is allowed no more once that is taken back', '', ['a, b.md'], []],
    ['cannot be allowed, is accepted, and the answer says so', '\xe9', [], [{ path: 'HEARTBEAT.md' }]],
  ])('accepted always, whose file %s', async (_, end, mayChange, failed) => {
    const waits = held('a-1').held
    if (waits == null) throw new Error('Nothing is held')
    const { host } = await workspaceAfter({ held: { ...waits, because: 'clean-room', files: ['a, b.md'] } })
    const contract = join(host.folder('w'), 'HEARTBEAT.md')
    // A contract that is not UTF-8 is read, and not written.
    await writeFile(contract, CONTRACT + end, 'latin1')
    const { review } = host.client
    expect(await review.answer({ id: 'a-1', answer: 'accept', always: true })).toMatchObject({
      answered: ['a-1'],
      delta: 10,
      mayChange,
      failed,
    })
    expect(await review.list({})).toEqual({ held: [] })
    expect(await review.undo({ id: 'a-1' })).toMatchObject({ answered: ['a-1'], mayChange: [], failed: [] })
    expect(await readFile(contract, 'latin1')).toBe(CONTRACT + end)
  })

  it('refused as rigged twice, opens the circuit breaker, and not where it was only refused, or the answer taken back', async () => {
    const { host } = await workspaceAfter(held('a-1'), held('a-2'), held('a-3'))
    const { review, agents } = host.client
    const breaker = async () => (await agents.list({}))[0]?.breaker
    await review.answer({ id: 'a-1', answer: 'refuse', rigged: true })
    await review.undo({ id: 'a-1' })
    await review.answer({ id: 'a-1', answer: 'refuse' })
    await review.answer({ id: 'a-2', answer: 'refuse', rigged: true })
    expect(await breaker()).toMatchObject({ state: 'closed' })
    await review.answer({ id: 'a-3', answer: 'refuse', rigged: true })
    expect(await breaker()).toMatchObject({ state: 'open' })
  })

  it('no longer rigged, hides no lie from the circuit breaker; rigged again, it is no further one', async () => {
    const workspace = await workspaceAfter(held('a-1'), held('a-2'))
    const { review, agents } = workspace.host.client
    const breaker = async () => (await agents.list({}))[0]?.breaker
    await review.answer({ id: 'a-1', answer: 'refuse', rigged: true })
    await review.answer({ id: 'a-2', answer: 'refuse', rigged: true })
    await review.undo({ id: 'a-2' })
    await review.answer({ id: 'a-2', answer: 'refuse', rigged: true, reason: 'I looked again' })
    expect(await breaker()).toMatchObject({ state: 'open' })
    await review.undo({ id: 'a-2' })
    await review.answer({ id: 'a-2', answer: 'refuse' })
    expect(await breaker()).toMatchObject({ state: 'open' })
    expect(await workspace.heartbeat()).toMatchObject(REFUTED)
    expect(await breaker()).toMatchObject({ state: 'tripped' })
  })
})

describe('an attempt overruled to unclear', () => {
  it.each<[string, Partial<AttemptResult>, number]>([
    ['costs the agent 2 points where it had been verified', { verdict: 'verified', points: 10 }, -2],
    ['costs the agent 2 points where the fault was its own', { fault: 'agent', points: -2 }, -2],
    ['costs nothing where the contract was at fault', { fault: 'contract' }, 0],
    ['costs nothing where the environment stopped it', { verdict: null, fault: 'environment' }, 0],
    ['costs nothing where it was ended at its limit', { fault: 'limit' }, 0],
    [
      'costs nothing where an optional task was skipped',
      { verdict: null, skipped: true, required: false },
      0,
    ],
    ['costs nothing where the work was held', held('a-1'), 0],
  ])('%s', async (_, result, points) => {
    const workspace = await workspaceAfter(result)
    const { points: before = 0 } = result
    expect((await overrule(workspace, 'a-1', 'not_verified')).delta).toBe(-15 - before)
    expect((await overrule(workspace, 'a-1', 'unclear')).delta).toBe(points + 15)
  })
})
