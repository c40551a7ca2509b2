import { counted } from '../scoring/format.ts'
import { graveWords, SHIELDS, type ShieldLevel } from '../vocabulary/standing.ts'
import { unreviewedCount } from '../vocabulary/unreviewed.ts'
import type { Score } from './score.ts'

/** The answer to "can I trust my agents?": a word or two, then the reason. */
export interface TrustAnswer {
  readonly lead: string
  readonly why: string
}

/** The parts of a workspace that the answer uses. */
export interface Trusted {
  readonly name: string
  readonly shield: ShieldLevel
  /** Unreviewed contradictions of any day. */
  readonly unreviewed: number
  readonly unreviewedOthers?: number | undefined
  readonly score: Pick<Score, 'verified' | 'failed' | 'unclear' | 'contradictions'>
}

/** Returns the answer from today's standing and verdicts; the most serious finding decides the lead. */
export function trustAnswer(workspaces: readonly Trusted[]): TrustAnswer {
  const grave = graveSentence(workspaces)
  const lies = unreviewedSentence(workspaces) ?? contradictionSentence(workspaces)
  if (grave !== null) {
    const everywhere = workspaces.every(isGrave)
    return { lead: everywhere ? 'No.' : 'Not all of them.', why: lies === null ? grave : `${grave} ${lies}` }
  }
  if (lies !== null) return { lead: 'Not everything they say.', why: lies }
  return fromVerdicts(workspaces)
}

function fromVerdicts(workspaces: readonly Trusted[]): TrustAnswer {
  const verified = sum(workspaces, ({ score }) => score.verified)
  const failed = sum(workspaces, ({ score }) => score.failed)
  const unclear = sum(workspaces, ({ score }) => score.unclear)
  if (verified + failed === 0) {
    return {
      lead: 'Not known yet.',
      why:
        unclear === 0
          ? 'Nothing has been judged today.'
          : `${counted(unclear, 'verdict')} of today ${unclear === 1 ? 'is' : 'are'} unclear, and none says more.`,
    }
  }
  const unsaid = unclear === 0 ? '' : ` ${unclear} more ${unclear === 1 ? 'is' : 'are'} unclear.`
  if (failed === 0) {
    const all = verified === 1 ? 'The one verdict of today is' : `All ${verified} verdicts of today are`
    return { lead: 'Yes.', why: `${all} verified.${unsaid}` }
  }
  return {
    lead: verified < failed ? 'Not much today.' : 'Mostly.',
    why: `${verified} of ${verified + failed} verdicts of today are verified, and no claim was contradicted.${unsaid}`,
  }
}

function isGrave({ shield }: Trusted): boolean {
  return graveWords(shield) !== null
}

function graveSentence(workspaces: readonly Trusted[]): string | null {
  const groups = SHIELDS.flatMap((level) => {
    const words = graveWords(level)
    const names = workspaces.filter(({ shield }) => shield === level).map(({ name }) => name)
    return words === null || names.length === 0
      ? []
      : [`${named(names)} ${names.length === 1 ? words.one : words.many}`]
  })
  return groups.length === 0 ? null : `${groups.join('; ')}.`
}

function unreviewedSentence(workspaces: readonly Trusted[]): string | null {
  const count = sum(workspaces, ({ unreviewed }) => unreviewed)
  if (count === 0) return null
  const others = sum(workspaces, ({ unreviewedOthers = 0 }) => unreviewedOthers)
  const names = workspaces.filter(({ unreviewed }) => unreviewed > 0).map(({ name }) => name)
  return `${unreviewedCount(count, others)}${workspaces.length === 1 ? '' : `, in ${named(names)}`}.`
}

function contradictionSentence(workspaces: readonly Trusted[]): string | null {
  const count = sum(workspaces, ({ score }) => score.contradictions)
  if (count === 0) return null
  const names = workspaces.filter(({ score }) => score.contradictions > 0).map(({ name }) => name)
  const where = workspaces.length === 1 ? '' : ` in ${named(names)}`
  return `${counted(count, 'contradiction')} today${where}.`
}

/** If there are more names than this, the rest are only counted. */
const MAX_NAMES = 3

function named(names: readonly string[]): string {
  if (names.length > MAX_NAMES) return `${names.length} workspaces`
  const isolated = names.map(isolate)
  const last = isolated.pop() ?? ''
  return isolated.length === 0 ? last : `${isolated.join(', ')} and ${last}`
}

/** Isolates the text direction of a name: an Arabic one doesn't turn the sentence around. */
function isolate(name: string): string {
  return `\u2068${name}\u2069`
}

function sum(workspaces: readonly Trusted[], figure: (workspace: Trusted) => number): number {
  return workspaces.reduce((total, workspace) => total + figure(workspace), 0)
}
