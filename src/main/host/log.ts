import { appendFileSync, fstatSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { harmlessJson } from '../../core/text/harmless.ts'
import { withoutSecrets } from '../../core/text/secrets.ts'
import type { Log } from '../ports/log.ts'

/** A log file larger than this is set aside; one older file is kept. */
const ROTATE_BYTES = 5 * 1024 * 1024
const LEVELS = ['info', 'warn', 'error', 'silent']

/** In the data folder. */
export const LOG_FILE = 'pulseward.log'

/**
 * Writes JSON lines to `pulseward.log` in the data folder, from the level that `PULSEWARD_LOG_LEVEL` names (default `info`), in at most two
 * files of about 5 MiB; as a systemd service also to its journal. What cannot be written there goes to stderr. Never throws.
 */
export function createFileLog(
  dataDirectory: string,
  environment: Readonly<Record<string, string | undefined>>,
): Log {
  const wanted = environment.PULSEWARD_LOG_LEVEL || 'info'
  const isLevel = LEVELS.includes(wanted)
  const logger = pino(
    {
      base: null,
      level: isLevel ? wanted : 'info',
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    rotatingFile(dataDirectory, isJournal(environment.JOURNAL_STREAM)),
  )
  if (!isLevel) logger.warn({ wanted, known: LEVELS }, 'PULSEWARD_LOG_LEVEL names no level; info is taken')
  return {
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  }
}

/** True if stderr is the journal, and not a terminal or file of a program that inherited the variable. */
function isJournal(stream: string | undefined): boolean {
  try {
    const { dev, ino } = fstatSync(2)
    return stream === `${dev}:${ino}`
  } catch {
    return false
  }
}

/** Opens the file for each line, so that a file that others removed or set aside is created again. */
function rotatingFile(directory: string, toJournal: boolean): { write(line: string): void } {
  const file = join(directory, LOG_FILE)
  return {
    write: (said) => {
      // An error can quote anything, while a log is sent to others and read in a terminal.
      const line = harmlessJson(withoutSecrets(said))
      if (toJournal) process.stderr.write(line)
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 })
        const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
        if (size > ROTATE_BYTES) renameSync(file, `${file}.1`)
        appendFileSync(file, line, { mode: 0o600 })
      } catch {
        // The data folder's owner reports separately that it can't be written.
        process.stderr.write(line)
      }
    },
  }
}
