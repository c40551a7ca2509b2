import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { ChangeVerdict } from '../../core/change/types.ts'
import { MAXIMUM_CONFIG_BYTES } from '../config/parse-config.ts'
import { readRegistry } from '../config/registry.ts'
import { readBoundedFile } from '../files/bounded-file.ts'
import { ownDataFolders } from '../host/own-data-folders.ts'
import { systemClock } from '../host/system-clock.ts'
import type { Contain, SandboxConfig } from '../ports/containment.ts'
import type { Log } from '../ports/log.ts'
import { findMeans } from '../sandbox/find-means.ts'
import { keptTrial } from '../sandbox/kept-trial.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import { openBaseCache } from './base-cache.ts'
import type { GivenConfiguration } from './policy.ts'
import { ChangeProblem } from './repository.ts'
import { verifyChange } from './verify-change.ts'
import type { VerifyOptions } from './verify-options.ts'

/** A request, as a command line or a CI job makes it. */
export interface VerifyRequest
  extends Omit<VerifyOptions, 'configuration' | 'contain' | 'cache' | 'hidesCaches' | 'clock' | 'log'> {
  /** Path of a configuration outside the tree. */
  readonly config: string | undefined
  readonly useCache: boolean
  /** Pulseward's data folder. It and the workspaces that it knows are hidden from the checks. Need not exist. */
  readonly dataDirectory: string
  /** The folder of this program. */
  readonly installation: string
  /** Whether checks are sandboxed; omitted: as the base's configuration says. */
  readonly sandbox?: SandboxConfig['sandbox']
}

const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} }

/** Judges a change on this machine, without a host. Its checks are sandboxed if this machine can do it, unless that is turned off. */
export async function verifyHere(request: VerifyRequest): Promise<ChangeVerdict> {
  const { config, useCache, dataDirectory, installation, sandbox: setting, ...asked } = request
  const registered = readRegistry(dataDirectory, true).then(
    ({ workspaces }) => workspaces.map(({ path }) => path),
    () => [],
  )
  const trial = keptTrial(dataDirectory, () => systemClock.nowMs())
  const sandbox = createSandbox({
    containing: () => findMeans(trial),
    surroundings: {
      home: homedir(),
      environment: process.env,
      ownData: ownDataFolders(dataDirectory),
      installation,
    },
    workspaces: () => registered,
  })
  try {
    return await verifyChange({
      ...asked,
      configuration: config === undefined ? null : await readGiven(config),
      contain: async (top, { configuration: { containment } }): Promise<Contain> =>
        sandbox.of(top, {
          preset: null,
          passEnvironment: [],
          containment: { ...containment, ...(setting !== undefined && { sandbox: setting }) },
        }),
      hidesCaches: 'all',
      cache: useCache ? openBaseCache(dataDirectory) : null,
      clock: systemClock,
      log: SILENT,
    })
  } finally {
    trial.close()
    await sandbox.close()
  }
}

async function readGiven(path: string): Promise<GivenConfiguration> {
  const reading = await readBoundedFile(resolve(path), MAXIMUM_CONFIG_BYTES)
  if (!reading.ok) throw new ChangeProblem(2, `--config ${path} cannot be read (${reading.code}).`)
  return { path, bytes: reading.bytes }
}

/** Limit for a description; none is longer in practice. */
const MAX_CLAIM_BYTES = 1024 * 1024

/** Reads the text of a description from a file, or from stdin for `-`. Rejects with a `ChangeProblem` if it cannot be read. */
export async function readClaims(path: string): Promise<string> {
  if (path === '-') {
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Buffer))
    return textOf(Buffer.concat(chunks))
  }
  try {
    return textOf(await readFile(resolve(path)))
  } catch (error) {
    throw new ChangeProblem(
      2,
      `--claims ${path} cannot be read (${error instanceof Error ? error.message : String(error)}).`,
    )
  }
}

/** Also reads UTF-16, in which PowerShell saves the output of a command: read as UTF-8, it would contain no claims. */
function textOf(bytes: Buffer): string {
  const text = bytes.subarray(0, MAX_CLAIM_BYTES)
  const mark = text.subarray(0, 2).toString('hex')
  return new TextDecoder(mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8').decode(text)
}
