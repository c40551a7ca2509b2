import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-host.ts'
import { addKey, createHub, revokeKey } from './hub.ts'
import { readHub } from './hub-document.ts'

let root: string
let directory: string

beforeEach(async () => {
  root = await temporaryFolder()
  directory = join(root, 'hub')
  await createHub(directory, 'hub.example.org:4222', Date.now())
})
afterEach(() => rm(root, { recursive: true, force: true }))

// Locks are only known to exist on Linux.
const testLocked = test.skipIf(process.platform !== 'linux')

testLocked('concurrent changes by administrators lose nothing', async () => {
  const names = ['one', 'two', 'three', 'four', 'five', 'six']
  await addKey(directory, 'gone', Date.now())
  await Promise.all([
    revokeKey(directory, 'gone', Date.now()),
    ...names.map((name) => addKey(directory, name, Date.now())),
  ])
  const { keys } = await readHub(directory)
  const letIn = keys.filter(({ revokedAt }) => revokedAt === null)
  expect(letIn.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  expect(keys.find(({ name }) => name === 'gone')?.revokedAt).not.toBeNull()
})

testLocked('of two concurrent uses of one name, one is refused because it is taken', async () => {
  const answers = await Promise.allSettled([
    addKey(directory, 'one', Date.now()),
    addKey(directory, 'one', Date.now()),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: expect.objectContaining({ message: expect.stringMatching(/already has access/) }),
  })
})
