import { mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import type { Log } from '../ports.ts'

/** A log file larger than this is set aside at the next start; one older file is kept. */
const ROTATE_BYTES = 5 * 1024 * 1024

/** JSON lines in `pulseward.log` of the data folder, at most about two files of 5 MiB between starts. */
export function createFileLog(dataDirectory: string): Log {
  const file = join(dataDirectory, 'pulseward.log')
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > ROTATE_BYTES) renameSync(file, `${file}.1`)
    return toLog(pino({ base: null }, pino.destination({ dest: file, sync: true, mode: 0o600 })))
  } catch {
    // A data folder that cannot be written is reported by its owner; the log then goes to stderr.
    return toLog(pino({ base: null }, pino.destination({ dest: 2, sync: true })))
  }
}

function toLog(logger: pino.Logger): Log {
  return {
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  }
}
