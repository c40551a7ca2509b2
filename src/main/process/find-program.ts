import { constants } from 'node:fs'
import { access, open, realpath, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { succeeds } from '../files/succeeds.ts'
import { type ProcessFailure, startFailure } from './start-failure.ts'

/**
 * Returns where a program started as `name` in `directory` would be found: an absolute path, or the failure that starting it
 * would give. For programs that are started by another one, whose error message would be taken for theirs.
 */
export async function findProgram(
  name: string,
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | ProcessFailure> {
  const places = name.includes('/')
    ? [resolve(directory, name)]
    : (env.PATH ?? '')
        .split(delimiter)
        .filter((folder) => folder !== '')
        .map((folder) => join(resolve(directory, folder), name))
  let denied: string | null = null
  for (const place of places) {
    const problem = await problemOf(place)
    if (problem === null) return place
    if (problem === 'EACCES') denied = place
  }
  const error = Object.assign(new Error(name), { code: denied === null ? 'ENOENT' : 'EACCES' })
  return startFailure(error, name, denied ?? (name.includes('/') ? (places[0] ?? name) : name))
}

async function problemOf(place: string): Promise<'ENOENT' | 'EACCES' | null> {
  try {
    if (!(await stat(place)).isFile()) return 'EACCES'
  } catch {
    return 'ENOENT'
  }
  try {
    await access(place, constants.X_OK)
  } catch {
    return 'EACCES'
  }
  const interpreter = await interpreterOf(place)
  return interpreter === null || (await isThere(interpreter)) ? null : 'ENOENT'
}

/** Returns the interpreter in a script's first line; `null` for anything else. */
async function interpreterOf(place: string): Promise<string | null> {
  const handle = await open(place, 'r').catch(() => null)
  if (handle === null) return null
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(256), 0, 256, 0)
    const path = /^#![ \t]*([^\s]+)/.exec(buffer.toString('utf8', 0, bytesRead))?.[1]
    return path !== undefined && isAbsolute(path) ? path : null
  } finally {
    await handle.close()
  }
}

async function isThere(path: string): Promise<boolean> {
  return succeeds(realpath(path))
}
