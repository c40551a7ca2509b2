import { isAbsolute, relative, sep } from 'node:path'

/**
 * A path relative to the workspace, with `/`, and one character per byte: file names are bytes, and one that is not valid UTF-8
 * must still be found on disk again. `''` is the workspace itself.
 */
export type RawPath = string

export function fromText(text: string): RawPath {
  if (isPlain(text)) return text
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** Returns the path for people and claims; bytes that are not UTF-8 become U+FFFD. */
export function toText(path: RawPath): string {
  if (isPlain(path)) return path
  return Buffer.from(path, 'latin1').toString('utf8')
}

/** True if the path is the same in both forms, as nearly all paths are. */
function isPlain(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: -- all of ASCII is the same in both
  return /^[\x00-\x7f]*$/.test(path)
}

/** Returns the absolute path for the file system. */
export function onDisk(directory: string, path: RawPath): Buffer {
  if (path === '') return Buffer.from(directory)
  return Buffer.concat([Buffer.from(directory + sep), Buffer.from(path, 'latin1')])
}

/** Returns the same, as a string if possible, which is faster. */
export function placeOnDisk(directory: string, path: RawPath): string | Buffer {
  return path !== '' && isPlain(path) ? directory + sep + path : onDisk(directory, path)
}

export function isWithin(path: RawPath, folder: RawPath): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/** Returns `path` relative to the folder `prefix` that contains it. */
export function withoutPrefix(path: RawPath, prefix: RawPath): RawPath {
  return prefix === '' ? path : path.slice(prefix.length + 1)
}

/** The order of a depth-first walk that sorts names by their bytes. */
export function compareInWalk(left: RawPath, right: RawPath): number {
  const lefts = left.split('/')
  const rights = right.split('/')
  for (let index = 0; index < Math.min(lefts.length, rights.length); index++) {
    const a = lefts[index] ?? ''
    const b = rights[index] ?? ''
    if (a !== b) return a < b ? -1 : 1
  }
  return lefts.length - rights.length
}

/** Returns `path` relative to `directory` (both absolute), with `/`; `''` for the folder itself, `null` if it is outside. */
export function relativeWithin(directory: string, path: string): string | null {
  const inside = relative(directory, path)
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return null
  return inside.split(sep).join('/')
}
