import { lstatSync, type Stats, statSync } from 'node:fs'
import { errorCode } from './storage-error.ts'

/*
 * Paths that an agent may have had a hand in: a link that leads to itself, or a name longer than any, is nothing that is there.
 */

/** `unknown`: what is there cannot be looked at now. */
export type StatsAt = Stats | 'unknown' | undefined

/** What stands there, a link as itself; `undefined` where nothing does, nor can. Never throws. */
export function lstatAt(path: string): StatsAt {
  return statsBy(() => lstatSync(path, { throwIfNoEntry: false }))
}

/** What stands there, or where a link leads; `undefined` as with `lstatAt`. Never throws. */
export function statAt(path: string): StatsAt {
  return statsBy(() => statSync(path, { throwIfNoEntry: false }))
}

const NO_PLACE = new Set(['ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'])

function statsBy(look: () => Stats | undefined): StatsAt {
  try {
    return look()
  } catch (error) {
    return NO_PLACE.has(errorCode(error)) ? undefined : 'unknown'
  }
}

/** Whether a regular file stands there. */
export function isFileAt(stats: StatsAt): stats is Stats {
  return typeof stats === 'object' && stats.isFile()
}
