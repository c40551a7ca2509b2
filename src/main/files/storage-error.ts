import { RequestProblem } from '../../api/request-problem.ts'

/** What an errno of the file system means to the operator, and the remedy. */
const explanations: Readonly<Record<string, { readonly what: string; readonly remedy: string }>> = {
  ENOSPC: { what: 'the disk is full', remedy: 'free some space there and try again' },
  EDQUOT: { what: 'the disk quota is used up', remedy: 'free some space there and try again' },
  EROFS: {
    what: 'the file system is read-only',
    remedy: 'make it writable, or choose another data folder with --data-dir',
  },
  EACCES: {
    what: 'permission denied',
    remedy: 'give your user write access, or choose another data folder with --data-dir',
  },
  EPERM: {
    what: 'operation not permitted',
    remedy: 'give your user write access, or choose another data folder with --data-dir',
  },
  EIO: { what: 'the disk reports an input/output error', remedy: 'check the disk and start Pulseward again' },
  ENOENT: {
    what: 'a folder on the way does not exist',
    remedy: 'create it, or choose another data folder with --data-dir',
  },
  ENOTDIR: {
    what: 'a file stands where a folder is needed',
    remedy: 'move the file away, or choose another data folder with --data-dir',
  },
  EISDIR: { what: 'a folder stands where a file is needed', remedy: 'move the folder away' },
  EMFILE: { what: 'too many open files', remedy: 'raise the limit (ulimit -n) and start Pulseward again' },
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
  const remedy = known === undefined ? '' : `: ${known.remedy}`
  return new StorageError(`Cannot ${action} ${path}: ${what}${remedy}`, path, code, cause)
}

/** The errno's name of a file system error, or an empty string. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
