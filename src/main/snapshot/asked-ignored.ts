import { lstatSync } from '../files/names.ts'
import { type Content, type ContentReader, mayDiffer } from './content.ts'
import { fromText, isWithin, placeOnDisk, type RawPath, toText } from './raw-path.ts'
import { listFiles, readContents } from './walk-snapshot.ts'

/** Files that git ignores but a check asks about, at one moment: build output, a log. */
export interface AskedIgnored {
  readonly contents: ReadonlyMap<RawPath, Content>
  /** Folders with more files than are read. */
  readonly tooLarge: readonly RawPath[]
}

const MAX_ASKED = 50
const LIMITS = { maxEntries: 20_000, maxMs: 1000 }

/**
 * Reads those `asked` paths that git ignores, and folders with everything in them; follows no links. `ignored`: in git's notation, folders
 * ending in "/". Never rejects.
 */
export async function readAskedIgnored(
  directory: string,
  asked: readonly string[],
  ignored: readonly RawPath[],
  excluded: readonly RawPath[],
  reader: ContentReader,
): Promise<AskedIgnored> {
  const isIgnored = (path: RawPath): boolean =>
    ignored.some((one) => (one.endsWith('/') ? isWithin(path, one.slice(0, -1)) : path === one))
  const paths = asked.map(fromText).filter((path) => isIgnored(path) && !isBehindLink(directory, path))
  const tooLarge: RawPath[] = []
  const files: RawPath[] = []
  for (const path of paths.slice(0, MAX_ASKED)) {
    const listing = isFolder(directory, path) ? await listFiles(directory, path, excluded, LIMITS) : null
    files.push(...(listing?.files ?? [path]))
    if (listing !== null && (listing.cutAt !== null || listing.unreadable.length > 0)) tooLarge.push(path)
  }
  return { contents: await readContents(files, reader), tooLarge }
}

/** Returns which of them changed, and for which folders that is unknown. `isShown`: git has seen it. */
export function changedIgnored(
  before: AskedIgnored,
  after: AskedIgnored,
  isShown: (path: RawPath) => boolean,
): { readonly changed: readonly string[]; readonly unsure: readonly string[] } {
  const unread = [...before.tooLarge, ...after.tooLarge]
  const paths = new Set([...before.contents.keys(), ...after.contents.keys()])
  const isRead = (path: RawPath): boolean => !unread.some((folder) => isWithin(path, folder))
  const differing = [...paths].filter((path) => before.contents.get(path) !== after.contents.get(path))
  const isSure = (path: RawPath): boolean => {
    const [start, end] = [before.contents.get(path) ?? null, after.contents.get(path) ?? null]
    return isRead(path) && (start === null || end === null || !mayDiffer(start, end))
  }
  const candidates = differing.filter((path) => !isShown(path))
  return {
    changed: candidates.filter(isSure).map(toText).sort(),
    unsure: [
      ...candidates.filter((path) => isRead(path) && !isSure(path)).map(toText),
      ...new Set(unread.map((folder) => `${toText(folder)}/`)),
    ].sort(),
  }
}

function isFolder(directory: string, path: RawPath): boolean {
  return lstatSync(placeOnDisk(directory, path), { throwIfNoEntry: false })?.isDirectory() === true
}

function isBehindLink(directory: string, path: RawPath): boolean {
  const names = path.split('/')
  return names.slice(1).some((_, depth) =>
    lstatSync(placeOnDisk(directory, names.slice(0, depth + 1).join('/')), {
      throwIfNoEntry: false,
    })?.isSymbolicLink(),
  )
}
