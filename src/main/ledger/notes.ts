import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import pLimit from 'p-limit'
import { z } from 'zod'
import { writeFileAtomically } from '../files/durable-file.ts'

/*
 * Each ledger's end is noted in the folders of two other workspaces when it is sealed. Where a seal is gone, these are witnesses: who
 * rolls a workspace back has to find what its neighbours know of it too.
 */

const FOLDER = 'others'
const NEIGHBOURS = 2
/** Neighbours change when workspaces come and go; farther off nobody has a newer note. */
const MAX_ASKED = 64
const READ_AT_ONCE = 16
/** So many names are kept in order by hand; of more, all are sorted. */
const FEW = 4

const noteSchema = z.object({ seq: z.int().min(1), hash: z.string() })

/** What a neighbour knows of the ledger's end. */
export interface Note extends z.infer<typeof noteSchema> {
  /** The neighbour's id. */
  readonly by: string
}

/** Notes the end of the ledger in `directory` (`…/workspaces/<id>`) with its neighbours. Never rejects: a seal is kept without them too. */
export async function leaveNotes(
  directory: string,
  { seq, hash }: { seq: number; hash: string },
): Promise<void> {
  const place = resolve(directory)
  for (const neighbour of await neighboursOf(place, NEIGHBOURS)) {
    const folder = join(neighbour, FOLDER)
    try {
      await mkdir(folder, { mode: 0o700 }).catch(() => undefined)
      const text = `${JSON.stringify({ seq, hash })}\n`
      // What a power cut takes is an older word, not a false one.
      await writeFileAtomically(join(folder, `${basename(place)}.json`), text, { isDurable: false })
    } catch {
      // It has been removed meanwhile, or the disk is full.
    }
  }
}

/** What the neighbours of this ledger know of it. Never rejects. */
export async function notesOn(directory: string): Promise<readonly Note[]> {
  const place = resolve(directory)
  const limit = pLimit(READ_AT_ONCE)
  const name = `${basename(place)}.json`
  // Of a new workspace none has any: that a file is not there is told at once, and to fail reading it takes many times as long.
  const asked = (await neighboursOf(place, MAX_ASKED)).filter((by) => existsSync(join(by, FOLDER, name)))
  const notes = await Promise.all(asked.map((neighbour) => limit(() => readNote(neighbour, name))))
  return notes.filter((note) => note !== null)
}

/** The ledger counts as it stands: what was noted of it before says nothing any more. Never rejects. */
export async function takeNotesAway(directory: string): Promise<void> {
  const place = resolve(directory)
  for (const neighbour of await neighboursOf(place, Number.POSITIVE_INFINITY))
    await rm(join(neighbour, FOLDER, `${basename(place)}.json`), { force: true }).catch(() => undefined)
}

/** The workspaces, but for those `known`, of which another one has a note, with how many events each had at least. Never rejects. */
export async function notedWorkspaces(
  dataDirectory: string,
  known: readonly string[],
): Promise<readonly { readonly id: string; readonly events: number }[]> {
  const home = join(resolve(dataDirectory), 'workspaces')
  const there = new Set(known.map((id) => `${id}.json`))
  const limit = pLimit(READ_AT_ONCE)
  const found = await Promise.all(
    (await namesIn(home)).map((by) =>
      limit(async () => {
        // One that is just being written, or that a crash left half written, is no workspace.
        const names = (await namesIn(join(home, by, FOLDER))).filter(
          (name) => name.endsWith('.json') && !there.has(name),
        )
        const notes = await Promise.all(names.map((name) => readNote(join(home, by), name)))
        return notes.map((note, index) => ({
          id: names[index]?.slice(0, -'.json'.length) ?? '',
          events: note?.seq ?? 0,
        }))
      }),
    ),
  )
  return found.flat().filter(({ events }) => events > 0)
}

/** The other workspaces' folders, those that come next by their names first, so many. */
async function neighboursOf(place: string, most: number): Promise<readonly string[]> {
  const own = basename(place)
  const names = (await namesIn(dirname(place))).filter((name) => name !== own)
  return nextByName(own, names, most).map((name) => join(dirname(place), name))
}

/** Of these names those that come after the own one, then from the first one on. All are put in order only where all are asked for. */
export function nextByName(own: string, names: readonly string[], most: number): readonly string[] {
  const isAfter = (name: string): boolean => name > own
  const later = smallest(names.filter(isAfter), most)
  if (later.length >= most) return later
  return [
    ...later,
    ...smallest(
      names.filter((name) => !isAfter(name)),
      most - later.length,
    ),
  ]
}

/** The first ones in their order, so many. */
function smallest(names: readonly string[], most: number): readonly string[] {
  if (most > FEW) return names.toSorted().slice(0, most)
  const first: string[] = []
  for (const name of names) {
    if (first.length === most && name >= (first.at(-1) ?? '')) continue
    const place = first.findIndex((other) => name < other)
    first.splice(place === -1 ? first.length : place, 0, name)
    if (first.length > most) first.pop()
  }
  return first
}

/** Without those set aside. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch((): string[] => [])).filter((name) => !name.startsWith('.'))
}

async function readNote(neighbour: string, name: string): Promise<Note | null> {
  try {
    const text = await readFile(join(neighbour, FOLDER, name), 'utf8')
    return { by: basename(neighbour), ...noteSchema.parse(JSON.parse(text)) }
  } catch {
    return null
  }
}
