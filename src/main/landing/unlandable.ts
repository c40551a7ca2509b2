import { posix } from 'node:path'
import type { Change } from './changes.ts'
import { ask } from './git.ts'
import { filterOf, type Repository } from './repository.ts'

/** Maximum number of changed links. */
const MAX_LINKS = 500

/**
 * Returns in a sentence why changes that lead to the tree `to` cannot land as they were judged, or `null`. Git stores only a reference for
 * a nested repository or a link, and a filter changes contents.
 */
export async function whyUnlandable(
  repository: Repository,
  changes: readonly Change[],
  to: string,
): Promise<string | null> {
  const { git } = repository
  let hasAttributes = false
  let links = 0
  for (const { mode, id, path } of changes) {
    if (mode === '160000') return `It contains a nested git repository (${path}), whose files would not land`
    if (mode === '120000') links += 1
    if (links > MAX_LINKS) return `It has more than ${MAX_LINKS} links, too many to check`
    if (mode === '120000' && leadsOut(path, await ask(git, 'cat-file', 'blob', id)))
      return `It has a link to a place outside of the repository (${path}), whose files would not land`
    hasAttributes ||= posix.basename(path) === '.gitattributes'
  }
  if (!hasAttributes) return null
  const filter = await filterOf(repository, to)
  return filter === null
    ? null
    : `Its .gitattributes sends files through a filter (${filter}): other contents would land than were judged`
}

function leadsOut(path: string, link: string): boolean {
  if (/^(?:[\\/]|[A-Za-z]:)/.test(link)) return true
  const goal = posix.normalize(posix.join(posix.dirname(path), link))
  return goal === '..' || goal.startsWith('../')
}
