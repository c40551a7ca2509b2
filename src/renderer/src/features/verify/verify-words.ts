import type { Branches, ChangeRequest } from '../../../../api/procedures/changes.ts'
import type { ChangeView } from '../../../../core/change/change-view.ts'
import { contradictionWords } from '../../../../core/change/contradiction-words.ts'
import { CLAIM_SUBJECTS } from '../../../../core/change/types.ts'
import { type ShownVerdict, shownVerdict } from '../../../../core/vocabulary/verdict.ts'
import type { AttemptRow } from '../../format/verdict.ts'

/** Choices other than a branch. Branch names contain no colon. */
export const DEFAULT = ''
export const WORK_TREE = ':work-tree'
export const TYPED = ':typed'

/** The selections and text in the form. */
export interface VerifyChoice {
  /** A branch's full name, or one of the choices above. */
  readonly base: string
  readonly head: string
  /** Used if `TYPED` is chosen. */
  readonly typedBase: string
  readonly typedHead: string
  readonly claims: string
  readonly measure: boolean
}

export const NOTHING_CHOSEN: VerifyChoice = {
  base: DEFAULT,
  head: DEFAULT,
  typedBase: '',
  typedHead: '',
  claims: '',
  measure: true,
}

/** Returns the form's content for an earlier request: a revision that is not a listed branch was typed. */
export function choiceOf(request: ChangeRequest, branches: Branches | null): VerifyChoice {
  const listed = branches === null ? [] : [...branches.local, ...branches.remote]
  const side = (revision: string | undefined): readonly [string, string] =>
    revision === undefined ? [DEFAULT, ''] : listed.includes(revision) ? [revision, ''] : [TYPED, revision]
  const [base, typedBase] = side(request.base)
  const [head, typedHead] = side(request.head)
  const { claims, measure } = request
  return { base, typedBase, head: request.worktree ? WORK_TREE : head, typedHead, claims, measure }
}

/** Returns the request for the form; a typed but empty side is the default. */
export function requestOf(choice: VerifyChoice): ChangeRequest {
  const { claims, measure } = choice
  const base = revisionOf(choice.base, choice.typedBase)
  const head = revisionOf(choice.head, choice.typedHead)
  return {
    ...(base !== undefined && { base }),
    ...(head !== undefined && { head }),
    ...{ worktree: choice.head === WORK_TREE, measure, claims },
  }
}

function revisionOf(chosen: string, typed: string): string | undefined {
  const revision = chosen === TYPED ? typed.trim() : chosen
  return revision === DEFAULT || revision === WORK_TREE ? undefined : revision
}

/** Returns a branch's name the way people say it: `main`, `origin/main`. */
export function shortName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|remotes)\//u, '')
}

/** Describes what is compared: `feature against main`. `change`: the result, if it was judged. */
export function comparedWords(
  { base, head, worktree }: ChangeRequest,
  branches: Pick<Branches, 'base' | 'current'>,
  change: Pick<ChangeView, 'head'> | null = null,
): string {
  const isWorkTree = worktree || change?.head.dirty === true
  const unnamed = change === null ? 'the latest work' : shortName(branches.current ?? 'HEAD')
  const subject = isWorkTree ? 'the work tree' : head === undefined ? unnamed : shortName(head)
  return `${subject} against ${shortName(base ?? branches.base ?? 'the default branch')}`
}

/** Returns how a verdict is shown; `null`: nothing was judged. */
export function shownChange({
  verdict,
  applicable,
  held,
  groundTruthContradiction,
  fault,
}: Pick<
  ChangeView,
  'verdict' | 'applicable' | 'held' | 'groundTruthContradiction' | 'fault'
>): ShownVerdict | null {
  if (!applicable) return null
  return shownVerdict({ verdict, groundTruthContradiction, fault, held: held ? {} : null })
}

type Comparison = AttemptRow['comparisons'][number]

/** Splits claims into measured ones, as claim and measurement, and the text of the others. */
export function claimsOf({ claims }: Pick<ChangeView, 'claims'>): {
  readonly compared: readonly Comparison[]
  readonly unread: readonly string[]
} {
  const compared = new Map<string, Comparison>()
  for (const { kind, subject, claimed, measured, equal } of claims) {
    if (equal === null) continue
    const about = subject === '' ? CLAIM_SUBJECTS[kind] : subject
    compared.set(`${about}\n${claimed}`, { subject: about, claimed, measured, agrees: equal })
  }
  const unread = claims.flatMap(({ text, equal }) => (equal === null ? [text] : []))
  return { compared: [...compared.values()], unread: [...new Set(unread)] }
}

/** Returns the reasons that are not already shown as a claim next to its measurement. */
export function reasonsOf({ reasons, claims }: Pick<ChangeView, 'reasons' | 'claims'>): readonly string[] {
  const shown = new Set(claims.flatMap((claim) => (claim.equal === false ? [contradictionWords(claim)] : [])))
  return [...new Set(reasons)].filter((reason) => !shown.has(reason))
}

/** Describes how an added test did on the base: it only tests the change if it fails there. */
export function redFirstWords(redFirst: boolean | null): string {
  if (redFirst === null) return 'not known'
  return redFirst ? 'fails, as it should' : 'passes: it does not test the change'
}

/** Explains why no check is listed. */
export function noChecksWords({ measure }: Pick<ChangeRequest, 'measure'>): string {
  return measure
    ? 'The base names no check, and no test runner was found.'
    : 'No check was run: custody only.'
}

/** Describes where the policy comes from. */
export function policyWords({ source, contract, config }: ChangeView['policy']): string {
  const files = [contract, config].filter((path) => path !== null)
  if (source === 'detected' || files.length === 0) return 'none at the base: its test runners were detected'
  return `${files.join(' and ')}, as at the base`
}
