import { posix } from 'node:path'
import { type RawPath, toText } from '../snapshot/raw-path.ts'
import type { ObjectReader, TreeFile } from './object-reader.ts'

/** A longer text is data, or was generated. */
export const MAX_TEXT_BYTES = 1024 * 1024
/** A longer chain of links is a loop. */
const MAX_LINKS = 8

/** The files of one tree, with the texts that were loaded so far. */
export class TreeFiles {
  private readonly reader: ObjectReader
  private readonly texts = new Map<string, string | null>()
  private folders: ReadonlyMap<string, ReadonlySet<string>> | null = null
  /** The files by path, decoded as text. */
  readonly files: ReadonlyMap<string, TreeFile>

  constructor(reader: ObjectReader, files: ReadonlyMap<RawPath, TreeFile>) {
    this.reader = reader
    this.files = new Map([...files].map(([path, file]) => [toText(path), file]))
  }

  isFile(path: string): boolean {
    return this.files.get(path)?.mode.startsWith('100') === true
  }

  /** Returns the names of the folders in a folder (`''`: the top). */
  foldersIn(folder: string): readonly string[] {
    this.folders ??= foldersOf([...this.files.keys()])
    return [...(this.folders.get(folder) ?? [])]
  }

  /** Returns the path of a file, or of the one that a link in this tree leads to; `null` if it is neither. */
  async resolve(path: string): Promise<string | null> {
    for (let at = path, links = 0; links <= MAX_LINKS; links += 1) {
      if (this.isFile(at)) return at
      const link = this.files.get(at)
      if (link?.mode !== '120000') return null
      const target = (await this.reader.read([link.id], MAX_TEXT_BYTES)).get(link.id)?.toString('utf8') ?? '/'
      if (posix.isAbsolute(target)) return null
      at = posix.join(posix.dirname(at), target)
    }
    return null
  }

  /** Returns the content of the file that `resolve` finds; `null` if there is none, or it is larger. */
  async bytes(path: string, maxBytes: number): Promise<Buffer | null> {
    const id = this.files.get((await this.resolve(path)) ?? '')?.id
    return id === undefined ? null : ((await this.reader.read([id], maxBytes)).get(id) ?? null)
  }

  async text(path: string): Promise<string | null> {
    await this.load([path])
    return this.texts.get(path) ?? null
  }

  /** Loads texts, all with one call. */
  async load(paths: readonly string[]): Promise<void> {
    const wanted = paths.filter((path) => !this.texts.has(path))
    const ids = wanted.flatMap((path) => (this.isFile(path) ? [this.files.get(path)?.id ?? ''] : []))
    const contents = await this.reader.read(ids, MAX_TEXT_BYTES)
    for (const path of wanted) {
      const bytes = this.isFile(path) ? contents.get(this.files.get(path)?.id ?? '') : undefined
      this.texts.set(path, bytes === undefined ? null : textOf(bytes))
    }
  }

  /** Returns a text that was loaded before; `undefined` if it was not. */
  loaded(path: string): string | null | undefined {
    return this.isFile(path) ? this.texts.get(path) : null
  }
}

/** Returns the text of a file; `null` if it is not text. */
export function textOf(bytes: Buffer): string | null {
  return bytes.includes(0) ? null : bytes.toString('utf8')
}

function foldersOf(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const path of paths)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const above = path.lastIndexOf('/', end - 1)
      const names = found.get(path.slice(0, Math.max(0, above))) ?? new Set()
      found.set(path.slice(0, Math.max(0, above)), names.add(path.slice(above + 1, end)))
    }
  return found
}
