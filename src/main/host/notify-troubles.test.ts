import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sealingRefused } from '../ledger/seal.ts'
import type { Notification } from '../ports/notifier.ts'
import type { Containing } from '../sandbox/find-means.ts'
import { temporaryFolder, temporaryHost } from '../testing/temporary-host.ts'
import { notifyOfLostWorkspaces, notifyWithoutSandbox, notifyWithoutSeals } from './notify-troubles.ts'

const none: () => Promise<Containing> = async () => ({
  found: null,
  cutsNetwork: async () => false,
  failed: [{ means: 'bubblewrap', problem: 'it is not installed' }],
})
const some: () => Promise<Containing> = async () => ({
  found: { means: 'seatbelt' },
  cutsNetwork: async () => true,
  failed: [],
})

async function startable() {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'pulseward-troubles-'))
  onTestFinished(() => rm(dataDirectory, { recursive: true }))
  const notified: string[] = []
  const warned: string[] = []
  const told = {
    dataDirectory,
    notifier: { notify: ({ key, body }: Notification) => void notified.push(`${key}: ${body}`) },
    log: { info: () => {}, warn: (message: string) => void warned.push(message), error: () => {} },
  }
  return { told, notified, warned }
}

test('notifies of a missing sandbox once, logs it at each start, and notifies again if one has worked in between', async () => {
  const { told, notified, warned } = await startable()
  const start = (find: () => Promise<Containing>): Promise<void> =>
    notifyWithoutSandbox(told, find).catch(() => undefined)
  await start(none)
  await start(none)
  expect(notified).toEqual([expect.stringMatching(/^without-sandbox: They and their checks run/)])
  expect(warned).toHaveLength(2)
  await start(some)
  expect(warned).toHaveLength(2)
  await start(none)
  expect(notified).toHaveLength(2)
})

test('notifies of a file where the seals folder should be, but not of a folder yet to be created', async () => {
  const { told, notified, warned } = await startable()
  const seals = join(told.dataDirectory, 'state', 'seals')
  const start = (): Promise<void> =>
    notifyWithoutSeals(told, () => sealingRefused(seals)).catch(() => undefined)
  await start()
  expect(notified).toEqual([])
  await writeFile(join(told.dataDirectory, 'state'), '')
  await start()
  await start()
  expect(notified).toEqual([expect.stringContaining(`No seal can be written to ${seals}: `)])
  expect(warned).toEqual(['Records cannot be sealed', 'Records cannot be sealed'])
})

test('notifies of a workspace whose record is gone, but not of one being removed or just added', async () => {
  const root = await temporaryFolder()
  onTestFinished(() => rm(root, { recursive: true }))
  const host = await temporaryHost({ one: {} }, { root })
  await host.stop()
  const dataDirectory = join(root, 'data')
  const [id = ''] = await readdir(join(dataDirectory, 'workspaces'))
  await rm(join(dataDirectory, 'workspaces', id), { recursive: true })
  const log = { info: () => {}, warn: () => {}, error: () => {} }

  const toldWhere = async (all: () => readonly { id: string }[], opened?: readonly string[]) => {
    const told: string[] = []
    const workspaces = { unopened: () => [], noteUnopened: (one: { id: string }) => void told.push(one.id) }
    // Safe: only their ids are used.
    const some = { ...workspaces, all } as unknown as Parameters<typeof notifyOfLostWorkspaces>[1]
    await notifyOfLostWorkspaces({ dataDirectory, log }, some, opened)
    return told
  }

  expect(await toldWhere(() => [])).toEqual([id])
  expect(await toldWhere(() => [], [id])).toEqual([])
  let asked = 0
  expect(await toldWhere(() => (asked++ === 0 ? [] : [{ id }]))).toEqual([])
})
