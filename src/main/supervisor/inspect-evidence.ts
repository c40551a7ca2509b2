import { countEvidence, findEvidence } from '../../core/claims/evidence-references.ts'
import type { Claim } from '../../core/claims/types.ts'
import {
  type EvidenceFile,
  type EvidenceFinding,
  validateEvidence,
} from '../../core/intervention/evidence.ts'
import type { FileDifference } from '../../core/verification/types.ts'
import type { Snapshot, Snapshotter } from '../ports/snapshotter.ts'
import { readEvidence } from './read-evidence.ts'

export interface EvidenceInspection {
  readonly evidence: readonly EvidenceFinding[]
  /** Pieces of evidence offered, claimed files included. */
  readonly evidenceCount: number
}

/**
 * Holds what the agent offers as evidence (in its report, else in `output`) against the workspace as it is now and the
 * difference of the attempt. Files that git ignores accuse nobody. Rejects only where the snapshotter does.
 */
export async function inspectEvidence(options: {
  readonly directory: string
  readonly snapshotter: Snapshotter
  readonly claim: Claim
  readonly output: string
  readonly difference: FileDifference
  /** The workspace as the attempt left it. */
  readonly after: Snapshot
}): Promise<EvidenceInspection> {
  const { directory, snapshotter, claim, output, difference, after } = options
  const references = findEvidence(claim, output)
  const evidenceCount = countEvidence(claim, references)
  const paths = [...new Set(references.flatMap((each) => (each.kind === 'file' ? [each.file.path] : [])))]
  if (paths.length === 0) {
    const world = { files: new Map(), difference, root: directory }
    return { evidence: validateEvidence(references, world), evidenceCount }
  }
  const [found, measurable] = await Promise.all([
    readEvidence(directory, paths, (ends) => snapshotter.endingIn(after, ends)),
    snapshotter.measurable(directory, paths, difference),
  ])
  const files = new Map(
    paths.flatMap((path, index): [string, EvidenceFile][] => {
      const file = found.get(path)
      const reason = measurable[index] ?? 'it was not measured'
      if (file === undefined) return []
      return [[path, reason === true ? file : { kind: 'unmeasurable', reason }]]
    }),
  )
  return { evidence: validateEvidence(references, { files, difference, root: directory }), evidenceCount }
}
