import type { Log } from '../ports/log.ts'

/** Returns the log of a data folder, loaded when there is something to write, so that the start does not wait for it. */
export function lateLog(dataDirectory: string): Log {
  const write =
    (level: keyof Log): Log[keyof Log] =>
    (message, fields) =>
      void import('./log.ts').then(({ createFileLog }) =>
        createFileLog(dataDirectory, process.env)[level](message, fields),
      )
  return { info: write('info'), warn: write('warn'), error: write('error') }
}

/** Logs a bug in Pulseward, with its stack. */
export function logMistake(log: Log, what: string, error: unknown): void {
  log.error(what, { cause: error instanceof Error ? (error.stack ?? error.message) : String(error) })
}

/**
 * Logs and shows uncaught errors. A rejected promise affects only one task, so the process continues. After an exception the state of the
 * process is unknown, and `end` decides (the ledger is consistent at any moment).
 */
export function catchMistakes(options: {
  readonly log: Log
  /** Shows the error in one line. */
  readonly show: (message: string) => void
  readonly end: () => void
}): void {
  const { log, show, end } = options
  const words = (error: unknown) => (error instanceof Error ? error.message : String(error))
  process.on('unhandledRejection', (error) => {
    logMistake(log, 'A bug in Pulseward: an unhandled promise rejection', error)
    show(`A bug in Pulseward, which keeps running: ${words(error)}. See the log for the cause.`)
  })
  process.on('uncaughtException', (error) => {
    logMistake(log, 'A bug in Pulseward: an uncaught exception', error)
    show(`A bug in Pulseward: ${words(error)}. See the log for the cause.`)
    end()
  })
}
