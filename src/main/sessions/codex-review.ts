import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { z } from 'zod'

/*
 * Codex runs a user-level hook only after its definition has been reviewed. Its own server lists the definitions with their hashes and
 * accepts reviews, so we submit what the operator has just agreed to through it.
 */

export interface ReviewOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The file with our entries, and their places in it: entries of other programs are not reviewed. */
  readonly file: string
  readonly commands: readonly string[]
  readonly places: readonly { readonly name: string; readonly group: number; readonly hook: number }[]
  readonly version: string
}

export type Review =
  | { readonly kind: 'reviewed' }
  | { readonly kind: 'not-reviewed'; readonly reason: string }

const BY_HAND = 'Review it in Codex: start `codex`, then `/hooks`. Until then Codex does not call it.'
const PATIENCE_MS = 20_000

const hookSchema = z.looseObject({
  key: z.string(),
  currentHash: z.string(),
  command: z.string().nullish(),
  trustStatus: z.string().optional(),
})

/** Has our entries in the file reviewed. Never rejects. */
export async function reviewInCodex(options: ReviewOptions): Promise<Review> {
  const server = startServer(options)
  try {
    await server.ask('initialize', {
      clientInfo: { name: 'pulseward', title: 'Pulseward', version: options.version },
    })
    server.tell('initialized', {})
    const listed = await server.ask('hooks/list', { cwds: [options.home] })
    const ours = hooksIn(listed).filter((hook) => isOurs(hook, options))
    if (ours.length === 0) return { kind: 'not-reviewed', reason: BY_HAND }
    const value = Object.fromEntries(ours.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]))
    await server.ask('config/batchWrite', {
      edits: [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }],
    })
    return { kind: 'reviewed' }
  } catch {
    return { kind: 'not-reviewed', reason: BY_HAND }
  } finally {
    server.end()
  }
}

/** Whether it is our hook: by its command if Codex reports it, else by its position in the file: `FILE:stop:0:0`. */
function isOurs(
  { key, command }: z.infer<typeof hookSchema>,
  { file, commands, places }: ReviewOptions,
): boolean {
  if (!key.startsWith(`${file}:`)) return false
  if (command != null) return commands.includes(command)
  const [event = '', group, hook] = key.slice(file.length + 1).split(':')
  const plain = (name: string): string => name.replace(/[_-]/g, '').toLowerCase()
  return places.some(
    (place) =>
      plain(place.name) === plain(event) && String(place.group) === group && String(place.hook) === hook,
  )
}

/** Returns the hooks in an answer at any depth, because versions wrap them differently. */
function hooksIn(value: unknown): readonly z.infer<typeof hookSchema>[] {
  const found = hookSchema.safeParse(value)
  if (found.success) return [found.data]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(hooksIn)
}

interface Server {
  readonly ask: (method: string, params: object) => Promise<unknown>
  readonly tell: (method: string, params: object) => void
  readonly end: () => void
}

function startServer({ environment }: ReviewOptions): Server {
  const child = spawn('codex', ['app-server'], {
    env: { ...environment } as NodeJS.ProcessEnv,
    stdio: ['pipe', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
  const waiting = new Map<number, { done: (value: unknown) => void; fail: (error: Error) => void }>()
  const failAll = (): void => {
    for (const { fail } of waiting.values()) fail(new Error('Codex ended'))
    waiting.clear()
  }
  child.on('error', failAll)
  child.on('close', failAll)
  child.stdin.on('error', failAll)
  createInterface({ input: child.stdout }).on('line', (line) => {
    try {
      const { id, result, error } = JSON.parse(line) as { id?: number; result?: unknown; error?: unknown }
      const asked = id === undefined ? undefined : waiting.get(id)
      if (id === undefined || asked === undefined) return
      waiting.delete(id)
      if (error === undefined) asked.done(result)
      else asked.fail(new Error(JSON.stringify(error)))
    } catch {
      // Anything that is not a message is log output.
    }
  })
  let last = 0
  return {
    ask: (method, params) =>
      new Promise((done, fail) => {
        last += 1
        const timer = setTimeout(() => fail(new Error('Codex does not answer')), PATIENCE_MS)
        const settle =
          <T>(then: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer)
            then(value)
          }
        waiting.set(last, { done: settle(done), fail: settle(fail) })
        child.stdin.write(`${JSON.stringify({ id: last, method, params })}\n`)
      }),
    tell: (method, params) => void child.stdin.write(`${JSON.stringify({ method, params })}\n`),
    end: () => {
      child.stdin.end()
      child.kill()
    },
  }
}
