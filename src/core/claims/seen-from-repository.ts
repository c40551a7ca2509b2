import { percentDecoded } from '../text/percent-decoded.ts'
import type { Claim, FileReference } from './types.ts'

/** Where a workspace is: the paths under which an agent may see it. */
export interface SeenPlace {
  /** Absolute paths of the workspace, with links resolved and as given. */
  readonly roots: readonly string[]
  /** Path of the workspace below the top of its repository, ending with `/`; empty if it is the top or not in a repository. */
  readonly prefix: string
  /** Returns whether a path, as written, names something in the workspace. */
  readonly exists: (path: string) => boolean
}

/**
 * Returns the claim with its paths relative to the workspace. Agents also give them relative to the top of the repository, or absolute with
 * links resolved. A path that exists as written is kept. Pure except for `exists`; never throws.
 */
export function seenFromWorkspace(claim: Claim, place: SeenPlace): Claim {
  const files = claim.files.map((file): FileReference => {
    const path = seenPath(file.path, place)
    return path === file.path ? file : { ...file, path, entry: path }
  })
  const evidence = claim.evidence.map((item) => evidenceInside(item, place))
  return { ...claim, files, evidence }
}

/** Returns a path relative to the workspace; unchanged if it exists as written or is elsewhere. */
export function seenPath(written: string, place: SeenPlace): string {
  const path = fromAddress(written.trim())
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
  const root = [...rootStarts(place), ...upAndDownAgain(place)].find((start) => path.startsWith(start))
  if (root !== undefined) return path.slice(root.length)
  const outer = [place.prefix, `${folderName(place)}/`].find(
    (start) => start.length > 1 && path.startsWith(start) && path !== start,
  )
  return outer === undefined || place.exists(path) ? written : path.slice(outer.length)
}

/** `file:///work/a%20b.md#L3` is a path too; any other address or text stays unchanged. */
function fromAddress(text: string): string {
  const path = /^file:\/\/(?:localhost)?(\/.*)$/is.exec(text)?.[1]
  if (path === undefined) return text
  const bare = path.replace(/^\/(?=[A-Za-z]:\/)/, '').replace(/#L\d[\dL-]*$/i, '')
  return percentDecoded(bare) ?? bare
}

function rootStarts({ roots }: SeenPlace): readonly string[] {
  return roots.map((root) => `${root.replaceAll('\\', '/').replace(/\/+$/, '')}/`)
}

/** Returns the ways to leave the workspace and re-enter it by name: `../app/`, `../../packages/app/`. */
function upAndDownAgain(place: SeenPlace): readonly string[] {
  const folders = place.prefix === '' ? [folderName(place)] : place.prefix.replace(/\/$/, '').split('/')
  return folders.map((_, depth) => `${'../'.repeat(depth + 1)}${folders.slice(-depth - 1).join('/')}/`)
}

function folderName({ roots }: SeenPlace): string {
  return roots[0]?.replaceAll('\\', '/').replace(/\/+$/, '').split('/').at(-1) ?? ''
}

/** Rewrites paths at the beginning of a word of the item; quotations inside it stay unchanged. */
function evidenceInside(item: string, { roots, prefix, exists }: SeenPlace): string {
  const starts = [...roots.map((root) => `${root.replace(/\/+$/, '')}/`), ...(prefix === '' ? [] : [prefix])]
  return item
    .split(/(\s+)/)
    .map((word) => {
      const mark = /^[`'"(<[]*(?:\.\/)*/.exec(word)?.[0] ?? ''
      const path = word.slice(mark.length)
      const start = starts.find((one) => path.startsWith(one) && path.length > one.length)
      const named = path.replace(/[`'")>\]]+$/, '').replace(/:.*$/, '')
      return start === undefined || (start === prefix && exists(named))
        ? word
        : mark + path.slice(start.length)
    })
    .join('')
}
