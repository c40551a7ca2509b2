import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { leaveNotes, nextByName, notedWorkspaces } from './notes.ts'

test('a note that is being written, or that a crash left, does not count as a lost workspace', async () => {
  const data = await mkdtemp(join(tmpdir(), 'pulseward-notes-'))
  onTestFinished(() => rm(data, { recursive: true }))
  const place = (id: string) => join(data, 'workspaces', id)
  for (const id of ['attic', 'inbox']) await mkdir(place(id), { recursive: true })
  const end = { seq: 20, hash: 'a'.repeat(64) }
  await leaveNotes(place('inbox'), end)
  await writeFile(join(place('attic'), 'others', 'inbox.json.tmp'), JSON.stringify(end))
  expect(await notedWorkspaces(data, ['attic'])).toEqual([{ id: 'inbox', events: 20 }])
  expect(await notedWorkspaces(data, ['inbox']), 'of an existing one').toEqual([])
})

test('neighbors are the workspaces that come next by name, however many are requested', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '1', '-'), maxLength: 4 })
  fc.assert(
    fc.property(name, fc.uniqueArray(name), fc.nat(12), (own, all, most) => {
      const names = all.filter((each) => each !== own)
      const inOrder = names.toSorted()
      const next = inOrder.filter((each) => each > own)
      const before = inOrder.filter((each) => each < own)
      expect(nextByName(own, names, most)).toEqual([...next, ...before].slice(0, most))
      expect(nextByName(own, names, Number.POSITIVE_INFINITY)).toEqual([...next, ...before])
    }),
    { seed: 12, numRuns: 500 },
  )
})
