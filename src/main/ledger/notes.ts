import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import pLimit from 'p-limit'
import { z } from 'zod'
import { writeFileAtomically } from '../files/durable-file.ts'

/*
 * When a ledger is sealed, its end is also noted in the folders of two other workspaces. Without a seal these are witnesses: to
 * roll a workspace back unnoticed, one has to find its neighbors' notes too.
 */

const FOLDER = 'others'
const NEIGHBORS = 2
/** Neighbors change when workspaces come and go; more distant ones have no newer note. */
const MAX_ASKED = 64
const READ_AT_ONCE = 16
/** Up to this many names are sorted by insertion; for more, a full sort is faster. */
const FEW = 4

const noteSchema = z.object({ seq: z.int().min(1), hash: z.string() })

/** What a neighbor knows about the ledger's end. */
export interface Note extends z.infer<typeof noteSchema> {
  /** The neighbor's id. */
  readonly by: string
}

/**
 * Notes the end of the ledger in `directory` (`…/workspaces/<id>`) with its neighbors. Never rejects: a seal is written without
 * notes too.
 */
export async function leaveNotes(
  directory: string,
  { seq, hash }: { seq: number; hash: string },
): Promise<void> {
  const place = resolve(directory)
  for (const neighbor of await neighborsOf(place, NEIGHBORS)) {
    const folder = join(neighbor, FOLDER)
    try {
      await mkdir(folder, { mode: 0o700 }).catch(() => undefined)
      const text = `${JSON.stringify({ seq, hash })}\n`
      // A power cut may leave an older note, never a false one.
      await writeFileAtomically(join(folder, `${basename(place)}.json`), text, { isDurable: false })
    } catch {
      // The folder was removed, or the disk is full.
    }
  }
}

/** Returns what the neighbors of this ledger know about it. Never rejects. */
export async function notesOn(directory: string): Promise<readonly Note[]> {
  const place = resolve(directory)
  const limit = pLimit(READ_AT_ONCE)
  const name = `${basename(place)}.json`
  // A new workspace has no notes: checking existence is instant, while failing to read takes many times as long.
  const asked = (await neighborsOf(place, MAX_ASKED)).filter((by) => existsSync(join(by, FOLDER, name)))
  const notes = await Promise.all(asked.map((neighbor) => limit(() => readNote(neighbor, name))))
  return notes.filter((note) => note !== null)
}

/** Removes the notes about a ledger that is accepted as it is. Never rejects. */
export async function takeNotesAway(directory: string): Promise<void> {
  const place = resolve(directory)
  for (const neighbor of await neighborsOf(place, Number.POSITIVE_INFINITY))
    await rm(join(neighbor, FOLDER, `${basename(place)}.json`), { force: true }).catch(() => undefined)
}

/** Returns workspaces not in `known` that another workspace has a note of, with at least how many events each had. Never rejects. */
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
        // Skip a note that is being written or that a crash left incomplete.
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

/** Returns up to `most` folders of other workspaces, starting with those that come next by name. */
async function neighborsOf(place: string, most: number): Promise<readonly string[]> {
  const own = basename(place)
  const names = (await namesIn(dirname(place))).filter((name) => name !== own)
  return nextByName(own, names, most).map((name) => join(dirname(place), name))
}

/** Returns the names that follow `own`, wrapping around at the end. Sorts them all only if all are requested. */
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

/** Returns the first `most` names in order. */
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

/** Returns the names except those set aside. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch((): string[] => [])).filter((name) => !name.startsWith('.'))
}

async function readNote(neighbor: string, name: string): Promise<Note | null> {
  try {
    const text = await readFile(join(neighbor, FOLDER, name), 'utf8')
    return { by: basename(neighbor), ...noteSchema.parse(JSON.parse(text)) }
  } catch {
    return null
  }
}
