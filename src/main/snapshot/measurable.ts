import { join, resolve } from 'node:path'
import { existsSync, lstat, readdir, realpath } from '../files/names.ts'
import { IGNORED_BY_GIT } from '../ports/snapshotter.ts'
import { type GitOutput, runGit } from './git-command.ts'
import { configKey } from './git-config-key.ts'
import { findWorkTree } from './git-work-tree.ts'
import { fromText, isWithin, type RawPath, relativeWithin } from './raw-path.ts'
import { withScratchRepository } from './scratch-repository.ts'
import { SKIPPED_FOLDERS } from './walk-snapshot.ts'

type Answer = true | string

/**
 * Returns for each path whether a snapshot of `directory` would see it, or why not. `paths` are as claimed, absolute or relative; those
 * `seen` in a difference need no check.
 */
export async function findMeasurable(
  directory: string,
  paths: readonly string[],
  excluded: readonly RawPath[],
  seen: ReadonlySet<string>,
  isWalkedForGit = false,
): Promise<Answer[]> {
  if (paths.length === 0) return []
  const real = await realpath(directory).catch(() => directory)
  const places = await Promise.all(paths.map((path) => placeOf(path.replaceAll('\\', '/'), directory, real)))
  if (places.every((one) => 'reason' in one || seen.has(one.inside)))
    return places.map((one) => ('reason' in one ? one.reason : true))
  if (isWalkedForGit) return withScratchAnswers(real, places, excluded, seen)
  // In parallel to be quick; without a work tree the second answer is unused.
  const [workTree, ignored] = await Promise.all([
    findWorkTree(directory, configKey(directory)),
    findIgnored(directory, places),
  ])
  return answers(places, excluded, seen, 'kind' in workTree ? null : ignored)
}

/** If a repository stopped working, `.gitignore` still applies: git is asked without that repository. */
async function withScratchAnswers(
  directory: string,
  places: readonly Place[],
  excluded: readonly RawPath[],
  seen: ReadonlySet<string>,
): Promise<Answer[]> {
  const ignored = await withScratchRepository(directory, '', ({ run }) =>
    findIgnored(directory, places, (args, input) => run(directory, args, { input })),
  )
  return answers(places, excluded, seen, ignored)
}

/** `ignored`: the reason why each path is ignored; null without a repository. */
function answers(
  places: readonly Place[],
  excluded: readonly RawPath[],
  seen: ReadonlySet<string>,
  ignored: ReadonlyMap<string, string> | null,
): Answer[] {
  return places.map((one) => {
    if ('reason' in one) return one.reason
    if (seen.has(one.inside)) return true
    if (excluded.some((folder) => isWithin(fromText(one.inside), folder)))
      return "it is one of Pulseward's own files"
    const skipped = one.inside
      .split('/')
      .find((name) => (ignored === null ? SKIPPED_FOLDERS : ['.git']).includes(name))
    if (skipped !== undefined) return `it is in ${skipped}, which is not searched`
    return ignored?.get(one.inside) ?? true
  })
}

/** Path in the workspace, with `/`, and whether it exists; or why there is none. */
type Place = { readonly inside: string; readonly isThere: boolean } | { readonly reason: string }

async function placeOf(path: string, directory: string, real: string): Promise<Place> {
  if (path.includes('\0')) return { reason: 'it is not a valid path' }
  const absolute = resolve(directory, path)
  const inside = relativeWithin(directory, absolute) ?? relativeWithin(real, absolute)
  if (inside === null) return { reason: 'it is outside the workspace' }
  const names = inside.split('/')
  for (let depth = 1; depth < names.length; depth++) {
    const parent = join(real, ...names.slice(0, depth))
    if (!(await isLink(parent))) continue
    const target = await realpath(parent).catch(() => null)
    const isOutside = target === null || relativeWithin(real, target) === null
    const link = names.slice(0, depth).join('/')
    return {
      reason: isOutside
        ? `${link} is a link that leads outside the workspace`
        : `${link} is a link; its files are checked where they really are`,
    }
  }
  return placeInside(inside, join(real, inside))
}

/** A snapshot does not see non-files and folders without files, so the agent may well have created them. */
async function placeInside(inside: string, path: string): Promise<Place> {
  const stats = await lstat(path).catch(() => null)
  if (stats === null) return { inside, isThere: false }
  if (stats.isDirectory())
    return (await holdsNoFile(path))
      ? { reason: 'it is an empty folder, which a snapshot does not see' }
      : { inside, isThere: true }
  return stats.isFile() || stats.isSymbolicLink()
    ? { inside, isThere: true }
    : { reason: 'it is a pipe, a socket or a device, which a snapshot does not read' }
}

/** Folders searched before one is assumed to contain files. */
const MAX_EMPTY_FOLDERS = 1000

async function holdsNoFile(top: string): Promise<boolean> {
  const folders = [top]
  for (let looked = 0; looked < MAX_EMPTY_FOLDERS; looked++) {
    const folder = folders.pop()
    if (folder === undefined) return true
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => null)
    if (entries === null || entries.some((entry) => !entry.isDirectory())) return false
    folders.push(...entries.map((entry) => join(folder, entry.name)))
  }
  return false
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  )
}

type AskGit = (args: readonly string[], input: Buffer, folder?: string) => Promise<GitOutput>

/** Returns reasons by path. Asks git about all at once; one by one if git refuses them because of one. */
async function findIgnored(
  directory: string,
  places: readonly Place[],
  ask: AskGit = (args, input, folder = '') => runGit(join(directory, folder), args, { input }),
): Promise<Map<string, string>> {
  const inside = places.flatMap((one) => ('inside' in one && one.inside !== '' ? askedOf(one) : []))
  const reasons = new Map<string, string>()
  if (inside.length === 0) return reasons
  const together = await checkIgnore(ask, inside)
  const ignored =
    together ?? (await Promise.all(inside.map((path) => checkOne(ask, path, directory, reasons)))).flat()
  for (const path of ignored) if (path !== null) reasons.set(path.replace(/\/$/, ''), IGNORED_BY_GIT)
  return reasons
}

/** A missing path may have been a folder: a rule such as `dist/` only matches folders, and git can no longer see that it was one. */
function askedOf({ inside, isThere }: Extract<Place, { inside: string }>): readonly string[] {
  return isThere ? [inside] : [inside, `${inside}/`]
}

/** Asks a nested repository about its own files, because this one's git does not know them; a snapshot reads it too. */
async function checkOne(
  ask: AskGit,
  path: string,
  directory: string,
  reasons: Map<string, string>,
): Promise<string[]> {
  const names = path.replace(/\/$/, '').split('/')
  const folders = names.slice(1).map((_, depth) => names.slice(0, depth + 1).join('/'))
  const folder = folders.findLast((one) => existsSync(join(directory, one, '.git')))
  if (folder === undefined) return (await checkIgnore(ask, [path], reasons)) ?? []
  const within: AskGit = (args, input) => ask(args, input, folder)
  const found = await checkIgnore(within, [path.slice(folder.length + 1)])
  if (found === null) reasons.set(path, `git can't tell what is in ${folder}`)
  return (found ?? []).map((one) => `${folder}/${one}`)
}

async function checkIgnore(
  ask: AskGit,
  paths: readonly string[],
  refused?: Map<string, string>,
): Promise<string[] | null> {
  const output = await ask(
    ['check-ignore', '-z', '--stdin'],
    // With "./" in front, a name that begins with ":" is not pathspec magic.
    Buffer.from(paths.map((path) => `./${path}\0`).join('')),
  )
  // Exit code 1 without output: none of them.
  if (output.ok || output.exitCode === 1)
    return output.stdout
      .toString('utf8')
      .split('\0')
      .filter(Boolean)
      .map((path) => path.slice('./'.length))
  for (const path of paths) refused?.set(path, `git can't tell: ${output.error}`)
  return null
}
