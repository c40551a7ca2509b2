import { execFile } from 'node:child_process'
import { access, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { RequestProblem } from '../../api/request-problem.ts'
import { succeeds } from '../files/succeeds.ts'
import type { ServiceDefinition } from './definition.ts'

const execute = promisify(execFile)
/** A service manager answers quickly or never. */
const PATIENCE_MS = 60_000

export interface ServiceState {
  readonly manager: string
  readonly file: string
  readonly installed: boolean
  readonly running: boolean
  readonly logs: string
}

/**
 * Defines the service and starts it; a second call applies the current definition. Rejects with a `RequestProblem` of kind
 * `unprocessable`.
 */
export async function installService(definition: ServiceDefinition): Promise<ServiceState> {
  const { installed } = await serviceState(definition)
  await mkdir(dirname(definition.file), { recursive: true })
  await writeFile(definition.file, definition.text, { mode: 0o644 })
  if (installed)
    for (const command of definition.replace ?? [])
      await runManager(definition, command).catch(() => undefined)
  try {
    for (const command of definition.install) await runManager(definition, command)
  } catch (error) {
    // A refused service must not start at a later login.
    if (!installed) await rm(definition.file, { force: true })
    throw error
  }
  return serviceState(definition)
}

/** Stops the service and removes its definition; succeeds if there is none. */
export async function removeService(definition: ServiceDefinition): Promise<ServiceState> {
  const [first, ...others] = definition.remove
  if (first !== undefined) await runManager(definition, first).catch(() => undefined)
  await rm(definition.file, { force: true })
  for (const command of others) await runManager(definition, command).catch(() => undefined)
  return serviceState(definition)
}

export async function serviceState(definition: ServiceDefinition): Promise<ServiceState> {
  const { manager, file, logs } = definition
  const installed = await succeeds(access(file))
  const running = await succeeds(runManager(definition, definition.isRunning))
  return { manager, file, installed, running, logs }
}

async function runManager({ manager }: ServiceDefinition, command: readonly string[]): Promise<void> {
  const [program = '', ...args] = command
  try {
    await execute(program, args, { timeout: PATIENCE_MS })
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string }
    const said = code === 'ENOENT' ? `${program} is not installed` : (stderr ?? '').trim().split('\n')[0]
    throw new RequestProblem(
      'unprocessable',
      `${manager} refused \`${command.join(' ')}\`: ${said || `it exited with ${String(code)}`}.`,
      { cause: error },
    )
  }
}
