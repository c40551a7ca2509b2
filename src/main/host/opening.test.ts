import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder, temporaryHost } from '../testing/temporary-host.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** Creates a data folder with this many workspaces, whose heartbeats write into the workspace; its host has stopped. */
async function seeded(count: number): Promise<string> {
  const root = await temporaryFolder()
  folders.push(root)
  const names = Array.from({ length: count }, (_, index) => `w${String(index).padStart(3, '0')}`)
  const configuration = '[agent]\ncommand = ["touch", "ran"]\nsandbox = "off"\n'
  const host = await temporaryHost(Object.fromEntries(names.map((name) => [name, { configuration }])), {
    root,
  })
  await host.stop()
  return root
}

describe('a host with many workspaces', () => {
  it('answers before they are open, names the unopened ones, and opens a requested one immediately', async () => {
    const root = await seeded(40)
    const host = await temporaryHost({}, { root })
    const first = await host.client.status()
    expect(first.workspaces.length + first.opening.length).toBe(40)
    expect(first.opening.length).toBeGreaterThan(0)
    const last = first.opening.at(-1)
    const one = await host.client.workspaces.get({ id: last?.id ?? '' })
    expect(one.id).toBe(last?.id)
    expect((await host.client.status()).opening.length).toBeGreaterThan(0)
    await expect.poll(async () => (await host.client.status()).opening).toEqual([])
    const { workspaces } = await host.client.status()
    // In the order in which they were added, regardless of which was open first.
    expect(workspaces.map(({ name }) => name)).toEqual(workspaces.map(({ name }) => name).toSorted())
    await host.stop()
  })

  it('delays requests that need all of them until all are open', async () => {
    const host = await temporaryHost({}, { root: await seeded(20) })
    await expect(host.client.score.get({})).rejects.toThrow('There are several workspaces')
    expect((await host.client.status()).opening).toEqual([])
    await host.stop()
  })

  it('can be stopped while they are being opened; nothing runs, and the folder is released', async () => {
    const root = await seeded(40)
    for (let round = 0; round < 3; round += 1) {
      const host = await temporaryHost({}, { root, scheduled: true })
      await host.stop()
    }
    for (const name of await readdir(root)) {
      if (name !== 'data') expect(await readdir(join(root, name))).not.toContain('ran')
    }
  })
})

it('a workspace that cannot be opened is reported with the reason, and the others run', async () => {
  const root = await seeded(3)
  const ids = (await readdir(join(root, 'data/workspaces'))).sort()
  const ledger = join(root, 'data/workspaces', ids[0] ?? '', 'ledger')
  await rm(ledger, { recursive: true })
  await writeFile(ledger, 'not a folder')
  await chmod(ledger, 0o600)
  const told: string[] = []
  const host = await temporaryHost(
    {},
    { root, notifier: { notify: ({ title, body }) => told.push(`${title}: ${body}`) } },
  )
  const { workspaces, unopened } = await host.client.status()
  expect(workspaces).toHaveLength(2)
  expect(unopened).toMatchObject([{ id: ids[0], reason: expect.stringMatching(/\S/) }])
  expect(told.join()).toContain('could not be opened')
  await host.stop()
})
