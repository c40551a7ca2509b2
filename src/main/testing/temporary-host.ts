import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localDay, timestamp } from '../../core/pacing/schedule.ts'
import type { EventBody } from '../../core/record/events.ts'
import { addWorkspace } from '../config/registry.ts'
import { approve, readTrust } from '../config/trust.ts'
import type { HostOptions } from '../host/host-options.ts'
import { systemClock } from '../host/system-clock.ts'
import { createHost, type Host } from '../host.ts'
import { openLedger } from '../ledger/ledger.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
const DEFAULT_CONTRACT =
  '## Tasks\n\n- [ ] check_email | Check the mail | required | verify: exists("mail.txt")\n'
const DEFAULT_CONFIGURATION = '[agent]\ncommand = ["true"]\n'

/** A folder to supervise, by name; omitted parts get the simplest working default. */
interface SeedWorkspace {
  readonly contract?: string
  readonly configuration?: string
  /** False: the configuration waits for approval. */
  readonly trusted?: boolean
  /** What happened before the host was started. */
  readonly events?: readonly EventBody[]
}

/** A real host over a temporary folder. */
export interface TemporaryHost extends Host {
  readonly root: string
  readonly dataDirectory: string
  /** The folder of a workspace. */
  folder(name: string): string
  /** The id of a workspace. */
  id(name: string): string
  /** Stops the host and removes its folder. */
  remove(): Promise<void>
}

/** Creates a new folder and returns its real path. */
export async function temporaryFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'pulseward-host-')))
}

/** Starts a host with these workspaces, without a schedule: heartbeats only run on request. */
export async function temporaryHost(
  workspaces: Readonly<Record<string, SeedWorkspace>> = {},
  options: Partial<HostOptions> & { readonly root?: string } = {},
): Promise<TemporaryHost> {
  const { root = await temporaryFolder(), ...hostOptions } = options
  const dataDirectory = join(root, 'data')
  const folder = (name: string): string => join(root, name)
  const ids = new Map<string, string>()
  for (const [name, seed] of Object.entries(workspaces)) {
    await mkdir(folder(name), { recursive: true })
    ids.set(name, await seedWorkspace(dataDirectory, folder(name), seed))
  }
  const host = await createHost({
    dataDirectory,
    version: '1.2.3',
    clock: systemClock,
    log: SILENT,
    notifier: { notify: () => {} },
    pageDirectory: null,
    sampleDirectory: join(import.meta.dirname, '../../../resources/sample'),
    port: 0,
    scheduled: false,
    ...hostOptions,
  })
  return {
    ...host,
    root,
    dataDirectory,
    folder,
    id: (name) => ids.get(name) ?? '',
    remove: async () => {
      await host.stop()
      await rm(root, { recursive: true, force: true })
    },
  }
}

async function seedWorkspace(dataDirectory: string, path: string, seed: SeedWorkspace): Promise<string> {
  await writeFile(join(path, 'HEARTBEAT.md'), seed.contract ?? DEFAULT_CONTRACT)
  await writeFile(join(path, 'pulseward.toml'), seed.configuration ?? DEFAULT_CONFIGURATION)
  const { id } = await addWorkspace(dataDirectory, path, Date.now())
  const directory = join(dataDirectory, 'workspaces', id)
  const ledger = await openLedger({
    directory,
    clock: systemClock,
    log: SILENT,
    localDay: (ms) => localDay(ms, 'local'),
    timestamp: (ms) => timestamp(ms, 'local'),
  })
  for (const event of seed.events ?? []) await ledger.append(event)
  const trust = await readTrust(path, directory)
  if (seed.trusted !== false && trust.kind === 'unapproved') {
    await approve(path, directory, trust.currentHash)
    await ledger.append({ type: 'configuration-approved', hash: trust.currentHash })
  }
  await ledger.close()
  return id
}
