import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Containing } from '../sandbox/find-means.ts'
import { notifyWithoutSandbox } from './notify-troubles.ts'

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

test('where nothing contains agents the operator is notified once, the log at each start, and anew after it had held', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'pulseward-uncontained-'))
  onTestFinished(() => rm(dataDirectory, { recursive: true }))
  const notified: string[] = []
  const warned: string[] = []
  const start = (find: () => Promise<Containing>): Promise<void> =>
    notifyWithoutSandbox(
      {
        dataDirectory,
        notifier: { notify: ({ key }) => void notified.push(key) },
        log: { info: () => {}, warn: (message) => void warned.push(message), error: () => {} },
      },
      find,
    ).catch(() => undefined)
  await start(none)
  await start(none)
  expect(notified).toEqual(['without-sandbox'])
  expect(warned).toHaveLength(2)
  await start(some)
  expect(warned).toHaveLength(2)
  await start(none)
  expect(notified).toHaveLength(2)
})
