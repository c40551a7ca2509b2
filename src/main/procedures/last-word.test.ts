import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RunReport } from '../../core/read-model/attempt.ts'
import type { AttemptResult, EventBody } from '../../core/record/events.ts'
import type { Verdict } from '../../core/vocabulary/verdict.ts'
import { finishedAttempt } from '../ledger/testing/sample-events.ts'
import { type TemporaryHost, temporaryHost } from '../testing/temporary-host.ts'

/*
 * The operator's word over an attempt, and the heartbeats after it: a real host, and agents that write and report what they are given.
 */

const CONTRACT =
  '## Tasks\n\n- [ ] note | Sum up the mail | required | verify: good summary | max_attempts: 9\n'
const CONFIGURATION = '[agent]\ncommand = ["sh", "../agent.sh"]\n[heartbeat]\ntimezone = "Europe/Berlin"\n'
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
})

describe('held work', () => {
  const held = {
    id: 'a-1',
    because: 'dependencies' as const,
    files: [INBOX],
    inPlace: { verdict: 'verified' as const, reasons: [] },
    cleanRoom: { verdict: null, reasons: [] },
    with: null,
  }
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
  const claim: AttemptResult['claim'] = {
    status: 'done',
    values: {},
    files: [{ path: INBOX }],
    evidence: [],
    exitSignal: null,
    source: 'report',
    notes: [],
  }
  const waiting = async (): Promise<Workspace> => {
    const workspace = await workspaceWith([
      { type: 'contract-read', hash: 'h', tasks: [task] },
      {
        type: 'cycle-started',
        cycle: 1,
        trigger: 'manual',
        dueAt: null,
        contractHash: 'h',
        forceAllRequired: false,
        contradictedTasks: [],
      },
      finishedAttempt('a-1', {
        agentId: 'agent',
        taskId: 'note',
        description: task.description,
        verify: task.verify,
        verdict: 'unclear',
        fault: null,
        points: 0,
        claim,
        filesChanged: [INBOX],
        filesChangedCount: 1,
        held,
      }),
      { type: 'cycle-finished', cycle: 1, ending: 'completed' },
    ])
    return workspace
  }

  it('accepted, is done for the honest one at the next heartbeat too', async () => {
    const workspace = await waiting()
    await workspace.host.client.review.answer({ id: 'a-1', answer: 'accept' })
    expect(await workspace.heartbeat()).toMatchObject(STANDS)
  })

  it('refused, is no work that a liar could claim again', async () => {
    const workspace = await waiting()
    await workspace.host.client.review.answer({ id: 'a-1', answer: 'refuse' })
    expect(await workspace.heartbeat(NAMES)).toMatchObject(CONTRADICTED)
  })
})
