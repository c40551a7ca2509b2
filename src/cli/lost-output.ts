interface Written {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
  write(text: string): unknown
}

/** The streams that a command writes to, and how it ends. */
interface Ending {
  readonly stdout: Written
  readonly stderr: Written
  exitCode?: typeof process.exitCode
  on(event: 'exit', listener: (code: number) => void): unknown
}

/**
 * Keeps a command running when its output can't be written: a supervisor continues without its pipe, terminal or disk, and a heartbeat is
 * finished and recorded. A reader that closes early (`| head`) is not an error. An answer that could not be written is reported once on
 * stderr, and a command that succeeded otherwise exits with 3.
 */
export function outliveLostOutput(ending: Ending): void {
  let isAnswerLost = false
  // If stderr itself fails, there is nowhere left to report it.
  ending.stderr.on('error', () => {})
  ending.stdout.on('error', ({ code, message }) => {
    if (code === 'EPIPE' || isAnswerLost) return
    isAnswerLost = true
    ending.stderr.write(
      `pulseward: The answer cannot be written to standard output: ${message}. Check where it goes, and try again.\n`,
    )
  })
  ending.on('exit', (code) => {
    if (isAnswerLost && code === 0) ending.exitCode = 3
  })
}
