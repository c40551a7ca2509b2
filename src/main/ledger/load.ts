import { initialState } from '../../core/record/fold.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import { CHAIN_START, type ChainEnd, type LedgerProblem, sayProblem, walkChain } from './chain.ts'
import { foldLine } from './fold-line.ts'
import type { DecodedLine } from './line.ts'
import type { Segment } from './segments.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'

/** What a ledger on disk comes to. */
export interface LoadedLedger {
  readonly state: WorkspaceState
  readonly end: ChainEnd
  /** `seq` of the snapshot it was loaded from; 0 after a full replay. */
  readonly snapshotSeq: number
  /** Up to where the snapshot on disk goes, whether it fits the ledger or not; `null` where there is none to be used. */
  readonly snapshot: Pick<Snapshot, 'seq' | 'hash'> | null
  readonly problems: readonly string[]
}

type Folded = Omit<LoadedLedger, 'snapshot'>

/** More than anyone reads; a ledger of garbage must not fill the memory with its description. */
const MAX_PROBLEMS = 100

/**
 * The state of a ledger: from its snapshot and the events after it, so that the time does not depend on the length of the
 * history; from all events where the snapshot is missing, broken or at odds with the ledger. Broken
 * lines are skipped and named in `problems`. Changes nothing on disk.
 */
export async function loadLedger(
  ledgerDirectory: string,
  segments: readonly Segment[],
): Promise<LoadedLedger> {
  const snapshot = await readSnapshot(ledgerDirectory)
  if ('unusable' in snapshot) {
    return { ...(await replay(ledgerDirectory, segments)), snapshot: null }
  }
  const { seq, hash } = snapshot
  const resumed = await resume(ledgerDirectory, segments, snapshot)
  if (resumed !== null) return { ...resumed, snapshot: { seq, hash } }
  const loaded = await replay(ledgerDirectory, segments)
  const problem = `snapshot.json: does not fit the ledger at event ${seq}: state was made anew from all events`
  return { ...loaded, problems: [problem, ...loaded.problems], snapshot: { seq, hash } }
}

async function resume(
  ledgerDirectory: string,
  segments: readonly Segment[],
  snapshot: Snapshot,
): Promise<Folded | null> {
  const holder = segments.findLastIndex((segment) => segment.firstSeq <= snapshot.seq)
  const first = segments[holder]
  if (first === undefined) return null
  const folding = startFolding(snapshot.state)
  let isConsistent = false
  const end = await walkChain(
    ledgerDirectory,
    segments.slice(holder),
    { seq: first.firstSeq - 1, hash: null },
    {
      fromSeq: snapshot.seq,
      problem: folding.problem,
      line: (line, hash, file, number) => {
        if (line.seq === snapshot.seq) isConsistent = hash === snapshot.hash
        else if (line.seq > snapshot.seq && isConsistent) folding.line(line, hash, file, number)
      },
    },
  )
  if (!isConsistent) return null
  return { ...folding.result(), end, snapshotSeq: snapshot.seq }
}

async function replay(ledgerDirectory: string, segments: readonly Segment[]): Promise<Folded> {
  const folding = startFolding(initialState())
  const end = await walkChain(ledgerDirectory, segments, CHAIN_START, { ...folding, fromSeq: 0 })
  return { ...folding.result(), end, snapshotSeq: 0 }
}

/** A visitor of the chain that folds its lines into a state and keeps its problems as text. */
function startFolding(start: WorkspaceState) {
  const problems = problemList()
  let state = start
  return {
    line: (line: DecodedLine, _hash: string, file: string, number: number): void => {
      const folded = foldLine(state, line)
      state = folded.state
      if (folded.problem !== null) problems.add({ file, line: number, message: folded.problem })
    },
    problem: problems.add,
    result: () => ({ state, problems: problems.list() }),
  }
}

function problemList() {
  const messages: string[] = []
  let more = 0
  return {
    add: (problem: LedgerProblem): void => {
      if (messages.length < MAX_PROBLEMS) messages.push(sayProblem(problem))
      else more += 1
    },
    list: (): readonly string[] => (more > 0 ? [...messages, `and ${more} more`] : messages),
  }
}
