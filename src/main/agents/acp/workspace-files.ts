import {
  type ReadTextFileRequest,
  type ReadTextFileResponse,
  RequestError,
  type WriteTextFileRequest,
} from '@agentclientprotocol/sdk'
import type { AgentEvent } from '../../../core/activity/types.ts'
import { type Helper, HelperError } from './helper.ts'
import type { PermissionDesk, Wish } from './permission-desk.ts'
import { type ResolvedPath, resolvePath } from './workspace-paths.ts'

/** Rules and settings files of agents, by the names that agent programs look for. */
const RULE_FILE =
  /(?:^|[\\/])(?:AGENTS?|CLAUDE|GEMINI|QWEN|KIMI|CONTEXT|CONVENTIONS)(?:\.local|\.override)?\.md$|[\\/]\.(?:cursorrules|windsurfrules|clinerules)$/i

/** Larger files must be read in pieces, with the agent's own tools. */
const MAX_FILE_BYTES = 8 * 1024 * 1024

export interface FilesOptions {
  readonly directory: string
  readonly desk: PermissionDesk
  /** Opens the files in the agent's sandbox. */
  readonly helper: Pick<Helper, 'read' | 'write'>
  readonly emit: (event: AgentEvent) => void
  /** Returns whether the agent has announced this change of a file, and will report its result. */
  readonly isReported?: (path: string, inside: string | null) => boolean
  /** Signal of the turn; no file is accessed after it. */
  readonly signal: () => AbortSignal
}

/** Lets an agent read and write files through us: only text files in the workspace. */
export class WorkspaceFiles {
  readonly #options: FilesOptions
  /** Given and real paths, until the agent reports them itself. */
  readonly #written = new Set<string>()

  constructor(options: FilesOptions) {
    this.#options = options
  }

  async read({ path, line, limit }: ReadTextFileRequest): Promise<ReadTextFileResponse> {
    const { place, wish } = await this.#admit('read', path)
    const { size, content } = await this.#done(
      wish,
      this.#options.helper.read(namesOf(place), MAX_FILE_BYTES),
    )
    if (content === null)
      throw RequestError.invalidParams({ path }, `${path} has ${size} bytes; ${MAX_FILE_BYTES} can be read`)
    return { content: linesOf(content, line ?? 1, limit ?? null) }
  }

  async write({ path, content }: WriteTextFileRequest): Promise<void> {
    const { place, wish } = await this.#admit('edit', path)
    const { isNew } = await this.#done(wish, this.#options.helper.write(namesOf(place), content))
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

  /** Returns whether this file was written since the last call. */
  takeWritten(path: string): boolean {
    return this.#written.delete(path)
  }

  /** Returns the result of the action; records and reports a refusal. */
  async #done<T>(wish: Wish, act: Promise<T>): Promise<T> {
    try {
      return await act
    } catch (error) {
      if (!(error instanceof HelperError)) throw error
      const [path, { code }] = [wish.title, error]
      if (code === 'GONE') throw RequestError.requestCancelled()
      if (code === 'ENOENT') throw RequestError.resourceNotFound(path)
      if (code === 'EISDIR') throw RequestError.invalidParams({ path }, `${path} is a folder`)
      if (code === 'NOFILE') throw RequestError.invalidParams({ path }, `${path} is not a file`)
      if (!REFUSALS.has(code))
        throw RequestError.internalError({ path, code }, `${path} cannot be opened (${code})`)
      this.#options.desk.refuse(wish)
      throw RequestError.invalidParams({ path, code }, `Permission to ${wish.kind} ${path} was denied`)
    }
  }

  /** Resolves a path if the agent may access it; records and reports a refusal. */
  async #admit(kind: 'read' | 'edit', path: string): Promise<{ place: ResolvedPath; wish: Wish }> {
    const { directory, desk, signal } = this.#options
    if (signal().aborted) throw RequestError.requestCancelled()
    const place = await resolvePath(directory, path)
    const wish: Wish = { kind, tool: kind, title: path, command: null, address: null, paths: [place] }
    if (place.inside === null) {
      // Agents look for rules files in every parent folder; answering "not found" does not hinder them.
      if (kind === 'read' && RULE_FILE.test(path)) throw RequestError.resourceNotFound(path)
      desk.refuse(wish)
      throw RequestError.invalidParams(
        { path },
        `${path} is outside the workspace ${directory}; only files in it can be ${kind === 'read' ? 'read' : 'written'}`,
      )
    }
    // Files of the workspace may be read unless `deny` matches them; a change needs permission like any other.
    const isAllowed = kind === 'read' ? !desk.isDenied(wish) : await desk.mayChange(wish, place, signal())
    if (signal().aborted) throw RequestError.requestCancelled()
    if (!isAllowed) throw RequestError.invalidParams({ path }, `Permission to ${kind} ${path} was denied`)
    return { place, wish }
  }
}

function linesOf(content: string, first: number, limit: number | null): string {
  if (first <= 1 && limit === null) return content
  const lines = content.split(/(?<=\n)/)
  const start = Math.max(0, first - 1)
  return lines.slice(start, limit === null ? undefined : start + limit).join('')
}

/** Returns the names along the path, relative to the workspace. */
function namesOf({ inside }: ResolvedPath): readonly string[] {
  return inside === null || inside === '.' ? [] : inside.split('/')
}

/** Error codes that mean that the agent may not do this, in a sandbox or without one. */
const REFUSALS = new Set(['REFUSED', 'EACCES', 'EPERM', 'EROFS', 'EBUSY'])
