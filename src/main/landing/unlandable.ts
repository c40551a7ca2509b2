import { posix } from 'node:path'
import { ask } from './git.ts'
import { filterOf, type Repository } from './repository.ts'

/** Maximum number of changed links. */
const MAX_LINKS = 500

/**
 * Returns in a sentence why the changes between two trees cannot land as they were judged, or `null`. Git stores only a reference for a
 * nested repository or a link, and a filter changes contents.
 */
export async function whyUnlandable(
  repository: Repository,
  from: string,
  to: string,
): Promise<string | null> {
  const { git } = repository
  const fields = (await ask(git, 'diff-tree', '-r', '-z', '--no-renames', from, to)).split('\0')
  let hasAttributes = false
  let links = 0
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode, , id = ''] = fields[at]?.slice(1).split(' ') ?? []
    const path = fields[at + 1] ?? ''
    if (mode === '160000') return `It contains a nested git repository (${path}), whose files would not land`
    if (mode === '120000') links += 1
    if (links > MAX_LINKS) return `It has more than ${MAX_LINKS} links, which are not all looked at`
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
