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

const noteSchema = z.object({ seq: z.number().int().min(1), hash: z.string() })

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
  for (const neighbour of (await neighboursOf(place)).slice(0, NEIGHBOURS)) {
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
  const asked = (await neighboursOf(place)).slice(0, MAX_ASKED)
  const notes = await Promise.all(
    asked.map((neighbour) => limit(() => readNote(neighbour, `${basename(place)}.json`))),
  )
  return notes.filter((note) => note !== null)
}

/** The ledger counts as it stands: what was noted of it before says nothing any more. Never rejects. */
export async function takeNotesAway(directory: string): Promise<void> {
  const place = resolve(directory)
  for (const neighbour of await neighboursOf(place))
    await rm(join(neighbour, FOLDER, `${basename(place)}.json`), { force: true }).catch(() => undefined)
}

/** All workspaces of which another one has a note, with how many events each had at least. Never rejects. */
export async function notedWorkspaces(
  dataDirectory: string,
): Promise<readonly { readonly id: string; readonly events: number }[]> {
  const home = join(resolve(dataDirectory), 'workspaces')
  const limit = pLimit(READ_AT_ONCE)
  const found = await Promise.all(
    (await namesIn(home)).map((by) =>
      limit(async () => {
        const names = await namesIn(join(home, by, FOLDER))
        const notes = await Promise.all(names.map((name) => readNote(join(home, by), name)))
        return notes.map((note, index) => ({
          id: names[index]?.replace(/\.json$/, '') ?? '',
          events: note?.seq ?? 0,
        }))
      }),
    ),
  )
  return found.flat().filter(({ events }) => events > 0)
}

/** The other workspaces' folders, those that come next by their names first. */
async function neighboursOf(place: string): Promise<readonly string[]> {
  const own = basename(place)
  const others = (await namesIn(dirname(place))).filter((name) => name !== own).sort()
  const next = others.findIndex((name) => name > own)
  const inOrder = next === -1 ? others : [...others.slice(next), ...others.slice(0, next)]
  return inOrder.map((name) => join(dirname(place), name))
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
