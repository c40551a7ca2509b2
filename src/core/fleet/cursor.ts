import { z } from 'zod'

/** The position of a fleet's entry in the order of all entries, newest first. */
export interface CursorPlace {
  /** Time in epoch ms; negative before 1970. */
  readonly atMs: number
  /** Order within the same moment: later ones have larger numbers. */
  readonly row: number
}

/** A position as one word, `MS-ROW`. */
export const cursorSchema = z
  .string()
  .regex(/^-?\d{1,16}-\d{1,16}$/, { error: 'the cursor of an earlier answer' })

export function cursorOf({ atMs, row }: CursorPlace): string {
  return `${atMs}-${row}`
}

/** Returns the position of a cursor that `cursorSchema` accepts. */
export function placeOf(cursor: string): CursorPlace {
  const dash = cursor.lastIndexOf('-')
  return { atMs: Number(cursor.slice(0, dash)), row: Number(cursor.slice(dash + 1)) }
}

/** Compares two positions; negative if `one` comes before `other`. */
export function newestFirst(one: CursorPlace, other: CursorPlace): number {
  return other.atMs - one.atMs || other.row - one.row
}
