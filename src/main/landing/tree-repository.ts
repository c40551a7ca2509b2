import { copyFile, mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readBeneath, withoutLinksIn } from '../files/beneath.ts'
import { type Git, gitAt, tryAsk } from './git.ts'
import type { Repository, Target } from './repository.ts'
import { escapeGlob } from './tree-stamps.ts'

/*
 * The repositories of a tree: the agent's own, and ours, which it can't write.
 */

const MAX_REFS_BYTES = 1024 * 1024
/** The operator's settings that decide how git writes files. */
const COPIED_SETTINGS =
  /^(?:user\.|core\.(?:autocrlf|eol|safecrlf|filemode|symlinks|ignorecase|precomposeunicode|longpaths)$)/

interface OwnRepository {
  readonly own: string
  readonly top: string
  readonly index: string
  readonly commit: string
  /** As `ownSettings` returned it. */
  readonly settings: string
}

/** Returns git for a separate repository that writes its objects into the operator's and has none of its refs. */
export async function ownGit(
  repository: Repository,
  { own, top, index, commit, settings }: OwnRepository,
): Promise<Git> {
  await makeGitDirectory(own, repository, { commit, settings })
  return gitAt({
    directory: top,
    env: {
      GIT_DIR: own,
      GIT_WORK_TREE: top,
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: join(repository.common, 'objects'),
    },
  })
}

async function makeGitDirectory(
  folder: string,
  repository: Repository,
  { commit, settings }: Pick<OwnRepository, 'commit' | 'settings'>,
): Promise<void> {
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'info'])
    await mkdir(join(folder, name), { recursive: true })
  const isSha256 = repository.algorithm === 'sha256'
  await Promise.all([
    writeFile(join(folder, 'HEAD'), `${commit}\n`),
    writeFile(join(folder, 'objects', 'info', 'alternates'), `${join(repository.common, 'objects')}\n`),
    writeFile(
      join(folder, 'config'),
      `[core]\n\trepositoryformatversion = ${isSha256 ? 1 : 0}\n\tbare = false\n\tlogallrefupdates = true\n${isSha256 ? '[extensions]\n\tobjectformat = sha256\n' : ''}${settings}`,
    ),
    repository.isShallow
      ? copyFile(join(repository.common, 'shallow'), join(folder, 'shallow')).catch(() => undefined)
      : rm(join(folder, 'shallow'), { force: true }),
  ])
}

/** Returns the operator's settings that a tree needs, as text of a configuration file. */
export async function ownSettings({ git }: Repository): Promise<string> {
  const listed = (await tryAsk(git, 'config', '--local', '--null', '--list')) ?? ''
  return listed
    .split('\0')
    .map((entry) => {
      const at = entry.indexOf('\n')
      const name = entry.slice(0, at)
      if (at < 0 || !COPIED_SETTINGS.test(name)) return ''
      const [section = '', key = ''] = name.split('.')
      return `[${section}]\n\t${key} = ${JSON.stringify(entry.slice(at + 1))}\n`
    })
    .join('')
}

export async function excludes({ common }: Repository, kept: readonly string[]): Promise<string> {
  const operators = await readFile(join(common, 'info', 'exclude'), 'utf8').catch(() => '')
  return `${operators}\n${kept.map((path) => `/${escapeGlob(path)}\n`).join('')}`
}

/** Creates the agent's repository in its tree: detached, with the target's branch, without remotes or hooks. */
export async function giveRepository(
  repository: Repository,
  { top, own, index, commit, settings, target }: OwnRepository & { readonly target: Target },
): Promise<void> {
  const folder = join(top, '.git')
  await makeGitDirectory(folder, repository, { commit, settings })
  await writeFile(join(folder, 'info', 'exclude'), await readFile(join(own, 'info', 'exclude')))
  await writeFile(
    join(folder, 'packed-refs'),
    `# pack-refs with: peeled fully-peeled sorted \n${commit} refs/heads/${target.branch}\n`,
  )
  await mkdir(join(folder, 'hooks'), { recursive: true })
  await copyIndexTo(index, join(folder, 'index'))
}

/** Keeps the modification time, which git compares to find files that changed within the same clock tick. */
async function copyIndexTo(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  const { atime, mtime } = await stat(from)
  await utimes(to, atime, mtime)
}

/** Reads the agent's refs as text: running git there would apply its configuration, which can name programs to run. */
export async function authorOf(git: Git, top: string, commit: string): Promise<string | null> {
  const folder = join(top, '.git')
  const read = async (name: string): Promise<string> => {
    const reading = await readBeneath(withoutLinksIn(top), `.git/${name}`, MAX_REFS_BYTES)
    return reading.ok ? reading.bytes.toString('utf8').trim() : ''
  }
  const head = await read('HEAD')
  const name = /^ref: (refs\/heads\/[^\0\s]+)$/.exec(head)?.[1]
  const id =
    name === undefined || name.includes('..')
      ? head
      : (await read(name)) ||
        (await read('packed-refs'))
          .split('\n')
          .find((line) => line.endsWith(` ${name}`))
          ?.split(' ')[0]
  if (id === undefined || id === commit || !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) return null
  const { ok, stdout } = await git(['cat-file', 'commit', id], {
    env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: join(folder, 'objects') },
  })
  return ok
    ? (/^author ([^<>\n]+ <[^<>\n]*>) \d+ [+-]\d{4}$/m.exec(stdout.split('\n\n')[0] ?? '')?.[1] ?? null)
    : null
}
