import { access, constants, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { succeeds } from '../files/succeeds.ts'

/** Why a program could not be started: never the program's own fault. */
export interface ProcessFailure {
  readonly kind: 'not-found' | 'not-executable' | 'bad-directory' | 'spawn-failed' | 'not-contained'
  /** The reason, as a sentence. */
  readonly message: string
}

/** Returns what is wrong with a working directory; `null` if a program can be started in it. */
export async function directoryFailure(directory: string): Promise<ProcessFailure | null> {
  const failure = (what: string): ProcessFailure => ({
    kind: 'bad-directory',
    message: `The folder ${directory} ${what}.`,
  })
  try {
    if (!(await stat(directory)).isDirectory()) return failure('is not a folder')
    await access(directory, constants.X_OK)
    return null
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return failure('does not exist')
    return failure(code === 'EACCES' ? "can't be entered (no permission)" : `can't be read (${code})`)
  }
}

/** Converts the error of starting `name` (found at `program`, if that is a path) into its kind and a sentence. */
export async function startFailure(error: unknown, name: string, program: string): Promise<ProcessFailure> {
  const code = errorCode(error)
  if (code === 'ENOENT') return missing(name, program)
  if (code === 'EACCES') return { kind: 'not-executable', message: `${name} is not executable.` }
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'spawn-failed', message: `${name || 'The program'} could not be started: ${message}.` }
}

async function missing(name: string, program: string): Promise<ProcessFailure> {
  if (!isAbsolute(program)) return { kind: 'not-found', message: `${name} was not found on PATH.` }
  const isThere = await succeeds(stat(program))
  // The file exists and yet is "not found": the system looked for the interpreter in its first line.
  if (isThere)
    return { kind: 'not-found', message: `The interpreter named in the first line of ${name} was not found.` }
  return { kind: 'not-found', message: `${name} does not exist.` }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}
