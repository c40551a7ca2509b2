import { z } from 'zod'

/** Where an entry of a fleet stands in the order of all, newest first. */
export interface CursorPlace {
  /** When it was, in epoch ms; negative before 1970. */
  readonly atMs: number
  /** Which of those of that moment: a later one has a larger number. */
  readonly row: number
}

/** A place as one word, `MS-ROW`. */
export const cursorSchema = z
  .string()
  .regex(/^-?\d{1,16}-\d{1,16}$/, { error: 'a place that an answer named as its next one' })

export function cursorOf({ atMs, row }: CursorPlace): string {
  return `${atMs}-${row}`
}

/** The place of a cursor that `cursorSchema` lets through. */
export function placeOf(cursor: string): CursorPlace {
  const dash = cursor.lastIndexOf('-')
  return { atMs: Number(cursor.slice(0, dash)), row: Number(cursor.slice(dash + 1)) }
}

/** Negative: that place stands before the other one. */
export function newestFirst(one: CursorPlace, other: CursorPlace): number {
  return other.atMs - one.atMs || other.row - one.row
}
