import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readBoundedFile } from '../files/bounded-file.ts'
import { ask } from './git.ts'
import { isThere, type Repository } from './repository.ts'

/**
 * Reconnects a repository and its work trees after one of them was moved: git would treat a moved work tree as gone, and its branch would
 * move without its files. Does nothing if a work tree was copied, because then two places claim to be the same one. Returns whether it
 * repaired something.
 */
export async function mendWorkTrees({ git, common, top }: Repository): Promise<boolean> {
  const names = await readdir(join(common, 'worktrees')).catch(() => [])
  if (names.length === 0) return false
  const own = await ask(git, 'rev-parse', '--path-format=absolute', '--git-dir')
  const states = await Promise.all(
    names.map((name) => {
      const data = join(common, 'worktrees', name)
      return stateOf(data, data === own ? join(top, '.git') : null)
    }),
  )
  if (states.includes('copied') || !states.includes('moved')) return false
  await ask(git, 'worktree', 'repair')
  return true
}

/** `link`: where the work tree is now, if that is known. */
async function stateOf(data: string, link: string | null): Promise<'whole' | 'moved' | 'copied'> {
  const recorded = await textOf(join(data, 'gitdir'))
  if (link !== null && recorded !== link) return (await isThere(recorded)) ? 'copied' : 'moved'
  const back = (await textOf(recorded)).replace(/^gitdir: /, '')
  if (back === '' || back === data) return 'whole'
  return (await isThere(back)) ? 'copied' : 'moved'
}

async function textOf(path: string): Promise<string> {
  const reading = await readBoundedFile(path, 4096)
  return reading.ok ? reading.bytes.toString('utf8').trim() : ''
}
