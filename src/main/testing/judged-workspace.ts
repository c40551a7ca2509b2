import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { timestamp } from '../../core/pacing/schedule.ts'
import type { RunReport } from '../../core/read-model/attempt.ts'
import type { AttemptResult, EventBody } from '../../core/record/events.ts'
import { cycleStarted, doneClaim } from '../../core/record/testing/sample-events.ts'
import type { Verdict } from '../../core/vocabulary/verdict.ts'
import { finishedAttempt } from '../ledger/testing/sample-events.ts'
import { type TemporaryHost, temporaryHost } from './temporary-host.ts'

/*
 * A real host with one workspace of one task, `note`, whose attempts the operator judges; agents write and report what
 * they are given.
 */

export const CONTRACT =
  '## Tasks\n\n- [ ] note | Sum up the mail | required | verify: good summary | max_attempts: 9\n'
const CONFIGURATION =
  '[agent]\nid = "claude"\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n[heartbeat]\ntimezone = "Europe/Berlin"\n'
export const INBOX = 'notes/inbox.md'

export interface Turn {
  /** What the agent's shell does before it reports. */
  readonly does?: string
  readonly claim?: Record<string, unknown>
}

export interface JudgedWorkspace {
  readonly host: TemporaryHost
  heartbeat(turn?: Turn): Promise<RunReport['attempts'][number]>
}

export async function workspaceWith(events: readonly EventBody[] = []): Promise<JudgedWorkspace> {
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

export const WRITES: Turn = { does: `mkdir -p notes; echo mail >> ${INBOX}`, claim: { files: [INBOX] } }
export const NAMES: Turn = { claim: { files: [INBOX] } }
export const PAID = { verdict: 'verified', points: 10 }
export const STANDS = { verdict: 'verified', points: 0, groundTruthContradiction: false }
export const REFUTED = { verdict: 'not_verified', points: -15, groundTruthContradiction: false }
export const CONTRADICTED = { verdict: 'not_verified', points: -45, groundTruthContradiction: true }

export const overrule = ({ host }: JudgedWorkspace, id: string, verdict: Verdict) =>
  host.client.attempts.overrule({ id, verdict, reason: 'I looked' })

/** Returns a workspace whose first attempts ended like this, without a host that saw them. */
export function workspaceAfter(...results: readonly Partial<AttemptResult>[]): Promise<JudgedWorkspace> {
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

export function held(id: string): Partial<AttemptResult> {
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
