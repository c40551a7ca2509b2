import { contractDifference, type DifferenceUnit } from './difference.ts'
import { isAddition, itemKey, type ProposalItem } from './proposal-items.ts'
import { takeUnits, undoUnits } from './take-units.ts'

/** More additions than this are not tried one by one: they wait. */
const MAX_TRIED = 50

/**
 * An agent that adds more than so many things, or more text than this, has added nothing until the operator has answered: what counts is
 * read, recorded and said in each prompt.
 */
const MAX_ADDITIONS = 500
const MAX_ADDED_LENGTH = 100_000

/**
 * The contract that counts: `base`, as the operator left it, with what agents have added on `disk`. Nothing else of what stands on disk
 * counts.
 */
export function contractInForce(base: string, disk: string): string {
  if (base === disk) return base
  const difference = contractDifference(base, disk)
  const additions = difference.units.filter(({ item }) => isAddition(item))
  if (additions.length === 0 || isTooMuch(additions)) return base
  const all = takeUnits(difference, additions)
  if (all !== null) return all
  if (additions.length > MAX_TRIED) return base
  const harmless: DifferenceUnit[] = []
  for (const unit of additions) if (takeUnits(difference, [...harmless, unit]) !== null) harmless.push(unit)
  return harmless.length === 0 ? base : (takeUnits(difference, harmless) ?? base)
}

function isTooMuch(additions: readonly DifferenceUnit[]): boolean {
  const length = additions.reduce((sum, { item }) => sum + (item.after?.length ?? 0), 0)
  return additions.length > MAX_ADDITIONS || length > MAX_ADDED_LENGTH
}

/** How an edit by the operator goes together with what still waits for an answer. */
export type MergedEdit =
  | { readonly kind: 'merged'; readonly base: string }
  /** It cannot be told apart from what an agent changed at the same place: nothing of it counts yet. */
  | { readonly kind: 'conflict' }

/**
 * The base after the operator turned `seen` into `disk`: what he left, but for what agents had changed before and still stands as they
 * left it.
 */
export function mergeOperatorEdit(base: string, seen: string, disk: string): MergedEdit {
  if (base === seen || disk === base) return { kind: 'merged', base: disk }
  const waiting = new Set(contractDifference(base, seen).units.map(({ item }) => itemKey(item)))
  const difference = contractDifference(base, disk)
  const standing = difference.units.filter(({ item }) => waiting.has(itemKey(item)))
  if (standing.length === 0) return { kind: 'merged', base: disk }
  const merged = undoUnits(difference, standing)
  return merged === null ? { kind: 'conflict' } : { kind: 'merged', base: merged }
}

/** A base and a text on disk after an answer; `null` where the items cannot be taken apart from the others. */
export interface AnsweredTexts {
  readonly base: string
  readonly disk: string
}

/** These items of what waits become the operator's; the file on disk stays as it is. */
export function acceptItems(
  base: string,
  disk: string,
  items: readonly ProposalItem[],
): AnsweredTexts | null {
  const { difference, chosen } = choose(base, disk, items)
  const accepted = takeUnits(difference, chosen)
  return accepted === null ? null : { base: accepted, disk }
}

/** These items are put back on disk to what the operator left; where nothing else waits, byte for byte. */
export function revertItems(
  base: string,
  disk: string,
  items: readonly ProposalItem[],
): AnsweredTexts | null {
  const { difference, chosen } = choose(base, disk, items)
  const rest = difference.units.filter((unit) => !chosen.includes(unit))
  // Checked boxes count for nothing: they go with what is put back rather than keep it from being the operator's text again.
  if (rest.every(({ item }) => isCheckedBox(item))) return { base, disk: base }
  const reverted = undoUnits(difference, chosen)
  return reverted === null ? null : { base, disk: reverted }
}

/** Whether the item is a box that was checked or unchecked. */
export function isCheckedBox({ kind }: ProposalItem): boolean {
  return kind === 'box' || kind === 'criterion_box'
}

function choose(base: string, disk: string, items: readonly ProposalItem[]) {
  const keys = new Set(items.map(itemKey))
  const difference = contractDifference(base, disk)
  return { difference, chosen: difference.units.filter(({ item }) => keys.has(itemKey(item))) }
}
