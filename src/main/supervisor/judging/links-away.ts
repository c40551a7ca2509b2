import { basename, dirname, join, resolve } from 'node:path'
import type { FileDifference } from '../../../core/verification/types.ts'
import { existsSync, realpathSync } from '../../files/names.ts'
import { lstatAt } from '../../files/stats-at.ts'
import type { CycleContext } from '../cycle-context.ts'

/**
 * Returns new links that replace sources, or take precedence over a source of the same name, and lead to files that no difference shows:
 * ignored by git, or outside the workspace. A check would then measure something other than the work. Never rejects.
 */
export async function findLinksAway(
  { directory, snapshotter }: Pick<CycleContext['ports'], 'directory' | 'snapshotter'>,
  difference: FileDifference,
): Promise<readonly string[]> {
  const links = replacing(difference).flatMap((path) => {
    const target = targetOf(join(directory, path))
    return target !== null && (isReplaced(path, difference) || goesBeforeModule(directory, path, difference))
      ? [{ path, target }]
      : []
  })
  if (links.length === 0) return []
  const shown = await snapshotter.measurable(
    directory,
    links.map(({ target }) => target),
    difference,
  )
  return links.filter((_link, at) => shown[at] !== true).map(({ path }) => path)
}

function replacing({ added, modified, renamed }: FileDifference): readonly string[] {
  return [...added, ...modified, ...renamed.map(({ to }) => to)]
}

/** Returns a link's final target, absolute; `null` if it is not a link, or leads nowhere. */
function targetOf(file: string): string | null {
  const stats = lstatAt(file)
  if (typeof stats !== 'object' || !stats.isSymbolicLink()) return null
  try {
    return resolve(realpathSync(file))
  } catch {
    return null
  }
}

/** Whether the link replaced a file, or a folder with files. */
function isReplaced(path: string, { modified, deleted, renamed }: FileDifference): boolean {
  const gone = [...deleted, ...renamed.map(({ from }) => from)]
  return modified.includes(path) || gone.some((one) => one === path || one.startsWith(`${path}/`))
}

/** Python prefers the folder `cart` to `cart.py`. */
function goesBeforeModule(directory: string, path: string, { deleted }: FileDifference): boolean {
  const module = join(dirname(path), `${basename(path)}.py`)
  return existsSync(join(directory, module)) || deleted.includes(module)
}
