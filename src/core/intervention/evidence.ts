import type { EvidenceReference } from '../claims/evidence-references.ts'
import { quote } from '../text/quote.ts'
import { matchFileClaims, relativePath } from '../verification/file-claims.ts'
import type { FileDifference } from '../verification/types.ts'

/** What the host found at a path that the agent offers as evidence. */
export type EvidenceFile =
  /** `text` is null if the file is not text or too large to compare; then `lines` may be null too. */
  | { readonly kind: 'file'; readonly lines: number | null; readonly text: string | null }
  | { readonly kind: 'folder' }
  | { readonly kind: 'missing' }
  /** Outside the workspace, ignored by git, or not readable; `reason` says why. It counts against no one. */
  | { readonly kind: 'unmeasurable'; readonly reason: string }

/** What evidence is compared with, as it was right after the attempt. */
export interface EvidenceWorld {
  /** By path as the agent wrote it. A path that is missing here was not examined. */
  readonly files: ReadonlyMap<string, EvidenceFile>
  readonly difference: FileDifference
  /** Absolute path of the workspace. */
  readonly root: string
}

/** A piece of evidence with what was found. */
export interface EvidenceFinding {
  readonly reference: EvidenceReference
  /** `missing`, `wrong` and `stale` contradict it. `stale`: the file exists, but was not written in this attempt as claimed. */
  readonly finding: 'confirmed' | 'missing' | 'wrong' | 'stale' | 'unmeasurable'
  /** What was claimed and what is there, in words. */
  readonly reason: string
}

/**
 * Compares each reference with what the host read, in order. In case of doubt nothing is contradicted: paths that can't be measured,
 * mentions in passing, commands that only the agent saw, and an incomplete snapshot give `unmeasurable`. Pure; never throws.
 */
export function validateEvidence(
  references: readonly EvidenceReference[],
  world: EvidenceWorld,
): readonly EvidenceFinding[] {
  return references.map((reference) => ({ reference, ...findingOf(reference, world) }))
}

/** Returns the findings that refute evidence of the agent. */
export function refutedEvidence(findings: readonly EvidenceFinding[]): readonly EvidenceFinding[] {
  return findings.filter(({ finding }) => finding === 'missing' || finding === 'wrong' || finding === 'stale')
}

type Finding = Omit<EvidenceFinding, 'reference'>

function findingOf(reference: EvidenceReference, world: EvidenceWorld): Finding {
  if (reference.kind === 'command')
    return unmeasurable(`only the agent saw ${quote(reference.command)} and its result`)
  const { file } = reference
  const shown = quote(file.path)
  const found = world.files.get(file.path)
  if (found === undefined) return unmeasurable(`${shown} was not examined`)
  if (found.kind === 'unmeasurable') return unmeasurable(`${shown}: ${found.reason}`)
  if (found.kind === 'missing') return missingFinding(reference, world)
  const [claim] = reference.isWritten ? matchFileClaims([file], world.difference, [true], world.root) : []
  if (claim?.finding === 'missing')
    return { finding: 'stale', reason: `${shown} exists, but was not written in this attempt` }
  if (found.kind === 'folder') return { finding: 'confirmed', reason: `${shown} is there` }
  const refutation = linesRefuted(reference, found) ?? quotationRefuted(reference, found)
  if (refutation === null) return { finding: 'confirmed', reason: `${shown} is there` }
  return reference.isFirm ? { finding: 'wrong', reason: refutation } : unmeasurable(refutation)
}

type FileEvidence = Extract<EvidenceReference, { kind: 'file' }>

function missingFinding({ file, isFirm }: FileEvidence, { difference, root }: EvidenceWorld): Finding {
  const shown = quote(file.path)
  const path = relativePath(file.path, root)
  const left = [...difference.deleted, ...difference.renamed.map(({ from }) => from)]
  if (left.some((one) => one === path || one.endsWith(`/${path}`) || one.startsWith(`${path}/`)))
    return { finding: 'confirmed', reason: `${shown} was deleted or renamed in this attempt` }
  const reason = `${shown} does not exist`
  return isFirm ? { finding: 'missing', reason } : unmeasurable(reason)
}

/**
 * Returns why the named lines can't exist. One line beyond the end is accepted, because editors count the empty line after the last break.
 */
function linesRefuted({ file }: FileEvidence, found: Extract<EvidenceFile, { kind: 'file' }>): string | null {
  const { startLine, endLine } = file
  if (startLine === undefined || found.lines === null) return null
  const last = Math.max(startLine, endLine ?? startLine)
  if (last <= found.lines + 1) return null
  const named =
    endLine === undefined || endLine === startLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`
  return `names ${named} of ${quote(file.path)}, which has ${found.lines}`
}

function quotationRefuted(
  { file, quoted }: FileEvidence,
  found: Extract<EvidenceFile, { kind: 'file' }>,
): string | null {
  if (quoted === null || found.text === null) return null
  return comparable(found.text).includes(comparable(quoted))
    ? null
    : `quotes ${quote(quoted)}, which ${quote(file.path)} does not contain`
}

/** Returns text in the form in which quotations are compared: without marks, case and final punctuation, and with white space collapsed. */
function comparable(text: string): string {
  return text
    .replace(/[`*_"“”„«»'’\\]+/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .replace(/[\s.,:;!]+$/, '')
    .trim()
}

function unmeasurable(reason: string): Finding {
  return { finding: 'unmeasurable', reason }
}
