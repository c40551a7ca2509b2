import type { ChildProcess, StdioOptions } from 'node:child_process'
import type { Readable } from 'node:stream'
import { quote } from './quote.ts'
import type { ProcessFailure } from './start-failure.ts'

/*
 * A sandbox may fail before the program runs, and its exit code would be taken for the program's. So the last step in the sandbox
 * writes to a pipe of ours, closes it, and becomes the program. The pipe can only say that the program has begun, and only before
 * it does: nothing that the program does later can make its exit look like a failure of ours.
 */

/** The pipe's number in the child. */
export const BEGINNING = 3

/** The number of the companion's socket in the child. */
export const COMPANION = BEGINNING + 1

/** How long to wait for a sandbox to start; after that, assume the program began. */
const PATIENCE_MS = 15_000
const MAX_WORDS = 500

/** Returns the shell command for the last step: the program and its arguments follow. */
export function beginningWith(shell: string): readonly string[] {
  return [shell, '-c', `echo 2>/dev/null >&${BEGINNING}; exec ${BEGINNING}>&-; exec "$@"`, 'sh']
}

/**
 * Returns the command that runs `command`, and beside it `companion`, once a line arrives for it: until then it is a waiting
 * shell. The program itself does not get the socket.
 */
export function accompaniedBy(
  companion: readonly string[],
  shell: string,
  command: readonly string[],
): readonly string[] {
  const waiting = `(read -r line <&${COMPANION} && exec ${companion.map(quote).join(' ')}) </dev/null >/dev/null 2>&1 &`
  return [shell, '-c', `${waiting}\nexec ${COMPANION}>&-; exec "$@"`, 'sh', ...command]
}

export function withBeginning(stdio: StdioOptions): StdioOptions {
  return Array.isArray(stdio) ? [...stdio, 'pipe'] : stdio
}

/** Resolves with whether the program itself runs, or has run. */
export async function hasBegun(child: ChildProcess, closed: Promise<void>): Promise<boolean> {
  const pipe = child.stdio[BEGINNING] as Readable | null | undefined
  if (pipe === null || pipe === undefined) return true
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<boolean>((resolve) => {
      pipe.once('data', () => resolve(true))
      pipe.once('error', () => resolve(false))
      pipe.once('close', () => resolve(false))
      void closed.then(() => resolve(false))
      timer = setTimeout(() => resolve(true), PATIENCE_MS)
    })
  } finally {
    clearTimeout(timer)
    pipe.destroy()
  }
}

/** Returns the child's first stderr output, whether or not something else reads the stream. */
export function firstWords(child: ChildProcess): () => string {
  const { stderr } = child
  let words = ''
  if (stderr?.readableFlowing === true) {
    stderr.on('data', (chunk: Buffer) => {
      if (words.length < MAX_WORDS) words += chunk.toString('utf8')
    })
  }
  return () => (words || String(stderr?.read() ?? '')).trim().slice(0, MAX_WORDS)
}

export function notContained(name: string, words: string): ProcessFailure {
  const why = words.split('\n').at(-1) ?? ''
  return {
    kind: 'not-contained',
    message: `The sandbox of ${name} could not be created${why === '' ? '' : `: ${why}`}.`,
  }
}
