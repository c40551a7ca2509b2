import { type BigIntStats, lstatSync, type Stats, statSync } from 'node:fs'
import { errorCode } from './storage-error.ts'

/* For paths that an agent may have created: a circular link, or a name that is too long, counts as missing. */

/** `unknown`: what is there can't be accessed at the moment. */
export type StatsAt = Stats | 'unknown' | undefined

/** Returns what is there, without following a link; `undefined` if nothing is there or the path is impossible. Never throws. */
export function lstatAt(path: string): StatsAt {
  return statsBy(() => lstatSync(path, { throwIfNoEntry: false }))
}

/** Returns what is there, following links; `undefined` as with `lstatAt`. Never throws. */
export function statAt(path: string): StatsAt {
  return statsBy(() => statSync(path, { throwIfNoEntry: false }))
}

/** Returns what is there, following links, with times in nanoseconds; `undefined` if nothing is, or it cannot be accessed. Never throws. */
export function exactStatAt(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const NO_PLACE = new Set(['ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'])

function statsBy(look: () => Stats | undefined): StatsAt {
  try {
    return look()
  } catch (error) {
    return NO_PLACE.has(errorCode(error)) ? undefined : 'unknown'
  }
}

/** Returns whether it is a regular file. */
export function isFileAt(stats: StatsAt): stats is Stats {
  return typeof stats === 'object' && stats.isFile()
}
