import { dirname } from 'node:path'
import { exists } from '../files/durable-file.ts'
import { access, constants, stat } from '../files/names.ts'
import { errorCode, explainCode } from '../files/storage-error.ts'

/** What every such problem ends with. */
const OR_ANOTHER = 'Or name another data folder with --data-dir.'

/**
 * Why a path cannot be a data folder, whoever asks: what, where and the remedy. `null` where it is one, or where the first start can
 * create it; whether it can be written is not asked. Never rejects.
 */
export async function problemOfDataDirectory(path: string): Promise<string | null> {
  const found = await look(path)
  if (found.kind === 'folder') return readProblem(path)
  if (found.kind === 'file') return `The data folder ${path} is a file. Move it away. ${OR_ANOTHER}`
  if (found.kind === 'unknown') return `The data folder ${path}: ${explainCode(found.code)} ${OR_ANOTHER}`
  if (await exists(path)) {
    return `The data folder ${path} is a link to what is not there. Create what it leads to. ${OR_ANOTHER}`
  }
  const parent = dirname(path)
  if ((await look(parent)).kind === 'folder') return null
  return `The data folder ${path} cannot be created: there is no folder ${parent}. Create that one. ${OR_ANOTHER}`
}

/**
 * Why a data folder cannot be written, or one that is not there yet not created: the system's code, and a sentence with the remedy. `null`
 * where nothing is known to keep this user from it. Never rejects.
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

/** What the system says against it; `null`: nothing. */
async function accessCode(path: string, mode: number): Promise<string | null> {
  return access(path, mode).then(() => null, errorCode)
}

type Found =
  | { readonly kind: 'folder' | 'file' | 'missing' }
  | { readonly kind: 'unknown'; readonly code: string }

/** What a path leads to. */
async function look(path: string): Promise<Found> {
  try {
    return { kind: (await stat(path)).isDirectory() ? 'folder' : 'file' }
  } catch (error) {
    const code = errorCode(error)
    return code === 'ENOENT' ? { kind: 'missing' } : { kind: 'unknown', code }
  }
}
