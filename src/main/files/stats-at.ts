import { lstatSync, type Stats, statSync } from 'node:fs'

/*
 * Paths that an agent may have had a hand in: a link that leads to itself, or a name longer than any, is nothing that is there.
 */

/** What stands there, a link as itself; `undefined` where nothing does that can be looked at. Never throws. */
export function lstatAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** What stands there, or where a link leads; `undefined` as with `lstatAt`. Never throws. */
export function statAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
