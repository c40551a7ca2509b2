import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readBoundedFile, replaceFile } from '../files/bounded-file.ts'
import { setAside } from '../files/durable-file.ts'
import { isOfTheMoment, readError } from '../files/storage-error.ts'
import type { FoundProgram, Programs } from './programs-on-path.ts'
import type { GuardedFile, GuardedFiles } from './scan.ts'

/** How a path that differs from the baseline was left, and by whom. */
export interface LeftFile {
  /** `null`: the file doesn't exist. */
  readonly file: GuardedFile | null
  /** `operator`: edited by hand and waiting for approval. */
  readonly attemptId: string | 'operator'
}

/** What an answer changed, so that it can be undone. */
export interface KeptAnswer {
  readonly base: ReadonlyMap<string, GuardedFile | null>
  readonly left: ReadonlyMap<string, LeftFile>
  /** Contents that were on disk before files were restored; `null`: there was no file. */
  readonly files: ReadonlyMap<string, GuardedFile | null>
}

/** Everything that custody remembers about a workspace. Paths are from the top of its tree. */
export interface BaseState {
  readonly top: string
  /** `null` until the first base is taken. */
  readonly base: GuardedFiles | null
  readonly left: ReadonlyMap<string, LeftFile>
  readonly answers: ReadonlyMap<string, KeptAnswer>
  /** The programs that checks run with, by the name that checks use. */
  readonly programs: Programs
}

const fileSchema = z.tuple([z.string(), z.string()])
const maybeFile = fileSchema.nullable()
const leftSchema = z.object({ file: maybeFile, attemptId: z.string() })
const entries = <Value extends z.ZodType>(value: Value) => z.array(z.tuple([z.string(), value]))
const documentSchema = z.object({
  $schema: z.literal('pulseward.base.v1'),
  top: z.string(),
  base: entries(fileSchema),
  left: entries(leftSchema),
  answers: entries(
    z.object({ base: entries(maybeFile), left: entries(leftSchema), files: entries(maybeFile) }),
  ),
  programs: entries(
    z.object({
      path: z.string(),
      found: z.string(),
      state: z.string(),
      content: z.string(),
      changedMs: z.number(),
    }),
  ).default([]),
})

const MAX_BYTES = 256 * 1024 * 1024
/** How many answers can be undone. */
const KEPT_ANSWERS = 50

/** Stores the baseline of one workspace on disk. */
export function createBaseFiles(directory: string): {
  /**
   * Sets an unreadable file aside: then nothing is known, and a new baseline is taken. Rejects with a `StorageError` if the
   * machine can't read right now: what an agent left must not become the baseline because of that.
   */
  readonly read: () => Promise<BaseState | null>
  readonly write: (state: BaseState) => Promise<void>
} {
  const path = join(directory, 'base.json')
  /** The state as last read or written. */
  let onDisk: BaseState | null = null
  return {
    read: async () => {
      const reading = await readBoundedFile(path, MAX_BYTES)
      if (!reading.ok && reading.code === 'ENOENT') return null
      if (!reading.ok && isOfTheMoment(reading.code)) throw readError(path, reading.code)
      try {
        if (!reading.ok) throw new Error(reading.code)
        onDisk = fromDocument(documentSchema.parse(JSON.parse(reading.bytes.toString('utf8'))))
        return onDisk
      } catch {
        await setAside(path, Date.now())
        return null
      }
    },
    write: async (state) => {
      // Usually nothing has changed since the last look, and writing costs more than looking.
      if (onDisk !== null && isSame(onDisk, state)) return
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await replaceFile(path, JSON.stringify(toDocument(state)), 0o600)
      onDisk = state
    },
  }
}

/** Returns whether two states say the same about every file; newer times alone need not be saved. */
function isSame(one: BaseState, other: BaseState): boolean {
  if (one === other) return true
  return (
    one.top === other.top &&
    one.answers === other.answers &&
    isSameBase(one.base, other.base) &&
    one.left.size === other.left.size &&
    [...one.left].every(([path, { file, attemptId }]) => {
      const now = other.left.get(path)
      return now?.attemptId === attemptId && now.file?.content === file?.content
    }) &&
    one.programs.size === other.programs.size &&
    [...one.programs].every(([name, program]) => isSameProgram(program, other.programs.get(name)))
  )
}

function isSameBase(one: GuardedFiles | null, other: GuardedFiles | null): boolean {
  if (one === other) return true
  if (one === null || other === null || one.size !== other.size) return false
  for (const [path, file] of one) {
    const now = other.get(path)
    // Usually the same object; a different one if the file was read again.
    if (now !== file && now?.content !== file.content) return false
  }
  return true
}

function isSameProgram(one: FoundProgram, other: FoundProgram | undefined): boolean {
  return one.path === other?.path && one.found === other.found && one.state === other.state
}

type Document = z.infer<typeof documentSchema>
type Pair = [content: string, state: string]

function maybePair(file: GuardedFile | null): Pair | null {
  return file === null ? null : [file.content, file.state]
}

function toDocument({ top, base, left, answers, programs }: BaseState): Document {
  const leftPairs = (files: ReadonlyMap<string, LeftFile>): Document['left'] =>
    [...files].map(([path, { file, attemptId }]) => [path, { file: maybePair(file), attemptId }])
  const pairs = (files: ReadonlyMap<string, GuardedFile | null>) =>
    [...files].map(([path, file]): [string, Pair | null] => [path, maybePair(file)])
  return {
    $schema: 'pulseward.base.v1',
    top,
    base: [...(base ?? [])].map(([path, { content, state }]) => [path, [content, state]]),
    left: leftPairs(left),
    programs: [...programs],
    answers: [...answers]
      .slice(-KEPT_ANSWERS)
      .map(([id, kept]) => [
        id,
        { base: pairs(kept.base), left: leftPairs(kept.left), files: pairs(kept.files) },
      ]),
  }
}

function fromDocument({ top, base, left, answers, programs }: Document): BaseState {
  const file = ([content, state]: Pair): GuardedFile => ({ content, state })
  const maybe = (value: Pair | null): GuardedFile | null => (value === null ? null : file(value))
  const maybeMap = (values: readonly (readonly [string, Pair | null])[]) =>
    new Map(values.map(([path, value]) => [path, maybe(value)]))
  const leftMap = (values: Document['left']) =>
    new Map(values.map(([path, value]) => [path, { file: maybe(value.file), attemptId: value.attemptId }]))
  return {
    top,
    base: new Map(base.map(([path, value]) => [path, file(value)])),
    left: leftMap(left),
    programs: new Map(programs),
    answers: new Map(
      answers.map(([id, kept]) => [
        id,
        { base: maybeMap(kept.base), left: leftMap(kept.left), files: maybeMap(kept.files) },
      ]),
    ),
  }
}
