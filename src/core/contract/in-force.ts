import { contractDifference, type DifferenceUnit } from './difference.ts'
import { isAddition, itemKey, type ProposalItem } from './proposal-items.ts'
import { takeUnits, undoUnits } from './take-units.ts'

/** Additions beyond this number are not tried one by one; they wait for review. */
const MAX_TRIED = 50

/**
 * If an agent adds more items or more text than this, nothing of it counts until the operator has answered, because everything that counts
 * is read, recorded and included in every prompt.
 */
const MAX_ADDITIONS = 500
const MAX_ADDED_LENGTH = 100_000

/**
 * Returns the contract in effect: `base`, as the operator left it, plus what agents have added on `disk`. Other differences on disk don't
 * count.
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

/** The result of merging an edit by the operator with what still waits for an answer. */
export type MergedEdit =
  | { readonly kind: 'merged'; readonly base: string }
  /** It can't be separated from an agent's change in the same place, so none of it counts yet. */
  | { readonly kind: 'conflict' }

/**
 * Returns the base after the operator has turned `seen` into `disk`: the operator's version, except for earlier agent changes that are
 * still as the agent left them.
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

/** The base and the text on disk after an answer; `null` if the items can't be separated from the others. */
export interface AnsweredTexts {
  readonly base: string
  readonly disk: string
}

/** Makes these pending items the operator's; the file on disk stays as it is. */
export function acceptItems(
  base: string,
  disk: string,
  items: readonly ProposalItem[],
): AnsweredTexts | null {
  const { difference, chosen } = choose(base, disk, items)
  const accepted = takeUnits(difference, chosen)
  return accepted === null ? null : { base: accepted, disk }
}

/** Reverts these items on disk to what the operator left, byte for byte if nothing else is pending. */
export function revertItems(
  base: string,
  disk: string,
  items: readonly ProposalItem[],
): AnsweredTexts | null {
  const { difference, chosen } = choose(base, disk, items)
  const rest = difference.units.filter((unit) => !chosen.includes(unit))
  // Checked boxes don't count. They are reverted too, so that the file can match the operator's text again.
  if (rest.every(({ item }) => isCheckedBox(item))) return { base, disk: base }
  const reverted = undoUnits(difference, chosen)
  return reverted === null ? null : { base, disk: reverted }
}

/** Returns whether the item is a box that was checked or unchecked. */
export function isCheckedBox({ kind }: ProposalItem): boolean {
  return kind === 'box' || kind === 'criterion_box'
}

function choose(base: string, disk: string, items: readonly ProposalItem[]) {
  const keys = new Set(items.map(itemKey))
  const difference = contractDifference(base, disk)
  return { difference, chosen: difference.units.filter(({ item }) => keys.has(itemKey(item))) }
}
