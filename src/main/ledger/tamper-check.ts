import { copyFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { errorCode } from '../files/storage-error.ts'
import { succeeds } from '../files/succeeds.ts'
import type { Log } from '../ports/log.ts'
import { createSerializer, type Serialize } from '../process/serialize.ts'
import { type Announcements, announceIn, sealedEnd } from './announced.ts'
import {
  compareWithNotes,
  compareWithSeal,
  hasEvent,
  hashOf,
  hashSegments,
  type SealedLedger,
} from './check-seal.ts'
import { keepDocumentsAhead, type WitnessedDocuments } from './documents-ahead.ts'
import type { LoadedLedger } from './load.ts'
import { heldAgainstLog, RECORD_ACCEPTED } from './log-witness.ts'
import { notesOn } from './notes.ts'
import { isForbidden, isUnsealed, type Seal, type SealFile, type SealStore, UNSEALED } from './seal.ts'
import { holdApproval, recordedApproval, type SealedApprovals, sealApprovals } from './sealed-approval.ts'
import { syncSegment } from './segment-writer.ts'
import { listSegments, segmentPath } from './segments.ts'
import { snapshotPath } from './snapshot.ts'

/** Checks one ledger against its last seal. */
export interface TamperCheck
  extends Omit<SealedApprovals, 'sealed'>,
    Pick<Announcements, 'announce' | 'recorded'> {
  /** Returns what does not match, one sentence each; empty if all does, or once the operator has accepted it. */
  broken(): readonly string[]
  /** Accepts the record as it is, on the operator's behalf. */
  accept(): Promise<void>
  /** Must be awaited before anything is recorded: until then the seal may say that the ledger is closed. Never rejects. */
  reopened(): Promise<void>
  /**
   * Seals the ledger as it is, with `isClosed` when it is being closed. Does nothing while something is broken, because the old
   * seal is evidence. Never rejects.
   */
  seal(seq: number, hash: string, isClosed: boolean): Promise<void>
}

export interface TamperCheckOptions {
  readonly store: SealStore
  readonly ledger: SealedLedger
  /** How far its snapshot reached when it was read. */
  readonly snapshot: LoadedLedger['snapshot']
  /** What was wrong with it when it was read: an unreadable line is as much a gap as a missing one. */
  readonly unsound: readonly string[]
  /** The state that the documents are written from, and their folder. */
  readonly documents: WitnessedDocuments
  /** Part of the names of files kept as evidence. */
  readonly time: string
  readonly timestamp: string
  readonly log: Log
}

/**
 * Compares a ledger that was just read with its seal; problems are saved with the seal. Never rejects: if the machine cannot read
 * right now, nothing is reported and nothing sealed, so that the seal remains for the next comparison.
 */
export async function openTamperCheck(options: TamperCheckOptions): Promise<TamperCheck> {
  try {
    return await holdAgainstSeal(options)
  } catch (error) {
    const { ledgerDirectory } = options.ledger
    options.log.warn('The record could not be compared with its seal; the next start tries again', {
      ledgerDirectory,
      error: String(error),
    })
    const { store, ledger, log } = options
    const serialize = createSerializer()
    const announcements = announceIn(store, serialize, (event) => hasEvent(ledger, event), log)
    return {
      broken: () => [],
      accept: accepting(store, serialize, announcements),
      ...sealApprovals(store, recordedApproval(options.documents.state), serialize),
      ...announcements,
      reopened: reopening(store, serialize, log),
      seal: async () => {},
    }
  }
}

async function holdAgainstSeal(options: TamperCheckOptions): Promise<TamperCheck> {
  const { store, ledger, documents, log } = options
  const { ledgerDirectory } = ledger
  const found = await store.read()
  const approval = holdApproval(recordedApproval(documents.state), found)
  let known: Pick<Seal, 'segments' | 'states'> = found ?? { segments: {} }
  let accepted = found?.accepted ?? []
  let problems = found?.broken?.problems ?? (await findProblems(options, found, approval.problem))
  const serialize = createSerializer()
  const { sealed, ...approvals } = sealApprovals(store, approval.approved, serialize)
  const announcements = announceIn(store, serialize, (event) => hasEvent(ledger, event), log)
  const isNew = ledger.seq > (found === null ? 0 : sealedEnd(found).seq)
  const isOnDisk = !isNew || (await syncNewest(ledger, log))
  if (found !== null && problems.length === 0 && isNew && isOnDisk) {
    // If that can't be read, the announcement remains.
    const hash = await hashOf(ledger, ledger.seq).catch(() => null)
    if (hash !== null) await announcements.found({ seq: ledger.seq, hash })
  }
  return {
    broken: () => problems,
    accept: accepting(store, serialize, announcements, () => {
      log.info('A record was accepted in its current state', {
        ...RECORD_ACCEPTED,
        workspace: basename(documents.directory),
      })
      accepted = [...new Set([...accepted, ...problems])]
      problems = []
    }),
    ...approvals,
    // The seal is evidence of what is broken, so don't write to it.
    announce: async (seq, hash, count) => problems.length > 0 || announcements.announce(seq, hash, count),
    recorded: async () => problems.length > 0 || announcements.recorded(),
    // A broken record's problems are saved with it.
    reopened:
      found?.isClosed === true && problems.length === 0 ? reopening(store, serialize, log) : async () => {},
    seal: (seq, hash, isClosed) =>
      serialize(async () => {
        if (seq === 0 || problems.length > 0 || (seq === ledger.seq && !isOnDisk)) return
        try {
          const segments = await hashSegments(ledgerDirectory, await listSegments(ledgerDirectory), known)
          const announced = announcements.forSeal()
          await store.write({ seq, hash, ...segments, accepted, isClosed, approved: sealed(), announced })
          announcements.sealedWith(announced)
          known = segments
        } catch (error) {
          log.warn('The record could not be sealed', { error: String(error) })
        }
      }),
  }
}

/** Makes what was read survive a power cut. `false`: until more is recorded, it is neither marked nor sealed. */
async function syncNewest({ ledgerDirectory, segments }: SealedLedger, log: Log): Promise<boolean> {
  const newest = segments.at(-1)
  if (newest?.plain !== true) return true
  const path = segmentPath(ledgerDirectory, newest.firstSeq)
  try {
    await syncSegment(path)
    return true
  } catch (error) {
    log.warn('The end of the record could not be synced; it is sealed once more is recorded', {
      path,
      error: String(error),
    })
    return false
  }
}

/** Returns what does not match, one sentence each, and saves it with the seal. */
async function findProblems(
  { store, ledger, snapshot, unsound, documents, time, timestamp, log }: TamperCheckOptions,
  found: SealFile | null,
  approvalProblem: string | null,
): Promise<readonly string[]> {
  const { ledgerDirectory } = ledger
  const accepted = found?.accepted ?? []
  const ahead = await keepSnapshotAhead(ledger, snapshot, time)
  const { directory, state } = documents
  const witnessed = isUnsealed(found)
    ? [
        ...(await keepDocumentsAhead(documents, ledger.seq, time)),
        ...(await heldAgainstLog(directory, state, ledger.seq)),
        ...(await compareWithNotes(ledger, await notesOn(directory))),
      ]
    : []
  const canAnnounce = async (): Promise<boolean> => {
    try {
      return found === null || (await canAnnounceIn(store, found))
    } catch (error) {
      log.warn('Events after the seal could not be announced in it', {
        ledgerDirectory,
        error: String(error),
      })
      return false
    }
  }
  const problems = [
    ...(found === null ? [] : await compareWithSeal(ledger, found, { isQuick: true, canAnnounce })),
    ...witnessed,
    ...(ahead?.problems ?? []),
    ...[...unsound, ...(approvalProblem === null ? [] : [approvalProblem])].filter(
      (problem) => !accepted.includes(problem),
    ),
  ]
  if (problems.length > 0) {
    log.error('The record is damaged', { ledgerDirectory, problems })
    await store
      .write(found ?? ahead ?? UNSEALED, { at: timestamp, problems })
      .catch((error: unknown) =>
        log.error('The problems of the record could not be saved', { error: String(error) }),
      )
  } else if (found === null && ledger.seq > 0) {
    log.info('The record has no seal yet: a new machine, a restored backup, or its first start here', {
      ledgerDirectory,
    })
  }
  return problems
}

/**
 * Returns whether announcing works now, because a seal that can't be written now could not be written then. One that only lacks
 * permissions, which takes a single command, is rewritten, as a running host does. Rejects if that is refused too.
 */
async function canAnnounceIn(store: SealStore, found: SealFile): Promise<boolean> {
  const { announced, broken } = found
  if (announced === undefined) return true
  try {
    return await store.announce(0, announced[0], false)
  } catch (error) {
    if (!isForbidden(errorCode(error))) throw error
    await store.write(found, broken)
    return true
  }
}

/** Accepts the record as it is; announcements in its seal no longer count. */
function accepting(
  store: SealStore,
  serialize: Serialize,
  announcements: Pick<Announcements, 'forget'>,
  whenAccepted: () => void = () => {},
): () => Promise<void> {
  return () =>
    serialize(async () => {
      await store.accept()
      announcements.forget()
      whenAccepted()
    })
}

/** Resets the seal's closed mark once; tries again each time until it succeeds. */
function reopening(store: SealStore, serialize: Serialize, log: Log): () => Promise<void> {
  let isOpen = false
  return async () => {
    if (isOpen) return
    try {
      await serialize(() => store.reopen())
      isOpen = true
    } catch (error) {
      log.warn('The seal could not be opened; that is tried again', { error: String(error) })
    }
  }
}

/** Keeps a snapshot of events that the ledger does not have, because it is evidence that the next one must not overwrite. */
async function keepSnapshotAhead(
  { ledgerDirectory, seq }: SealedLedger,
  snapshot: LoadedLedger['snapshot'],
  time: string,
): Promise<(Seal & { readonly problems: readonly string[] }) | null> {
  if (snapshot === null || snapshot.seq <= seq) return null
  const path = snapshotPath(ledgerDirectory)
  const kept = `${path}.ahead-${time}`
  const isKept = await stat(kept).then(
    () => true,
    () => succeeds(copyFile(path, kept)),
  )
  const where = isKept ? `; it is kept as snapshot.json.ahead-${time}` : ''
  return {
    seq: snapshot.seq,
    hash: snapshot.hash,
    segments: {},
    problems: [`snapshot.json knows ${snapshot.seq} events, but the ledger ends at ${seq}${where}`],
  }
}
