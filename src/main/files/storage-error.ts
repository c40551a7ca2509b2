import { constants } from 'node:os'
import { RequestProblem } from '../../api/request-problem.ts'

/** What an errno of the file system means to the operator, and the remedy. */
const explanations: Readonly<Record<string, { readonly what: string; readonly remedy: string }>> = {
  ENOSPC: { what: 'the disk is full', remedy: 'free some space there and try again' },
  EDQUOT: { what: 'the disk quota is used up', remedy: 'free some space there and try again' },
  EROFS: { what: 'the file system is read-only', remedy: 'make it writable' },
  EACCES: { what: 'permission denied', remedy: 'give your user access to it' },
  EPERM: { what: 'operation not permitted', remedy: 'give your user access to it' },
  EIO: { what: 'the disk reports an input/output error', remedy: 'check the disk and start Pulseward again' },
  ENOENT: { what: 'a folder on the way does not exist', remedy: 'create it' },
  ENOTDIR: { what: 'a file stands where a folder is needed', remedy: 'move the file away' },
  EISDIR: { what: 'a folder stands where a file is needed', remedy: 'move the folder away' },
  ENFILE: { what: 'too many open files on this machine', remedy: 'end some programs and try again' },
  EMFILE: { what: 'too many open files', remedy: 'raise the limit (ulimit -n) and start Pulseward again' },
  NOT_A_FILE: { what: 'it is no regular file', remedy: 'put a text file in its place' },
  LED_OUT: {
    what: 'a symbolic link leads out of the repository, or to a file of another kind, and is not followed',
    remedy: 'put the file itself in its place',
  },
  DANGLING: { what: 'it is a symbolic link to nothing', remedy: 'put the file itself in its place' },
  ELOOP: { what: 'the symbolic link leads to itself', remedy: 'let it lead to what it stands for' },
}
/** Where another data folder would do as well. */
const ELSEWHERE = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'])

/** A system error code as what happened and the remedy, to follow a colon. */
export function explainCode(code: string): string {
  const { what, remedy } = explanations[code] ?? {
    what: `the system reports ${code}`,
    remedy: 'check the file and its folder',
  }
  return `${what}. ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`
}

/** The data folder cannot be written or read. The message is one line: what failed, where, and the remedy. */
export class StorageError extends RequestProblem {
  override readonly name = 'StorageError'
  /** The errno's name, `ENOSPC` for instance; empty where the cause has none. */
  readonly code: string
  readonly path: string

  constructor(message: string, path: string, code: string, cause?: unknown) {
    super('storage', message, { cause })
    this.path = path
    this.code = code
  }
}

/** The cause as a `StorageError`; one that is one already stays as it is. `action` completes "Cannot …". */
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

/** The errno's name of a file system error, or an empty string. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  // The runtime has no name for some, a used-up quota among them: "Unknown system error -122".
  const errno = 'errno' in error ? -Number(error.errno) : 0
  const [name] = Object.entries(constants.errno).find(([, value]) => value === errno) ?? []
  return String(error.code).startsWith('Unknown') && name !== undefined ? name : String(error.code)
}

/** Whether an error says that nothing is at the path, or on the way to it. */
export function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error))
}

const OF_THE_MOMENT = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR'])

/** The machine could not read just now: nothing follows from it for what stands in the file, which must stay where it is. */
export function isOfTheMoment(error: unknown): boolean {
  return OF_THE_MOMENT.has(typeof error === 'string' ? error : errorCode(error))
}
