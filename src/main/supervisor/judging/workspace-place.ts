import { dirname, join, relative, sep } from 'node:path'
import type { SeenPlace } from '../../../core/claims/seen-from-repository.ts'
import { existsSync, lstat, realpath } from '../../files/names.ts'
import { succeeds } from '../../files/succeeds.ts'

/** How many folders are searched for the top of a repository. */
const MAX_DEPTH = 64

/** Returns a workspace's place in its repository, from the folders themselves: runs no program of the repository. */
export async function findPlace(directory: string): Promise<SeenPlace & { readonly top: string | null }> {
  const real = await realpath(directory).catch(() => directory)
  const top = await repositoryTop(real)
  const below = top === null ? '' : relative(top, real).split(sep).join('/')
  return {
    roots: [...new Set([directory, real])],
    prefix: below === '' ? '' : `${below}/`,
    exists: (path) => existsSync(join(directory, path)),
    top,
  }
}

async function repositoryTop(directory: string): Promise<string | null> {
  let folder = directory
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    if (await succeeds(lstat(join(folder, '.git')))) return folder
    const parent = dirname(folder)
    if (parent === folder) return null
    folder = parent
  }
  return null
}
