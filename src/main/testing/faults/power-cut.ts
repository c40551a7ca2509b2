import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/*
 * What a disk may contain after a power cut: of each file, everything that was synced and any part of what came after; of each folder, all
 * names that were synced and any first part of the later changes. Syncing a file does not make its name safe, nor the other way around.
 */

/** One line of the shim's journal, with its bytes. */
interface Step {
  readonly kind: 'create' | 'write' | 'truncate' | 'sync' | 'mkdir' | 'rename' | 'link' | 'unlink' | 'say'
  readonly path: string
  readonly other: string
  readonly at: number
  readonly body: Buffer
}

/** How much of the unsynced data has reached the disk. */
export type Cut = 'nothing' | 'names-first' | 'writes-first' | 'some'
export const CUTS: readonly Cut[] = ['nothing', 'names-first', 'writes-first', 'some']

export function readJournal(journal: Buffer): readonly Step[] {
  const steps: Step[] = []
  for (let at = 0; at < journal.length; ) {
    const end = journal.indexOf(0x0a, at)
    const { bytes, ...head } = JSON.parse(journal.toString('utf8', at, end))
    steps.push({ ...head, body: journal.subarray(end + 1, end + 1 + bytes) })
    at = end + 1 + bytes
  }
  return steps
}

type Change = { readonly at: number; readonly bytes: Buffer } | { readonly length: number }

interface File {
  synced: Buffer
  pending: Change[]
}

interface Folder {
  synced: Map<string, File | Folder>
  now: Map<string, File | Folder>
  /** Each change takes the names from one state to the next atomically. */
  pending: ((names: Map<string, File | Folder>) => void)[]
}

const isFolder = (node: File | Folder | undefined): node is Folder => node !== undefined && 'now' in node
const newFolder = (): Folder => ({ synced: new Map(), now: new Map(), pending: [] })
const newFile = (): File => ({ synced: Buffer.alloc(0), pending: [] })

/** A disk that performs the steps of a journal below `root`, and can lose power at any moment. */
export class CuttableDisk {
  private readonly root: string
  private readonly top = newFolder()

  constructor(root: string) {
    this.root = root
  }

  take({ kind, path, other, at, body }: Step): void {
    if (kind === 'say') return
    if (kind === 'create') this.name(path, newFile())
    else if (kind === 'mkdir') this.name(path, newFolder())
    else if (kind === 'link') this.name(path, this.find(other) ?? newFile())
    else if (kind === 'unlink') this.change(path, (names, name) => void names.delete(name))
    else if (kind === 'rename') this.rename(other, path)
    else if (kind === 'sync') this.sync(this.find(path))
    else this.fileAt(path)?.pending.push(kind === 'write' ? { at, bytes: Buffer.from(body) } : { length: at })
  }

  /** Writes to `target` what may be left after a power cut. */
  cut(target: string, cut: Cut, random: () => number): void {
    const withNames = cut === 'names-first' ? 1 : cut === 'some' ? null : 0
    const withWrites = cut === 'writes-first' ? 1 : cut === 'some' ? null : 0
    const share = (fixed: number | null, count: number): number =>
      fixed === null ? Math.floor(random() * (count + 1)) : fixed * count
    const write = (folder: Folder, path: string): void => {
      mkdirSync(path, { recursive: true })
      // Syncing the topmost folder is not our job.
      const names = new Map(folder === this.top ? folder.now : folder.synced)
      if (folder !== this.top)
        for (const change of folder.pending.slice(0, share(withNames, folder.pending.length))) change(names)
      for (const [name, node] of names) {
        const place = join(path, name)
        if (isFolder(node)) write(node, place)
        else
          writeFileSync(
            place,
            contentOf(node, share(withWrites, node.pending.length), cut === 'some', random),
          )
      }
    }
    write(this.top, target)
  }

  private rename(from: string, to: string): void {
    const node = this.find(from)
    if (node === undefined) return
    const [source] = this.place(from)
    const [target] = this.place(to)
    const apply = (names: Map<string, File | Folder>): void => {
      names.delete(from.slice(dirname(from).length + 1))
      names.set(to.slice(dirname(to).length + 1), node)
    }
    if (source !== target) throw new Error(`a rename between folders: ${from} to ${to}`)
    source?.pending.push(apply)
    if (source !== undefined) apply(source.now)
  }

  private name(path: string, node: File | Folder): void {
    this.change(path, (names, name) => void names.set(name, node))
  }

  private change(path: string, change: (names: Map<string, File | Folder>, name: string) => void): void {
    const [folder, name] = this.place(path)
    const apply = (names: Map<string, File | Folder>): void => change(names, name)
    folder?.pending.push(apply)
    if (folder !== undefined) apply(folder.now)
  }

  private sync(node: File | Folder | undefined): void {
    if (node === undefined) return
    if (isFolder(node)) node.synced = new Map(node.now)
    else node.synced = contentOf(node, node.pending.length, false, () => 0)
    node.pending = []
  }

  private fileAt(path: string): File | undefined {
    const node = this.find(path)
    return isFolder(node) ? undefined : node
  }

  private place(path: string): [Folder | undefined, string] {
    const parent = this.find(dirname(path))
    return [isFolder(parent) ? parent : undefined, path.slice(dirname(path).length + 1)]
  }

  private find(path: string): File | Folder | undefined {
    if (path === this.root) return this.top
    let node: File | Folder | undefined = this.top
    for (const name of path.slice(this.root.length + 1).split('/'))
      node = isFolder(node) ? node.now.get(name) : undefined
    return node
  }
}

/** Returns a file after the first `count` of its pending changes; if torn, the last of them only happened in part. */
function contentOf({ synced, pending }: File, count: number, isTorn: boolean, random: () => number): Buffer {
  let content = synced
  for (const [index, change] of pending.slice(0, count).entries()) {
    if ('length' in change) {
      content = Buffer.concat([content, Buffer.alloc(Math.max(0, change.length - content.length))]).subarray(
        0,
        change.length,
      )
      continue
    }
    const length =
      isTorn && index === count - 1 ? Math.floor(random() * change.bytes.length) : change.bytes.length
    const next = Buffer.alloc(Math.max(content.length, change.at + length))
    content.copy(next)
    change.bytes.copy(next, change.at, 0, length)
    content = next
  }
  return content
}
