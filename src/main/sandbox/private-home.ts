import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { removeAll } from '../files/remove-all.ts'
import type { OwnHome } from '../ports/containment.ts'
import { keepLogin } from './kept-login.ts'

/** Where writes to a folder are kept. */
export interface Layer {
  readonly upper: string
  readonly work: string
}

/** Longer transcripts, and more than this many, are not kept. */
const MAX_TRANSCRIPT_BYTES = 64 * 1024 * 1024
const MAX_TRANSCRIPTS = 200
/** Without layers, limits for a copy of a program's own files: it does not see longer files, nor files beyond the total. */
const [MAX_COPIED_FILE, MAX_COPIED] = [2 * 1024 * 1024, 64 * 1024 * 1024]

/**
 * The home of one attempt: its writes to the operator's home go here and are deleted with it, except for what its program may
 * keep: renewed logins, by the listed keys, and sessions that it recorded.
 */
export class PrivateHome {
  readonly #home: OwnHome
  /** The attempt's copy of each of the operator's folders and files, by path. */
  readonly #written = new Map<string, string>()
  /** Transcripts of this attempt, which it may continue. */
  readonly #own = new Set<string>()

  constructor(home: OwnHome) {
    this.#home = home
  }

  /** Returns `undefined` if the layer is kept in memory. */
  layerOver(path: string): Layer | undefined {
    const place = this.#placeOf(path)
    if (place === undefined) return undefined
    const layer = { upper: join(place, 'upper'), work: join(place, 'work') }
    for (const folder of Object.values(layer)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#written.set(path, layer.upper)
    return layer
  }

  /** Returns a copy of a program's own files, for machines without layers. */
  copyOf(path: string): string | null {
    const place = this.#placeOf(path)
    if (place === undefined) return null
    const copy = join(place, 'copy')
    if (!existsSync(copy)) {
      mkdirSync(place, { recursive: true, mode: 0o700 })
      copyTree(path, copy, { bytesLeft: MAX_COPIED })
    }
    this.#written.set(path, copy)
    return copy
  }

  /** Keeps what may be kept, once no process of the attempt is running. Never throws. */
  keep(): void {
    const { logins, transcripts } = this.#home
    for (const login of logins)
      for (const file of matches(login.file))
        tried(() => {
          const written = this.#writtenAt(file)
          if (written !== null) keepLogin(file, written, login)
        })
    for (const pattern of transcripts) tried(() => this.#keepTranscripts(pattern))
  }

  /** Deletes everything the attempt wrote. Never rejects. */
  async close(): Promise<void> {
    const { layers } = this.#home
    if (layers !== null) await removeAll(layers)
  }

  #placeOf(path: string): string | undefined {
    const { layers } = this.#home
    if (layers === null) return undefined
    const index = [...this.#written.keys()].indexOf(path)
    return join(layers, String(index < 0 ? this.#written.size : index))
  }

  /** Returns the attempt's version of an operator's file; `null` if it is not a plain file. */
  #writtenAt(path: string): string | null {
    const found = this.#layerOf(path)
    if (found === null) return null
    const [, written, rest] = found
    return rest === '' || isPlainWay(written, rest) ? join(written, rest) : null
  }

  #layerOf(path: string): readonly [string, string, string] | null {
    const above = [...this.#written]
      .filter(([folder]) => path === folder || path.startsWith(folder + sep))
      .sort(([one], [other]) => other.length - one.length)[0]
    return above === undefined ? null : [above[0], above[1], relative(above[0], path)]
  }

  /** Keeps only new ones: no agent may change the operator's own sessions. */
  #keepTranscripts(pattern: string): void {
    const found = this.#layerOf(pattern)
    if (found === null) return
    const [folder, written, rest] = found
    for (const path of matches(join(written, rest), written).slice(0, MAX_TRANSCRIPTS)) {
      const target = join(folder, relative(written, path))
      const isOwn = this.#own.has(target)
      if ((!isOwn && existsSync(target)) || lstatSync(path).size > MAX_TRANSCRIPT_BYTES) continue
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      copyFileSync(path, target, isOwn ? 0 : constants.COPYFILE_EXCL)
      chmodSync(target, 0o600)
      this.#own.add(target)
    }
  }
}

/** Returns whether the path is a plain file reached through real folders only: an attempt may leave anything. */
function isPlainWay(folder: string, rest: string): boolean {
  const names = rest.split(sep)
  return names.every((_, index) => {
    const stats = lstatSync(join(folder, ...names.slice(0, index + 1)), { throwIfNoEntry: false })
    return (index === names.length - 1 ? stats?.isFile() : stats?.isDirectory()) === true
  })
}

/** Returns the plain files that match a pattern; follows no link below `from`. */
function matches(pattern: string, from = ''): readonly string[] {
  const names = (from === '' ? pattern : relative(from, pattern)).split(sep)
  return names.reduce<readonly string[]>(
    (folders, name, index) =>
      folders.flatMap((folder) => {
        const isLast = index === names.length - 1
        const found = name.includes('*') ? tried(() => readdirSync(folder).filter(fits(name))) : [name]
        return (found ?? [])
          .map((one) => (folder === '' && index === 0 ? `${sep}${one}` : join(folder, one)))
          .filter((path) => {
            if (from === '') return isLast ? existsSync(path) : true
            const stats = lstatSync(path, { throwIfNoEntry: false })
            return (isLast ? stats?.isFile() : stats?.isDirectory()) === true
          })
      }),
    [from],
  )
}

function fits(pattern: string): (name: string) => boolean {
  const [before = '', after = ''] = pattern.split('*')
  return (name) =>
    name.length >= before.length + after.length &&
    name.length <= 255 &&
    name.startsWith(before) &&
    name.endsWith(after) &&
    !name.startsWith('.') &&
    !hasControls(name)
}

function hasControls(name: string): boolean {
  return [...name].some((one) => one < ' ' || one === '\u007f')
}

/** Copies a tree, small files first, because a program reads its settings before anything else. Never throws. */
function copyTree(from: string, to: string, left: { bytesLeft: number }): void {
  tried(() => {
    const stats = lstatSync(from)
    if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from), to)
    else if (stats.isFile()) {
      if (stats.size > Math.min(MAX_COPIED_FILE, left.bytesLeft)) return
      left.bytesLeft -= stats.size
      copyFileSync(from, to)
    } else if (stats.isDirectory()) {
      mkdirSync(to, { mode: 0o700 })
      const entries = readdirSync(from, { withFileTypes: true })
      const isFolder = (entry: (typeof entries)[number]): number => (entry.isDirectory() ? 1 : 0)
      for (const { name } of entries.toSorted((one, other) => isFolder(one) - isFolder(other)))
        copyTree(join(from, name), join(to, name), left)
    }
  })
}

function tried<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}

/** Deletes what ended hosts left behind. Never rejects. */
export async function sweepHomes(folder: string): Promise<void> {
  const left = (tried(() => readdirSync(folder)) ?? []).filter((name) => !isAlive(Number.parseInt(name, 10)))
  for (const name of left) await removeAll(join(folder, basename(name)))
}

function isAlive(pid: number): boolean {
  return Number.isInteger(pid) && statSync(`/proc/${pid}`, { throwIfNoEntry: false }) !== undefined
}
