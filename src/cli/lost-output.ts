interface Written {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
  write(text: string): unknown
}

/** What a command writes to, and what ends it. */
interface Ending {
  readonly stdout: Written
  readonly stderr: Written
  exitCode?: typeof process.exitCode
  on(event: 'exit', listener: (code: number) => void): unknown
}

/**
 * Keeps a command at work whose words nobody takes: a supervisor goes on without the pipe, the terminal or the disk that they went to, and
 * a heartbeat comes to its end and is recorded. A reader that has seen enough (`| head`) is no error; an answer that could not be written
 * is said once on stderr, and a command that was fine otherwise ends with 3.
 */
export function outliveLostOutput(ending: Ending): void {
  let isAnswerLost = false
  // Of stderr there is nobody left to tell.
  ending.stderr.on('error', () => {})
  ending.stdout.on('error', ({ code, message }) => {
    if (code === 'EPIPE' || isAnswerLost) return
    isAnswerLost = true
    ending.stderr.write(
      `pulseward: The answer cannot be written to standard output: ${message}. Look at where it goes, and ask again.\n`,
    )
  })
  ending.on('exit', (code) => {
    if (isAnswerLost && code === 0) ending.exitCode = 3
  })
}
