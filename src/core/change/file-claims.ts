import type { ProseUnit } from '../claims/prose.ts'
import { findSpokenFiles } from '../claims/prose-files.ts'
import { claim } from './make-claim.ts'
import type { MeasuredChange } from './measured-change.ts'
import { holdFile, type NamedFile, type Verb } from './named-file.ts'
import type { ChangeClaim } from './types.ts'

export function fileClaim(text: string, named: NamedFile, measured: MeasuredChange): ChangeClaim {
  const { equal, words } = holdFile(named, measured)
  return claim('file', text, { subject: named.path, claimed: named.verb, measured: words, equal })
}

/** Verbs by how specific they are about what happened to a file, most specific first. */
const VERBS: readonly (readonly [Verb, RegExp])[] = [
  ['renamed', /\b(?:renamed|moved)\b/i],
  ['removed', /\b(?:deleted|removed)\b/i],
  ['added', /\b(?:created|added|new files?)\b/i],
  ['written', /\b(?:wrote|written|generated|saved|produced|stored)\b/i],
  ['changed', /\b(?:modified|updated|edited|changed|rewrote|rewritten|overwrote|appended|patched)\b/i],
]
/** Matches after a path that names the file itself. It is not itself in "added `a.json` support". */
const ENDS_THERE =
  /^[\s`'"*_)\]]*(?:$|[.,;:!?(–—|&+-]|(?:to|with|so|for|that|which|and|in|as|by|from|because|since|accordingly|has|have|was|were|is|are|now|instead)\b)/i
/** Matches after the path of a list item. "`a.ts` now exports b" is about the file's contents instead. */
const ENDS_IN_LIST = /^[\s`'"*_)\]]*(?:$|[.,;:!?(–—|&+-]|(?:to|with|for|so)\b)/i
/** "Removed `a.ts` from the build", "added `a.ts` to the index": the build or the index was changed. */
const IS_ENTRY =
  /^[\s`'"*_)\]]*(?:to|from)\s+(?:the|a|an|our|its|all|[`'"]|\S+[./])(?!\s*(?:repo(?:sitory)?|project|code ?base|tree|source tree)\b)/i
/** "`a.ts` was updated in #12". */
const BY_ANOTHER_CHANGE = /\b(?:in|by|since|with|from)\s+(?:\(?#\d|[\w.-]+\/[\w.-]+#\d|v\d|https?:)/i
/** The subject is omitted or is the author of the change: "the wizard created `a.ts`" is about the program. */
const BY_AUTHOR =
  /(?:^|[:,;(–—|-]|\b(?:i|we|this|it|pr|request|commit|change|patch|branch|and|also|then|now|have|has|just|newly|was|were|been|is|are|additionally|finally|an?|i['’]ve|we['’]ve))\W*$/i

/** `head`: the line above a list item; an item without one must itself say what was done with its file. */
export function ofFiles(
  unit: ProseUnit,
  head: ProseUnit | null,
  measured: MeasuredChange,
): readonly ChangeClaim[] {
  const alone = findSpokenFiles([unit])
  const files = alone.length > 0 || head === null ? alone : findSpokenFiles([head, unit])
  return files.map(({ path }) => {
    const at = unit.text.indexOf(path)
    const before = unit.text.slice(0, Math.max(at, 0))
    const behind = at < 0 ? '' : unit.text.slice(at + path.length)
    const verb =
      lastVerb(before) ?? lastVerb(behind) ?? (alone.length > 0 ? null : lastVerb(head?.text ?? ''))
    const isListed = alone.length === 0
    const isCertain =
      verb !== null &&
      (isListed ? ENDS_IN_LIST : ENDS_THERE).test(behind) &&
      !(isListed && BY_ANOTHER_CHANGE.test(head?.text ?? '')) &&
      !IS_ENTRY.test(behind) &&
      !BY_ANOTHER_CHANGE.test(behind) &&
      isByAuthor(before) &&
      !/\b(?:in|from|inside|within)\s+[`'"*_]*$/i.test(before)
    return fileClaim(unit.text, { path, verb: verb ?? 'changed', isCertain }, measured)
  })
}

function isByAuthor(before: string): boolean {
  const clause = before.split(/[.;!?]\s|,\s/).at(-1) ?? ''
  const at = Math.min(
    ...VERBS.flatMap(([, pattern]) => {
      const found = clause.search(pattern)
      return found < 0 ? [] : [found]
    }),
  )
  return at === Number.POSITIVE_INFINITY || BY_AUTHOR.test(clause.slice(0, at))
}

/** Returns the line that introduces a list, such as "Files changed:". */
export function headOf(at: number, units: readonly ProseUnit[]): ProseUnit | null {
  if (units[at]?.kind !== 'item') return null
  return units.slice(0, at).findLast(({ kind }) => kind !== 'item') ?? null
}

function lastVerb(text: string): Verb | null {
  let best: { at: number; verb: Verb } | null = null
  for (const [verb, pattern] of VERBS)
    for (const { index } of text.matchAll(new RegExp(pattern.source, 'gi')))
      if (best === null || index > best.at) best = { at: index, verb }
  return best?.verb ?? null
}
