import { lstatSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askForHelp, findTouched, noStates, statesFor, withStates } from './file-states.ts'
import { nextStamp } from './testing/next-stamp.ts'
import { createScratchFolder, type ScratchFolder } from './testing/scratch-folder.ts'
import { takeWalk } from './walk-snapshot.ts'

let folder: ScratchFolder
beforeEach(() => {
  folder = createScratchFolder()
})
afterEach(() => {
  vi.useRealTimers()
  folder.dispose()
})

/** Enough for a second thread to help, including names that are not plain text. */
const MANY = 1500
const NAMES = Array.from(
  { length: MANY },
  (_, number) => `d${number % 7}/${number % 5 === 0 ? 'é' : 'f'}${number}`,
)

const asBytes = (name: string): string => Buffer.from(name).toString('latin1')

function statesOf(paths: readonly string[]) {
  const known = paths.map((path) => {
    const place = join(folder.path, Buffer.from(path, 'latin1').toString())
    return [path, lstatSync(place, { bigint: true })] as const
  })
  return withStates(noStates(paths), paths, new Map(known))
}

describe('known states of files', () => {
  it('move with the files to another list, which knows nothing about the other files', async () => {
    for (const name of ['a', 'b', 'c']) folder.write(name, name)
    const states = statesFor(['0', 'b', 'c'], statesOf(['a', 'b', 'c']))
    folder.write('c', 'changed')
    expect(await findTouched(folder.path, states)).toEqual(['0', 'c'])
  })

  it('are kept as they are for the same list', () => {
    folder.write('a', 'a')
    const states = statesOf(['a'])
    expect(statesFor(['a'], states)).toBe(states)
  })

  it('depend on size, times and inode, so setting times back does not fool them', async () => {
    for (const name of ['kept', 'written', 'replaced', 'gone', 'folder']) folder.write(name, 'one')
    const states = statesOf(['folder', 'gone', 'kept', 'replaced', 'written'])
    nextStamp()
    folder.sh(`touch -r written then; printf two > written; touch -r then written
      cp -p replaced other; mv other replaced; rm gone folder; mkdir folder`)
    expect(await findTouched(folder.path, states)).toEqual(['folder', 'gone', 'replaced', 'written'])
  })
})

describe('a second thread', () => {
  it.skipIf(availableParallelism() === 1)('finds the same, whatever the names', async () => {
    for (const name of NAMES) folder.write(name, name)
    const states = statesOf(NAMES.map(asBytes))
    nextStamp()
    const touched = NAMES.filter((_, at) => at % 11 === 0)
    for (const name of touched) folder.write(name, 'changed')
    folder.remove(NAMES[1] ?? '')
    const asked = askForHelp(folder.path, states)
    if (asked === null) throw new Error('Nobody helps.')
    await expect.poll(() => Atomics.load(asked.meeting, 1), { timeout: 60_000 }).toBe(0)
    const notSame = [...asked.same].flatMap((same, at) => (same === 1 ? [] : [NAMES[at]]))
    expect(notSame).toEqual(NAMES.filter((name, at) => touched.includes(name) || at === 1))
  })
})

/** A path that no walk reads. */
const THEN = '.git/then'
/** A command that fails does nothing. */
const EDITS = {
  write: (name: string) => `printf two > '${name}'`,
  'write the same length': (name: string) => `printf '%s' "$(tr a-z b-za < '${name}')" > '${name}'`,
  'set the times back': (name: string) =>
    `touch -r '${name}' ${THEN}; echo >> '${name}'; touch -r ${THEN} '${name}'`,
  'make a file executable': (name: string) => `chmod +x '${name}'`,
  remove: (name: string) => `rm -rf '${name}'`,
  'replace a file by a link': (name: string) => `ln -sfn one '${name}'`,
  'replace a file by a folder': (name: string) => `rm -rf '${name}'; mkdir '${name}'; echo > '${name}/in'`,
  'rename a file': (name: string) => `mv '${name}' '${name}.moved'`,
  'move a file over another': (name: string) => `mv '${name}' '${NAMES[0]}'`,
  'exchange its folder': (name: string) => `mv '${name.slice(0, 2)}' x; mv d0 '${name.slice(0, 2)}'; mv x d0`,
} as const
const edits = fc.array(fc.tuple(fc.constantFrom(...Object.values(EDITS)), fc.nat(MANY - 1)), { maxLength: 8 })

it('a walk that reuses unchanged files sees the same as one that reads everything', {
  timeout: 120_000,
}, async () => {
  // As if nothing had been touched for an hour, because recent changes are reread anyway.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  for (const name of NAMES) folder.write(name, name)
  folder.write(THEN, '')
  let before = await takeWalk(folder.path, [], null)
  await fc.assert(
    fc.asyncProperty(edits, async (made) => {
      nextStamp()
      folder.sh(made.map(([edit, number]) => `{ ${edit(NAMES[number] ?? '')}; } || true`).join('\n'))
      before = await takeWalk(folder.path, [], before)
      expect([...before.files]).toEqual([...(await takeWalk(folder.path, [], null)).files])
    }),
    { numRuns: 40 },
  )
})
