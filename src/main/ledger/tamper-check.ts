import { copyFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { errorCode } from '../files/storage-error.ts'
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

/** Watches over one ledger: whether it is what it was when it was last sealed. */
export interface TamperCheck
  extends Omit<SealedApprovals, 'sealed'>,
    Pick<Announcements, 'announce' | 'recorded'> {
  /** What does not fit, a sentence each; none where all does, or once the operator has accepted it. */
  broken(): readonly string[]
  /** The operator takes it as it stands. */
  accept(): Promise<void>
  /** Has to be waited for before anything is recorded: until then the seal may say that the ledger is closed. Never rejects. */
  reopened(): Promise<void>
  /** Seals the ledger as it stands, at its end where it is being closed; not while something is broken, for the old seal is evidence. Never rejects. */
  seal(seq: number, hash: string, isClosed: boolean): Promise<void>
}

export interface TamperCheckOptions {
  readonly store: SealStore
  readonly ledger: SealedLedger
  /** Up to where its snapshot goes, as it was read. */
  readonly snapshot: LoadedLedger['snapshot']
  /** What was wrong with it when it was read: a line that nobody can read is no less a hole than one that is gone. */
  readonly unsound: readonly string[]
  /** What the documents are made from, and where they lie. */
  readonly documents: WitnessedDocuments
  /** For the name of what is kept as evidence. */
  readonly time: string
  readonly timestamp: string
  readonly log: Log
}

/**
 * Holds a ledger that was just read against its seal; what is found is written down with the seal. Never rejects: where the machine
 * cannot read just now, nothing is found and nothing sealed, so that the seal is there to be held against the next time.
 */
export async function openTamperCheck(options: TamperCheckOptions): Promise<TamperCheck> {
  try {
    return await holdAgainstSeal(options)
  } catch (error) {
    const { ledgerDirectory } = options.ledger
    options.log.warn('The record could not be held against its seal; it is at the next start', {
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
    // Where that cannot be read, what was announced of it stands as it did.
    const hash = await hashOf(ledger, ledger.seq).catch(() => null)
    if (hash !== null) await announcements.found({ seq: ledger.seq, hash })
  }
  return {
    broken: () => problems,
    accept: accepting(store, serialize, announcements, () => {
      log.info('A record was accepted as it stands', {
        ...RECORD_ACCEPTED,
        workspace: basename(documents.directory),
      })
      accepted = [...new Set([...accepted, ...problems])]
      problems = []
    }),
    ...approvals,
    // Of what is broken the seal is evidence: it is not written to.
    announce: async (seq, hash, count) => problems.length > 0 || announcements.announce(seq, hash, count),
    recorded: async () => problems.length > 0 || announcements.recorded(),
    // What was wrong is written down with it.
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

/** Whether what was read survives a power cut. `false`: until more is recorded, it is neither marked nor sealed. */
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

/** What does not fit, a sentence each, which is written down with the seal. */
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
      log.warn('Events behind the seal could not be announced in it', {
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
    log.error('The record is not whole', { ledgerDirectory, problems })
    await store
      .write(found ?? ahead ?? UNSEALED, { at: timestamp, problems })
      .catch((error: unknown) =>
        log.error('What is wrong with the record could not be written down', { error: String(error) }),
      )
  } else if (found === null && ledger.seq > 0) {
    log.info('The record has no seal yet: a new machine, a restored backup, or its first start here', {
      ledgerDirectory,
    })
  }
  return problems
}

/**
 * Tried, for where the seal cannot be written now, it could not be written then. One that was only forbidden, which takes anyone one
 * command, is written anew, as a host that runs does it. Rejects where that is refused too.
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

/** The operator takes the record as it stands; what was announced in its seal is nothing any more. */
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

/** Takes back that the ledger is closed, once; tried again each time where it cannot. */
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

/** A snapshot of events that the ledger does not have is evidence: the next one must not take its place. */
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
    () =>
      copyFile(path, kept).then(
        () => true,
        () => false,
      ),
  )
  const where = isKept ? `; it is kept as snapshot.json.ahead-${time}` : ''
  return {
    seq: snapshot.seq,
    hash: snapshot.hash,
    segments: {},
    problems: [`snapshot.json knows ${snapshot.seq} events, and the ledger ends at ${seq}${where}`],
  }
}
