import { loadedBy } from '../../../core/custody/loaded-files.ts'
import { belongsToCheck } from '../../../core/custody/places-of-checks.ts'
import { isCalledProgram } from '../../../core/custody/reaching.ts'
import { groundOf, readBeneath } from '../../files/beneath.ts'
import type { CycleContext } from '../cycle-context.ts'

const MAX_SOURCE_BYTES = 1024 * 1024
/** Read of the sources that checks load, one through another. */
const MAX_LOADED = 1000

/**
 * Returns the files that the checks load, at once or one through another, and the check files themselves. A program that a check runs is what the check
 * is about: what it loads is a program's own. Never rejects.
 */
export async function findLoaded({
  ports,
  config,
}: Pick<CycleContext, 'ports' | 'config'>): Promise<ReadonlySet<string>> {
  const checks = await ports.custody.describe(config)
  const roots = checks
    .flatMap(({ executes }) => executes)
    .filter((path) => !isCalledProgram(path) || belongsToCheck(path, []))
  return new Set((await readLoaded(ports.directory, roots)).keys())
}

/** Returns these files and what they load, at once or one through another, with their texts; of one that is too long, an empty one. Never rejects. */
export async function readLoaded(
  directory: string,
  roots: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ground = groundOf(directory)
  const pending = [...new Set(roots)]
  const seen = new Set(pending)
  const loaded = new Map<string, string>()
  for (let path = pending.shift(); path !== undefined && loaded.size < MAX_LOADED; path = pending.shift()) {
    const reading = await readBeneath(ground, path, MAX_SOURCE_BYTES)
    if (!reading.ok && reading.code !== 'TOO_LARGE') continue
    const text = reading.ok ? reading.bytes.toString('utf8') : ''
    loaded.set(path, text)
    for (const next of loadedBy(path, text)) if (!seen.has(next)) pending.push(next)
    for (const next of pending) seen.add(next)
  }
  return loaded
}
