import { afterEach, expect, it, vi } from 'vitest'
import { createScratchFolder } from './testing/scratch-folder.ts'
import { differenceOfWalks, takeWalk } from './walk-snapshot.ts'

/*
 * A disk that does not report entry types (XFS and ext2 without that feature): Node.js then looks each up by its decoded name. It
 * does not find names whose bytes are not ASCII, and cannot if the folder is given in bytes.
 */

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>()
  const readdirSync = (...args: Parameters<typeof fs.readdirSync>): unknown => {
    const entries = fs.readdirSync(...args)
    const isAsked = typeof args[1] === 'object' && args[1] !== null && 'withFileTypes' in args[1]
    if (isAsked && typeof args[0] !== 'string')
      throw new TypeError('The "path" argument must be of type string')
    for (const { name } of isAsked ? entries : [])
      if (/[\x80-\xff]/.test(String(name)))
        throw Object.assign(new Error(`ENOENT: no such file or directory, lstat '${name}'`), {
          code: 'ENOENT',
        })
    return entries
  }
  return { ...fs, readdirSync }
})

const folder = createScratchFolder()
afterEach(() => folder.dispose())

it('sees files next to a name that is not ASCII, on a disk that does not report entry types', async () => {
  folder.write('d/é', '')
  folder.write('d/ñ/f', '')
  folder.write('d/plain', '')
  folder.link('d/ü', 'plain')
  const before = await takeWalk(folder.path, [], null)
  folder.write('d/plain', 'changed')
  folder.write('d/ñ/added', '')
  const difference = await differenceOfWalks(before, await takeWalk(folder.path, [], before))
  expect(difference).toMatchObject({ added: ['d/ñ/added'], modified: ['d/plain'], incomplete: null })
  expect(before.files.size).toBe(4)
})
