import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type DayCosts, dayCostsAfter } from '../../core/record/day-costs.ts'
import { initialState } from '../../core/record/fold.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import { CHAIN_START, type LedgerProblem, sayProblem, walkChain } from './chain.ts'
import { compareWithNotes, compareWithSeal, type SealedLedger } from './check-seal.ts'
import { keepDocumentsAhead } from './documents-ahead.ts'
import { foldLine } from './fold-line.ts'
import { heldAgainstLog } from './log-witness.ts'
import { notesOn } from './notes.ts'
import { isUnsealed, type SealStore } from './seal.ts'
import { holdApproval, recordedApproval } from './sealed-approval.ts'
import { listSegments, segmentFile } from './segments.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'

/** More than anyone would read. */
const MAX_PROBLEMS = 1000

/**
 * Reads the whole ledger of a workspace (`…/workspaces/<id>`) and checks every hash, number and shape, that the snapshot is the
 * fold of its events and, if `seals` has a seal, that it matches. `events` counts the lines that hold one, including those of a
 * newer version. Changes nothing; a host may be writing at the same time, and then an unfinished last line can be seen. Rejects
 * with a `StorageError` only if the folder cannot be listed; an absent ledger has 0 events.
 */
export async function verifyLedger(
  directory: string,
  seals?: SealStore,
): Promise<{ readonly events: number; readonly problems: readonly LedgerProblem[] }> {
  const { events, problems } = await inspectLedger(directory, seals)
  return { events, problems }
}

/**
 * Does the same, and returns the SHA-256 of the configuration that the operator approved last, and what checks cost on the newest day,
 * according to these events.
 */
export async function inspectLedger(
  directory: string,
  seals?: SealStore,
): Promise<{
  readonly events: number
  readonly problems: readonly LedgerProblem[]
  readonly approvedHash: string | null
  /** `null`: no check is known to have run. */
  readonly dayCosts: DayCosts | null
}> {
  const ledgerDirectory = join(directory, 'ledger')
  const problems: LedgerProblem[] = []
  const seal = (await seals?.read()) ?? null
  // A running host may seal it for the first time during this read; the notes then know at most what is there by now.
  const notes = seals !== undefined && isUnsealed(seal) ? await notesOn(directory) : []
  const report = (problem: LedgerProblem): void => {
    const isAccepted = seal?.accepted.includes(sayProblem(problem)) ?? false
    if (problems.length < MAX_PROBLEMS && !isAccepted) problems.push(problem)
  }
  // The snapshot first: events written during this read are then newer than it.
  const read = await readSnapshot(ledgerDirectory)
  const snapshot = 'unusable' in read ? null : read
  const segments = await listSegments(ledgerDirectory)
  let state = initialState()
  let events = 0
  let dayCosts: DayCosts | null = null
  const end = await walkChain(ledgerDirectory, segments, CHAIN_START, {
    fromSeq: 0,
    problem: report,
    line: (line, hash, file, number) => {
      events += 1
      const folded = foldLine(state, line)
      state = folded.state
      if (folded.event !== null) dayCosts = dayCostsAfter(dayCosts, folded.event)
      if (folded.problem !== null) report({ file, line: number, message: folded.problem })
      if (line.seq !== snapshot?.seq) return
      const message = compareSnapshot(snapshot, hash, state)
      if (message !== null) report({ file, line: number, message })
    },
  })
  const newest = segments.at(-1)
  if (end.torn !== null && newest !== undefined) {
    const message = `${end.torn.message}: the next start cuts it off and sets it aside`
    report({ file: segmentFile(newest), line: end.torn.line, message })
  }
  if (snapshot !== null && snapshot.seq > end.seq) {
    const message = `events up to ${snapshot.seq} were recorded, but the ledger ends at ${end.seq}`
    report({ file: 'snapshot.json', line: 0, message })
  }
  const ledger = { ledgerDirectory, segments, seq: end.seq }
  await reportSeal(ledger, seal, seals, report)
  if (seals !== undefined && isUnsealed(seal)) {
    for (const message of [
      ...(await keepDocumentsAhead({ directory, state }, end.seq, null)),
      ...(await heldAgainstLog(directory, state, end.seq)),
      ...(await compareWithNotes(ledger, notes)),
    ])
      report({ file: 'ledger', line: 0, message })
  }
  const recorded = recordedApproval(state)
  let approval = holdApproval(recorded, seal)
  // A running host seals an approval before recording it; both may have come after the seal was read.
  if (approval.problem !== null) approval = holdApproval(recorded, (await seals?.read()) ?? null)
  const isTaken = seal?.broken != null || seal?.accepted.includes(approval.problem ?? '') === true
  if (approval.problem !== null && !isTaken) report({ file: 'ledger', line: 0, message: approval.problem })
  // Problems found before remain until the operator has answered, whatever happened to the seal since.
  if (problems.length === 0) {
    for (const { message } of state.notices.filter(({ code }) => code === 'record-broken'))
      report({ file: 'ledger', line: 0, message })
  }
  return { events, problems, approvedHash: approval.approved, dayCosts }
}

async function reportSeal(
  ledger: SealedLedger,
  seal: Awaited<ReturnType<SealStore['read']>>,
  seals: SealStore | undefined,
  report: (problem: LedgerProblem) => void,
): Promise<void> {
  if (seal === null) return
  // A running host announces what it records; both may have come after the seal was read.
  const later = (await seals?.read()) ?? null
  const canAnnounce = async () => (await seals?.isWritable()) === true
  for (const message of seal.broken?.problems ??
    (await compareWithSeal(ledger, seal, { later, canAnnounce })))
    report({ file: 'ledger', line: 0, message })
}

function compareSnapshot(snapshot: Snapshot, hash: string, state: WorkspaceState): string | null {
  if (hash !== snapshot.hash) return 'this line was changed after snapshot.json was written'
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(state)), snapshot.state)) return null
  return "the events up to here don't give the state in snapshot.json: one of the two was changed"
}
