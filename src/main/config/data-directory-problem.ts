import { dirname } from 'node:path'
import { exists } from '../files/durable-file.ts'
import { access, constants, stat } from '../files/names.ts'
import { errorCode, explainCode } from '../files/storage-error.ts'

/** The last sentence of every such problem. */
const OR_ANOTHER = 'Or choose another data folder with --data-dir.'

/**
 * Returns why a path cannot be a data folder, and how to fix it. `null` if it is one, or if the first start can create it; does not check
 * whether it is writable. Never rejects.
 */
export async function problemOfDataDirectory(path: string): Promise<string | null> {
  const found = await look(path)
  if (found.kind === 'folder') return readProblem(path)
  if (found.kind === 'file') return `The data folder ${path} is a file. Move it away. ${OR_ANOTHER}`
  if (found.kind === 'unknown') return `The data folder ${path}: ${explainCode(found.code)} ${OR_ANOTHER}`
  if (await exists(path)) {
    return `The data folder ${path} is a broken link. Create its target. ${OR_ANOTHER}`
  }
  const parent = dirname(path)
  if ((await look(parent)).kind === 'folder') return null
  return `The data folder ${path} cannot be created: there is no folder ${parent}. Create that one. ${OR_ANOTHER}`
}

/**
 * Returns why a data folder is not writable, or a missing one cannot be created: the system's code, and a sentence with the fix.
 * `null` if nothing seems to prevent this user. Never rejects.
 */
export async function writeProblemOfDataDirectory(
  path: string,
): Promise<{ readonly code: string; readonly message: string } | null> {
  const isFolder = (await look(path)).kind === 'folder'
  const written = isFolder ? path : dirname(path)
  const code = await accessCode(written, constants.W_OK | constants.X_OK)
  if (code === null) return null
  const what = isFolder ? 'cannot be written' : `cannot be created in ${written}`
  return { code, message: `The data folder ${path} ${what}: ${explainCode(code)} ${OR_ANOTHER}` }
}

async function readProblem(path: string): Promise<string | null> {
  const code = await accessCode(path, constants.R_OK | constants.X_OK)
  return code === null ? null : `The data folder ${path} cannot be read: ${explainCode(code)} ${OR_ANOTHER}`
}

/** Returns the system's error code; `null` if there is none. */
async function accessCode(path: string, mode: number): Promise<string | null> {
  return access(path, mode).then(() => null, errorCode)
}

type Found =
  | { readonly kind: 'folder' | 'file' | 'missing' }
  | { readonly kind: 'unknown'; readonly code: string }

/** Returns what a path leads to. */
async function look(path: string): Promise<Found> {
  try {
    return { kind: (await stat(path)).isDirectory() ? 'folder' : 'file' }
  } catch (error) {
    const code = errorCode(error)
    return code === 'ENOENT' ? { kind: 'missing' } : { kind: 'unknown', code }
  }
}
