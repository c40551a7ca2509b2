import picomatch from 'picomatch'
import type { InstrumentWorld } from './instrument-world.ts'
import { join } from './open-words.ts'

/* Packages of a repository with several, as npm, pnpm, yarn, bun and lerna declare them. */

/** Where packages are by convention, in repositories that declare none. */
const USUAL = ['packages/*', 'apps/*', 'libs/*', 'libs/*/*']
const MAX_FOLDERS = 2000
const MAX_GLOBS = 100
const MAX_GLOB_LENGTH = 200

/**
 * Returns the folders of a workspace's packages that a selection names (by name, folder or pattern; all if it names none of them), from
 * the folder with the workspace's own `package.json`. Looks at 2,000 folders at most.
 */
export function packageFolders(
  root: string,
  selection: readonly string[],
  world: InstrumentWorld,
): readonly string[] {
  const declared = globsOf(root, world)
  const walk = { world, left: MAX_FOLDERS }
  const folders = (declared.length > 0 ? declared : USUAL)
    .flatMap((glob) => expand(glob.replace(/^\.\//, '').replace(/\/+$/, '').split('/'), root, walk))
    .filter((folder) => manifestsOf(folder).some(world.isFile))
  const unique = [...new Set(folders)]
  const named = unique.filter((folder) => selection.some((one) => isNamed(one, root, folder, world)))
  return named.length > 0 ? named : unique
}

function manifestsOf(folder: string): readonly string[] {
  return [join(folder, 'package.json'), join(folder, 'project.json')]
}

function globsOf(root: string, { readText }: InstrumentWorld): readonly string[] {
  const listed = ['package.json', 'lerna.json'].flatMap((name) => {
    const value = parsed(readText(join(root, name)))
    const workspaces = value.workspaces ?? value.packages
    const globs = Array.isArray(workspaces)
      ? workspaces
      : (workspaces as { packages?: unknown } | null)?.packages
    return Array.isArray(globs) ? globs.filter((glob) => typeof glob === 'string') : []
  })
  const yaml = readText(join(root, 'pnpm-workspace.yaml')) ?? ''
  const ofPnpm = [...yaml.matchAll(/^[ \t]*-\s*['"]?([^\s'"#]+)/gm)].map(([, glob = '']) => glob)
  return [...listed, ...ofPnpm].filter(isPlain).slice(0, MAX_GLOBS)
}

/** Omits exclusions, and patterns that lead out of the workspace or are too long, because an agent may have written them. */
function isPlain(glob: string): boolean {
  return glob.length <= MAX_GLOB_LENGTH && !/^[!/]|(?:^|\/)\.\.(?:\/|$)/.test(glob)
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

interface Walk {
  readonly world: InstrumentWorld
  left: number
}

function expand(segments: readonly string[], folder: string, walk: Walk): readonly string[] {
  const [segment, ...rest] = segments
  if (segment === undefined) return [folder]
  if (!/[*?{[]/.test(segment)) return expand(rest, join(folder, segment), walk)
  const isMatch = segment === '**' ? () => true : picomatch(segment)
  const below = walk.world
    .foldersIn(folder)
    .filter((name) => !/^(?:\.|node_modules$)/.test(name) && isMatch(name))
  walk.left -= below.length
  if (walk.left < 0) return []
  const deeper = segment === '**' ? segments : rest
  return [
    ...(segment === '**' ? expand(rest, folder, walk) : []),
    ...below.flatMap((name) => expand(deeper, join(folder, name), walk)),
  ]
}

/** Returns whether a filter selects the package: `@x/cart`, `./packages/cart`, `@x/*`, `cart...`, `{packages/cart}[main]`. */
function isNamed(selected: string, root: string, folder: string, { readText }: InstrumentWorld): boolean {
  const plain = selected.replace(/^[.^]*(?=@|\w|\*)|\.\.\.$|\[[^\]]*\]$/g, '').replace(/^\.?\/|[{}]/g, '')
  if (plain === '') return false
  const { name } = parsed(readText(join(folder, 'package.json')))
  const names = [typeof name === 'string' ? name : '', folder]
  const isMatch = picomatch(plain)
  return names.includes(plain) || join(root, plain) === folder || names.some((each) => isMatch(each))
}
