import { constants } from 'node:os'
import { RequestProblem } from '../../api/request-problem.ts'

/** What a file system errno means to the operator, and the fix. */
const explanations: Readonly<Record<string, { readonly what: string; readonly remedy: string }>> = {
  ENOSPC: { what: 'the disk is full', remedy: 'free some space there and try again' },
  EDQUOT: { what: 'the disk quota is used up', remedy: 'free some space there and try again' },
  EROFS: { what: 'the file system is read-only', remedy: 'make it writable' },
  EACCES: { what: 'permission denied', remedy: 'give your user access to it' },
  EPERM: { what: 'operation not permitted', remedy: 'give your user access to it' },
  EIO: { what: 'the disk reports an input/output error', remedy: 'check the disk and restart Pulseward' },
  ENOENT: { what: 'a parent folder does not exist', remedy: 'create it' },
  ENOTDIR: { what: 'there is a file where a folder is needed', remedy: 'move the file away' },
  EISDIR: { what: 'there is a folder where a file is needed', remedy: 'move the folder away' },
  ENFILE: { what: 'too many open files on this machine', remedy: 'end some programs and try again' },
  EMFILE: { what: 'too many open files', remedy: 'raise the limit (ulimit -n) and restart Pulseward' },
  NOT_A_FILE: { what: 'it is not a regular file', remedy: 'replace it with a text file' },
  LED_OUT: {
    what: 'a symbolic link leads out of the repository, to nothing, or to another kind of file, so it is not followed',
    remedy: 'replace the link with the file itself',
  },
  DANGLING: { what: 'it is a broken symbolic link', remedy: 'replace the link with the file itself' },
  ELOOP: { what: 'the symbolic link leads to itself', remedy: 'point it to the right file' },
}
/** Part of the fix if another data folder would help. */
const ELSEWHERE = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'])

/** Explains a system error code with the fix; the text follows a colon. */
export function explainCode(code: string): string {
  const { what, remedy } = explanations[code] ?? {
    what: `the system reports ${code}`,
    remedy: 'check the file and its folder',
  }
  return `${what}. ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`
}

/** The data folder cannot be written or read. The message is one line: what failed, where, and the fix. */
export class StorageError extends RequestProblem {
  override readonly name = 'StorageError'
  /** The errno's name, `ENOSPC` for instance; empty if the cause has none. */
  readonly code: string
  readonly path: string

  constructor(message: string, path: string, code: string, cause?: unknown) {
    super('storage', message, { cause })
    this.path = path
    this.code = code
  }
}

/** Returns the cause as a `StorageError`; an existing one is returned unchanged. `action` completes "Cannot …". */
export function storageError(action: string, path: string, cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause
  const code = errorCode(cause)
  const known = explanations[code]
  const what =
    known === undefined ? String(cause instanceof Error ? cause.message : cause) : `${known.what} (${code})`
  const elsewhere = ELSEWHERE.has(code) ? ', or choose another data folder with --data-dir' : ''
  const remedy = known === undefined ? '' : `: ${known.remedy}${elsewhere}`
  return new StorageError(`Cannot ${action} ${path}: ${what}${remedy}`, path, code, cause)
}

/** Returns the `StorageError` for a read of which only the code is known. */
export function readError(path: string, code: string): StorageError {
  return storageError('read', path, Object.assign(new Error(code), { code }))
}

/** Returns the errno's name of a file system error, or an empty string. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  // Node.js has no name for some, including an exceeded quota: "Unknown system error -122".
  const errno = 'errno' in error ? -Number(error.errno) : 0
  const [name] = Object.entries(constants.errno).find(([, value]) => value === errno) ?? []
  return String(error.code).startsWith('Unknown') && name !== undefined ? name : String(error.code)
}

/** Returns whether an error says that the path, or a parent, does not exist. */
export function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error))
}

const OF_THE_MOMENT = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR'])

/** Returns whether the machine could not read right now: that says nothing about the file, which must stay where it is. */
export function isOfTheMoment(error: unknown): boolean {
  return OF_THE_MOMENT.has(typeof error === 'string' ? error : errorCode(error))
}
