import { constants, type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  type ReadTextFileRequest,
  type ReadTextFileResponse,
  RequestError,
  type WriteTextFileRequest,
} from '@agentclientprotocol/sdk'
import type { AgentEvent } from '../../../core/activity/types.ts'
import type { PermissionDesk, Wish } from './permission-desk.ts'
import { type ResolvedPath, resolvePath } from './workspace-paths.ts'

/** Rules for agents and settings of theirs, by the names that programs look for. */
const RULE_FILE =
  /(?:^|[\\/])(?:AGENTS?|CLAUDE|GEMINI|QWEN|KIMI|CONTEXT|CONVENTIONS)(?:\.local|\.override)?\.md$|[\\/]\.(?:cursorrules|windsurfrules|clinerules)$/i

/** Larger files are to be read in pieces, by a tool of the agent's own. */
const MAX_FILE_BYTES = 8 * 1024 * 1024

export interface FilesOptions {
  readonly directory: string
  readonly desk: PermissionDesk
  readonly emit: (event: AgentEvent) => void
  /** Whether the agent has told that it is about to change this file, and will tell how that ended. */
  readonly isReported?: (path: string, inside: string | null) => boolean
  /** Of the turn: nothing is touched after it. */
  readonly signal: () => AbortSignal
}

/** The workspace's files as an agent reads and writes them through us: text files within the workspace, nothing else. */
export class WorkspaceFiles {
  readonly #options: FilesOptions
  /** As the agent gave them and as they lie in the workspace, until it tells of them itself. */
  readonly #written = new Set<string>()

  constructor(options: FilesOptions) {
    this.#options = options
  }

  async read({ path, line, limit }: ReadTextFileRequest): Promise<ReadTextFileResponse> {
    const place = await this.#admit('read', path)
    const file = await opened(place, constants.O_RDONLY)
    try {
      const { size } = await file.stat()
      if (size > MAX_FILE_BYTES)
        throw RequestError.invalidParams({ path }, `${path} has ${size} bytes; ${MAX_FILE_BYTES} can be read`)
      const content = await file.readFile('utf8')
      return { content: linesOf(content, line ?? 1, limit ?? null) }
    } finally {
      await file.close()
    }
  }

  async write({ path, content }: WriteTextFileRequest): Promise<void> {
    const place = await this.#admit('edit', path)
    await mkdir(dirname(place.real), { recursive: true }).catch((error: unknown) => refuseWith(path, error))
    const { file, isNew } = await openedForWriting(place)
    try {
      await file.truncate(0)
      await file.writeFile(content)
    } catch (error) {
      refuseWith(path, error)
    } finally {
      await file.close()
    }
    const { emit, isReported } = this.#options
    if (isReported?.(path, place.inside) === true) return
    this.#written.add(path).add(place.inside ?? path)
    emit({
      kind: 'edit',
      callId: null,
      tool: 'fs/write_text_file',
      path: place.inside ?? path,
      change: isNew ? 'created' : 'modified',
      status: 'succeeded',
    })
  }

  /** Whether this file was written since it was last asked about. */
  takeWritten(path: string): boolean {
    return this.#written.delete(path)
  }

  /** The place a path leads to, where the agent may go there; a refusal is recorded and said. */
  async #admit(kind: 'read' | 'edit', path: string): Promise<ResolvedPath> {
    const { directory, desk, signal } = this.#options
    if (signal().aborted) throw RequestError.requestCancelled()
    const place = await resolvePath(directory, path)
    const wish: Wish = { kind, tool: kind, title: path, command: null, address: null, paths: [place] }
    if (place.inside === null) {
      // Agents look for rules in every folder above them: that there is nothing for them keeps them from nothing.
      if (kind === 'read' && RULE_FILE.test(path)) throw RequestError.resourceNotFound(path)
      desk.refuse(wish)
      throw RequestError.invalidParams(
        { path },
        `${path} is outside the workspace ${directory}; only files within it can be ${kind === 'read' ? 'read' : 'written'}`,
      )
    }
    // Files of the workspace are there to be read, unless they are denied by name; a change needs permission like any other.
    const isAllowed = kind === 'read' ? !desk.isDenied(wish) : await desk.mayChange(wish, place, signal())
    if (signal().aborted) throw RequestError.requestCancelled()
    if (!isAllowed) throw RequestError.invalidParams({ path }, `Permission to ${kind} ${path} was denied`)
    return place
  }
}

function linesOf(content: string, first: number, limit: number | null): string {
  if (first <= 1 && limit === null) return content
  const lines = content.split(/(?<=\n)/)
  const start = Math.max(0, first - 1)
  return lines.slice(start, limit === null ? undefined : start + limit).join('')
}

/** Never waits for a pipe and never follows a link that was put there since the path was resolved. */
async function opened(place: ResolvedPath, flags: number): Promise<FileHandle> {
  const file = await open(place.real, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => refuseWith(place.given, error),
  )
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw RequestError.invalidParams({ path: place.given }, `${place.given} is no file`)
}

async function openedForWriting(place: ResolvedPath): Promise<{ file: FileHandle; isNew: boolean }> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const created = await open(place.real, flags, 0o666).catch((error: unknown) => {
    if (codeOf(error) === 'EEXIST') return null
    return refuseWith(place.given, error)
  })
  if (created !== null) return { file: created, isNew: true }
  return { file: await opened(place, constants.O_WRONLY), isNew: false }
}

function refuseWith(path: string, error: unknown): never {
  const code = codeOf(error)
  if (code === 'ENOENT') throw RequestError.resourceNotFound(path)
  if (code === 'EISDIR') throw RequestError.invalidParams({ path }, `${path} is a folder`)
  throw RequestError.internalError({ path, code }, `${path} cannot be opened (${code})`)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}
