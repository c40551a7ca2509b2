import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { HostStatus } from '../api/schemas/host.ts'
import type { WorkspaceDetail } from '../core/read-model/workspace.ts'
import { SUPERVISOR_VARIABLE } from '../core/vocabulary/supervisor-variable.ts'
import { defaultDataDirectory } from '../main/config/data-directory.ts'
import { readServerFile, type ServerAddress } from '../main/ledger/server-file.ts'
import { processOrigin } from '../main/process/process-origin.ts'
import { answerStatus } from './describe-status.ts'
import { pickWorkspace } from './find-workspace.ts'
import { readJson, send } from './loopback-request.ts'
import { createOutput, type Streams } from './output.ts'

/*
 * `status` without loading the program. People and scripts call it often, and this takes a third of the time. It is
 * built into a separate file (electron.vite.config.ts). It answers only if a host is running and everything is
 * fine. Anything else, such as an unknown argument or a host that refuses, is left to the program, which asks again
 * and reports the problem.
 */

interface Asked {
  readonly dataDirectory: string
  readonly workspaceArgument: string | undefined
  readonly json: boolean
}

export interface StatusOptions {
  /** The words after the program's name. */
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly currentDirectory: string
  readonly streams: Streams
  /** How long the host may take. If it takes longer, the answer is left to the full program, which waits longer and then says so. */
  readonly answerMs?: number
}

/** Answers `status`; false if nothing was printed and the full program has to do it. Never rejects. */
export async function statusAtOnce(options: StatusOptions): Promise<boolean> {
  const { environment, currentDirectory, streams } = options
  const asked = readWords(options)
  if (asked === null || mayBeSupervised(environment)) return false
  try {
    const address = await readServerFile(asked.dataDirectory)
    if (address === null) return false
    const signal = AbortSignal.timeout(options.answerMs ?? 2000)
    // One after the other, because for each connection the host must ask the kernel which process is at the other end.
    const host = await ask<HostStatus>(address, '/api/status', signal)
    // The wanted workspace may be among them.
    if (host.opening.length > 0) return false
    const chosen = await pickWorkspace(host.workspaces, { ...asked, currentDirectory })
    if (chosen === undefined) return false
    const path = `/api/workspaces/${encodeURIComponent(chosen.id)}`
    const detail = await ask<WorkspaceDetail>(address, path, signal)
    answerStatus(createOutput(streams, { json: asked.json, environment }), detail, host.unopened)
    return true
  } catch {
    // The request was refused, the host is starting or stopping, or another program has its port.
    return false
  }
}

/** True if this process may be supervised, for any data folder: the full program finds out whether it is this one, and refuses. */
function mayBeSupervised(environment: StatusOptions['environment']): boolean {
  return (
    environment[SUPERVISOR_VARIABLE] !== undefined || processOrigin(process.pid, null)?.isSupervised === true
  )
}

/** Parses the arguments if they are only `status` with options that all commands have; otherwise null. */
function readWords({ args, environment, currentDirectory }: StatusOptions): Asked | null {
  const values = new Map<string, string>()
  const rest = [...args]
  const plain: string[] = []
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const value = word === '--workspace' || word === '--data-dir' ? rest.shift() : null
    if (value === undefined || value === '' || value?.startsWith('-')) return null
    if (value === null) plain.push(word)
    else values.set(word, value)
  }
  const words = plain.filter((word) => word !== '--json')
  if (words.length !== 1 || words[0] !== 'status') return null
  const named = values.get('--data-dir') ?? defaultDataDirectory(environment, homedir())
  return {
    dataDirectory: resolve(currentDirectory, named),
    workspaceArgument: values.get('--workspace'),
    json: plain.includes('--json'),
  }
}

/**
 * Returns the host's answer, which is trusted, because the owner of the data folder wrote the address. Rejects with anything but an answer.
 */
async function ask<Answer>(
  { port, token }: ServerAddress,
  path: string,
  signal: AbortSignal,
): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}` }
  const asking = { method: 'GET', headers, signal, text: null }
  const answer = await send(new URL(path, `http://127.0.0.1:${port}`), asking)
  const body = await readJson(answer)
  if (answer.statusCode !== 200) throw new Error(`The host answered with ${answer.statusCode}.`)
  return body as Answer
}
