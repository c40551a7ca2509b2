import { initialState } from '../../core/record/fold.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import { CHAIN_START, type ChainEnd, type LedgerProblem, sayProblem, walkChain } from './chain.ts'
import { foldLine } from './fold-line.ts'
import type { DecodedLine } from './line.ts'
import type { Segment } from './segments.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'

/** The result of loading a ledger from disk. */
export interface LoadedLedger {
  readonly state: WorkspaceState
  readonly end: ChainEnd
  /** `seq` of the snapshot it was loaded from; 0 after a full replay. */
  readonly snapshotSeq: number
  /** How far the snapshot on disk reaches, whether it matches the ledger or not; `null` if none is usable. */
  readonly snapshot: Pick<Snapshot, 'seq' | 'hash'> | null
  readonly problems: readonly string[]
}

type Folded = Omit<LoadedLedger, 'snapshot'>

/** More than anyone would read; a ledger of garbage must not fill the memory with problem reports. */
const MAX_PROBLEMS = 100

/**
 * Loads the state of a ledger from its snapshot and the events after it, so that the time does not depend on the length of the
 * history, or from all events if the snapshot is missing, broken or contradicts the ledger. Skips broken lines and reports them
 * in `problems`. Changes nothing on disk.
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
  const problem = `snapshot.json: does not match the ledger at event ${seq}: the state was rebuilt from all events`
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

/** Returns a chain visitor that folds lines into a state and collects its problems as text. */
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
