import { loadedFrom } from '../../../core/custody/loaded-files.ts'
import { belongsToCheck } from '../../../core/custody/places-of-checks.ts'
import { isCalledProgram } from '../../../core/custody/reaching.ts'
import { groundOf, readBeneath } from '../../files/beneath.ts'
import type { CycleContext } from '../cycle-context.ts'

const MAX_SOURCE_BYTES = 1024 * 1024

/**
 * Returns the files that the checks load, directly or through other files, and the check files themselves. A program that a
 * check runs is the subject of the check, so the files that it loads belong to a program. Never rejects.
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

/** Returns these files and what they load, directly or through other files, with their texts; a text that is too long is
 * empty. Never rejects. */
export function readLoaded(
  directory: string,
  roots: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ground = groundOf(directory)
  return loadedFrom(roots, async (paths) => {
    const texts = new Map<string, string>()
    for (const path of paths) {
      const reading = await readBeneath(ground, path, MAX_SOURCE_BYTES)
      if (reading.ok || reading.code === 'TOO_LARGE')
        texts.set(path, reading.ok ? reading.bytes.toString('utf8') : '')
    }
    return texts
  })
}
