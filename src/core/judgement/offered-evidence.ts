import { countEvidence, type EvidenceReference } from '../claims/evidence-references.ts'
import { type EvidenceFile, type EvidenceFinding, validateEvidence } from '../intervention/evidence.ts'
import { type Asking, ask, together } from './asking.ts'
import type { WorkCase } from './case.ts'

/** The result of inspecting the evidence that an agent offers. */
export interface OfferedEvidence {
  readonly findings: readonly EvidenceFinding[]
  /** Pieces offered, claimed files included. */
  readonly count: number
}

/** Compares the offered evidence with the current tree and with the difference. Files that git ignores count against no one. */
export function* inspectOffered(
  { claim, difference, root }: Pick<WorkCase, 'claim' | 'difference' | 'root'>,
  references: readonly EvidenceReference[],
): Asking<OfferedEvidence> {
  const count = countEvidence(claim, references)
  const named = references.flatMap((each) => (each.kind === 'file' ? [each.file.path] : []))
  const paths = [...new Set(named)]
  if (paths.length === 0)
    return { findings: validateEvidence(references, { files: new Map(), difference, root }), count }
  const [found, measurable] = yield* together([
    ask({ kind: 'offered-files', paths }),
    ask({ kind: 'measurable', paths }),
  ])
  const files = new Map(
    paths.flatMap((path, at): [string, EvidenceFile][] => {
      const file = found[at] ?? null
      const reason = measurable[at] ?? 'it was not measured'
      if (file === null) return []
      return [[path, reason === true ? file : { kind: 'unmeasurable', reason }]]
    }),
  )
  return { findings: validateEvidence(references, { files, difference, root }), count }
}
