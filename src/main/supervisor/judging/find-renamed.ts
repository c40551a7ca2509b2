import { isUtf8 } from 'node:buffer'
import { mayContainExamples } from '../../../core/change/doc-examples.ts'
import {
  containsTests,
  type FormerTests,
  findChangedMoves,
  findFormerTests,
  mayContainTests,
} from '../../../core/change/own-tests.ts'
import { findTestBlocks, namesTests } from '../../../core/change/test-cases.ts'
import { findTestChanges, type TextChange } from '../../../core/change/test-changes.ts'
import { mayConsistOfTests, mayDeclareTests } from '../../../core/change/test-files.ts'
import type { RenamedTest } from '../../../core/reports/renamed-tests.ts'
import { EMPTY_DIFFERENCE, type FileDifference } from '../../../core/verification/types.ts'
import { groundOf, readBeneath } from '../../files/beneath.ts'
import type { KeptTexts } from '../../ports/snapshotter.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'

/** Larger sources are not read. */
const MAX_SOURCE_BYTES = 1024 * 1024

/** Returns the tests in these files whose body is as before the work, under another name or in another file. */
export async function findRenamed(
  ports: Ports,
  work: Work,
  paths: readonly string[],
): Promise<readonly RenamedTest[]> {
  return findTestChanges(await readChanges(ports, work, paths.filter(namesTests))).renamed
}

/** How many new files tests may have moved to; if there are more, a program generated them. */
const MAX_ADDED = 200

/**
 * Returns the sources whose own tests the work and these earlier attempts changed in other ways than adding, moving or renaming some, each
 * with those tests as they were before; `null` if unknown.
 */
export async function readFormerTests(
  ports: Ports & WithUndo,
  work: Work,
  attemptIds: readonly string[],
): Promise<readonly (Pick<FormerTests, 'path'> & { readonly text: string | null })[]> {
  const { added, modified, deleted, renamed } = work.difference
  const sources = await mayHaveTests(ports, modified)
  const went = [...deleted, ...renamed.map(({ from }) => from)].filter(namesTests).slice(0, MAX_ADDED)
  if (sources.length + went.filter(containsTests).length + attemptIds.length === 0) return []
  const came = [...renamed.map(({ to }) => to), ...added].filter(namesTests).slice(0, MAX_ADDED)
  const own = await readChanges(ports, work, [...sources, ...went, ...came])
  const changes = attemptIds.length === 0 ? own : await sinceEarlier(ports, own, new Set(added), attemptIds)
  const isModified = new Set([
    ...sources,
    ...changes.filter((one) => !own.includes(one)).map(({ path }) => path),
  ])
  const hiding = changes.filter((change) => isModified.has(change.path) && hidesTests(change))
  const unknown = [...hiding.map(({ path }) => path), ...findChangedMoves(changes)]
  return [...findFormerTests(changes), ...unknown.map((path) => ({ path, text: null }))]
}

/** Returns the changes merged with those of earlier attempts, unless someone else changed the same files since. */
async function sinceEarlier(
  { directory, undo }: Ports & WithUndo,
  own: readonly TextChange[],
  added: ReadonlySet<string>,
  attemptIds: readonly string[],
): Promise<readonly TextChange[]> {
  const later = {
    write: own.flatMap(({ path, before }) =>
      before === null ? [] : [{ path, bytes: Buffer.from(before), isExecutable: false }],
    ),
    remove: own.map(({ path }) => path).filter((path) => added.has(path)),
  }
  const earlier = await undo.filesBefore(attemptIds, later)
  if (earlier === null) return own
  const changes = new Map(own.map((change) => [change.path, change]))
  const then: readonly (readonly [string, string | null])[] = [
    ...earlier.write.map(({ path, bytes }) => [path, textOf(bytes)] as const),
    ...earlier.remove.map((path) => [path, null] as const),
  ]
  for (const [path, before] of then.filter(([each]) => mayContainTests(each)).slice(0, MAX_ADDED)) {
    const known = changes.get(path)
    const now = known === undefined ? await readBeneath(groundOf(directory), path, MAX_SOURCE_BYTES) : null
    const after = known === undefined ? textOf(now?.ok === true ? now.bytes : undefined) : known.after
    if (known?.before !== before) changes.set(path, { path, before, after })
  }
  return [...changes.values()]
}

/** Whether only one side of a change is known and contains tests: the other is too large, or lost. */
function hidesTests({ path, before, after }: TextChange): boolean {
  const known = before ?? after
  if (known === null || (before !== null && after !== null)) return false
  return findTestBlocks(path, known).length > 0
}

/**
 * Those that can contain examples, and those that can contain tests and may declare some, or are too large to be read: git is not asked
 * about
 * files that never had any.
 */
async function mayHaveTests({ directory }: Ports, paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = paths.filter(mayContainExamples)
  const others = paths.filter((path) => !mayContainExamples(path))
  for (const path of others.filter((each) => containsTests(each) || mayConsistOfTests(each))) {
    const reading = await readBeneath(groundOf(directory), path, MAX_SOURCE_BYTES)
    if (!reading.ok || mayDeclareTests(reading.bytes.toString('utf8'))) found.push(path)
  }
  return found
}

type Ports = Pick<WorkspacePorts, 'directory' | 'snapshotter'>
type WithUndo = { readonly undo: Pick<WorkspacePorts['undo'], 'filesBefore'> }
interface Work {
  readonly difference: FileDifference
  readonly textsBefore: KeptTexts
}

async function readChanges(
  { directory, snapshotter }: Ports,
  work: Work,
  paths: readonly string[],
): Promise<readonly TextChange[]> {
  const { modified, renamed } = work.difference
  const deleted = [...work.difference.deleted, ...renamed.map(({ from }) => from)]
  const added = [...work.difference.added, ...renamed.map(({ to }) => to)]
  const sources = new Set(paths)
  const isSource = (path: string): boolean => sources.has(path)
  const earlier = await readBefore(snapshotter, work, [...modified, ...deleted].filter(isSource))
  const changes: TextChange[] = []
  for (const path of [...modified, ...added, ...deleted].filter(isSource)) {
    const now = await readBeneath(groundOf(directory), path, MAX_SOURCE_BYTES)
    changes.push({ path, before: textOf(earlier.get(path)), after: textOf(now.ok ? now.bytes : undefined) })
  }
  return changes
}

/** How many are requested one by one, if not all of them are known together. */
const MAX_ASKED_ALONE = 50

async function readBefore(
  snapshotter: Ports['snapshotter'],
  { textsBefore }: Work,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const ask = (modified: readonly string[]) =>
    snapshotter.filesBefore(textsBefore, { ...EMPTY_DIFFERENCE, modified })
  const together = await ask(paths)
  const known = together === null ? [] : [together]
  if (together === null)
    for (const path of paths.slice(0, MAX_ASKED_ALONE)) known.push((await ask([path])) ?? NO_FILES)
  return new Map(known.flatMap(({ write }) => write.map(({ path, bytes }) => [path, bytes])))
}

const NO_FILES = { write: [], remove: [] }

function textOf(bytes: Buffer | undefined): string | null {
  const isText = bytes !== undefined && bytes.length <= MAX_SOURCE_BYTES && isUtf8(bytes)
  return isText ? bytes.toString('utf8') : null
}
