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

/** Where what is written over a folder is put. */
export interface Layer {
  readonly upper: string
  readonly work: string
}

/** A transcript that is longer than this, or one more than so many, is not kept. */
const MAX_TRANSCRIPT_BYTES = 64 * 1024 * 1024
const MAX_TRANSCRIPTS = 200
/** Of what a program has of its own, where no layer can be laid over it: longer files, and what comes after so much, it does not see. */
const [MAX_COPIED_FILE, MAX_COPIED] = [2 * 1024 * 1024, 64 * 1024 * 1024]

/**
 * The home of one attempt: what it writes in the operator's is put here, and goes with it, but for what its program may keep: logins that it
 * renewed, by the keys that are listed, and sessions that it wrote down.
 */
export class PrivateHome {
  readonly #home: OwnHome
  /** By the folder or file of the operator's, what the attempt has in its place. */
  readonly #written = new Map<string, string>()
  /** Transcripts of this attempt: it may go on in them. */
  readonly #own = new Set<string>()

  constructor(home: OwnHome) {
    this.#home = home
  }

  /** `undefined`: in memory. */
  layerOver(path: string): Layer | undefined {
    const place = this.#placeOf(path)
    if (place === undefined) return undefined
    const layer = { upper: join(place, 'upper'), work: join(place, 'work') }
    for (const folder of Object.values(layer)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#written.set(path, layer.upper)
    return layer
  }

  /** Where no layers can be made: a copy of what a program has of its own. */
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

  /** Once nothing of the attempt runs: keeps what may be kept. Never throws. */
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

  /** Takes away all that it wrote. Never rejects. */
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

  /** What the attempt has put in the place of a file of the operator's, by the folders of its own; `null`: nothing that is a plain file. */
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

  /** New ones alone: those of the operator's own sessions are nobody's to change. */
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

/** Whether only folders lead to a plain file: what an attempt wrote may be anything. */
function isPlainWay(folder: string, rest: string): boolean {
  const names = rest.split(sep)
  return names.every((_, index) => {
    const stats = lstatSync(join(folder, ...names.slice(0, index + 1)), { throwIfNoEntry: false })
    return (index === names.length - 1 ? stats?.isFile() : stats?.isDirectory()) === true
  })
}

/** The plain files that a pattern fits; no link is followed below `from`. */
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

/** As it is, small files first: a program looks for its settings before anything else. Never throws. */
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

/** Takes away what hosts left that have ended. Never rejects. */
export async function sweepHomes(folder: string): Promise<void> {
  const left = (tried(() => readdirSync(folder)) ?? []).filter((name) => !isAlive(Number.parseInt(name, 10)))
  for (const name of left) await removeAll(join(folder, basename(name)))
}

function isAlive(pid: number): boolean {
  return Number.isInteger(pid) && statSync(`/proc/${pid}`, { throwIfNoEntry: false }) !== undefined
}
