import { localDay, timestamp } from '../../../core/pacing/schedule.ts'
import type { LandingEntry } from '../../../core/record/state.ts'
import { parseWorkspaceConfig } from '../../config/parse-config.ts'
import { openLedger } from '../../ledger/ledger.ts'
import { createLandingQueue } from '../queue.ts'
import { repositoryOpener } from '../repository.ts'

export interface Landing {
  readonly directory: string
  readonly ledgerDirectory: string
  readonly target: string
  /** The name under which hosts share the work. */
  readonly lease?: string
  /** Handed in before landing. */
  readonly work?: {
    readonly tree: string
    readonly base: string
    readonly attemptId: string
    /** Default: true. */
    readonly isWhole?: boolean
  }
}

/** Lands the handed-in work once, with a judge that verifies everything. Returns the newest landing. */
export async function landOnce(
  { directory, ledgerDirectory, target, lease, work }: Landing,
  checkpoint: (step: string) => Promise<void> = async () => {},
): Promise<LandingEntry | null> {
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now(), sleep: async () => {} }
  const ledger = await openLedger({
    directory: ledgerDirectory,
    clock,
    log,
    localDay: (ms) => localDay(ms, 'UTC'),
    timestamp: (ms) => timestamp(ms, 'UTC'),
  })
  const reading = parseWorkspaceConfig(
    `[agent]\ncommand = ["true"]\n[workspace]\nisolation = "worktree"\n[landing]\nmode = "auto"\ntarget = "${target}"\n${lease === undefined ? '' : `[heartbeat]\nlease = "${lease}"\n`}`,
  )
  if (!reading.ok) throw new Error('The configuration is wrong')
  const queue = createLandingQueue({
    workspace: 'p',
    open: repositoryOpener(directory),
    ledger,
    log,
    nowMs: () => Date.now(),
    config: () => reading.config,
    judge: async () => ({ verdict: 'verified', held: null, reasons: ['it is'] }),
    recordHead: async () => 'head',
    forge: async () => null,
    changed: () => {},
    checkpoint,
  })
  try {
    if (work !== undefined)
      await queue.handIn({
        isWhole: true,
        ...work,
        taskId: 'task',
        description: 'Do it',
        target,
        author: null,
        verified: true,
        because: 'It is verified',
        held: false,
        suspicion: null,
      })
    await queue.process(new AbortController().signal)
    return ledger.state.landings[0] ?? null
  } finally {
    await ledger.close()
  }
}
