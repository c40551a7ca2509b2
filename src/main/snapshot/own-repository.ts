import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { HashAlgorithm } from './content.ts'
import type { GitOutput } from './git-command.ts'

/** In a git directory: the other folders whose objects can be read. */
export const ALTERNATES = 'objects/info/alternates'

/** Returns the content of `ALTERNATES`; quotes a path if git would misread it. */
export function alternatesOf(folders: readonly string[]): string {
  const quoted = (path: string): string =>
    /["\n\\]|^#/.test(path) ? `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"` : path
  return folders.map((folder) => `${quoted(folder)}\n`).join('')
}

/**
 * Creates an empty repository of ours with these alternates, which are written last. Does not ask git for what is known: each call costs a
 * program start. Rejects if it cannot be created.
 */
export async function makeRepository(
  gitDirectory: string,
  algorithm: HashAlgorithm,
  alternates: string,
  run: (args: readonly string[]) => Promise<GitOutput>,
): Promise<void> {
  if (process.platform === 'linux') {
    const configuration =
      algorithm === 'sha1'
        ? '[core]\nrepositoryformatversion = 0\n'
        : `[core]\nrepositoryformatversion = 1\n[extensions]\nobjectformat = ${algorithm}\n`
    await mkdir(join(gitDirectory, 'refs'), { recursive: true })
    await Promise.all([
      writeFile(join(gitDirectory, 'HEAD'), 'ref: refs/heads/main\n'),
      writeFile(join(gitDirectory, 'config'), `${configuration}[core]\nfilemode = true\nbare = false\n`),
    ])
  } else {
    const made = await run(['init', '--quiet', '--template=', `--object-format=${algorithm}`])
    if (!made.ok) throw new Error(made.error)
  }
  await mkdir(dirname(join(gitDirectory, ALTERNATES)), { recursive: true })
  await writeFile(join(gitDirectory, ALTERNATES), alternates)
}
