import type { ContractRouterClient } from '@orpc/contract'
import { eventIterator, oc } from '@orpc/contract'
import { createRouterClient, implement } from '@orpc/server'
import { z } from 'zod'
import { RequestProblem } from '../../../api/request-problem.ts'
import type { Log } from '../../ports/log.ts'
import type { Arrival, Served } from '../api-handlers.ts'
import { writeEventStream } from '../event-stream.ts'
import { toApiError } from '../problems.ts'

/*
 * A small API for transport tests, with a procedure of each kind: one that answers, one that changes something, one that waits,
 * one that streams.
 */

const base = oc.errors({
  NOT_FOUND: {
    status: 404,
    data: z
      .object({ known: z.array(z.string()) })
      .partial()
      .optional(),
  },
  BAD_REQUEST: { status: 400 },
})
const workspaceInput = z.object({ workspace: z.string().optional() })
const eventSchema = z.object({ type: z.string(), text: z.string() })

const smallContract = {
  score: {
    get: base
      .route({ method: 'GET', path: '/score' })
      .input(workspaceInput)
      .output(z.object({ score: z.number() })),
    feedback: base
      .route({ method: 'POST', path: '/score/feedback' })
      .input(workspaceInput.extend({ feedback: z.enum(['up', 'down']) }))
      .output(z.object({ delta: z.number(), score: z.number() })),
  },
  text: base
    .route({ method: 'PUT', path: '/text' })
    .input(workspaceInput.extend({ text: z.string(), hash: z.string() }))
    .output(z.object({ length: z.number() })),
  emptied: base.route({ method: 'DELETE', path: '/text' }).output(z.object({ length: z.number() })),
  note: {
    get: base
      .route({ method: 'GET', path: '/notes/{id}' })
      .input(z.object({ id: z.string() }))
      .output(z.object({ id: z.string() })),
    remove: base
      .route({ method: 'DELETE', path: '/notes/{id}' })
      .input(z.object({ id: z.string() }))
      .output(z.object({ id: z.string() })),
  },
  run: base
    .route({ method: 'POST', path: '/run' })
    .input(workspaceInput)
    .output(z.object({ ran: z.boolean() })),
  events: base.input(workspaceInput.optional()).output(eventIterator(eventSchema)),
}

export type SmallClient = ContractRouterClient<typeof smallContract>

type SmallEvent = z.infer<typeof eventSchema>

/** Serves the small API over one score, with controls for tests. */
export interface SmallHost {
  readonly served: Served<Arrival>
  readonly client: SmallClient
  readonly score: number
  emit(event: SmallEvent): void
  listenerCount(): number
  /** Ends every waiting `run`. */
  finishRuns(): void
  runningCount(): number
  /** Replaces what `text` does. */
  text: (text: string) => unknown
}

/** Creates a host with the workspaces `one` and `two`, and 10 points. */
export function createSmallHost(log: Log): SmallHost {
  let score = 10
  const listeners = new Set<(event: SmallEvent) => void>()
  const finishers = new Set<() => void>()
  const find = (input: { workspace?: string | undefined } | undefined, context: Partial<Arrival>): void => {
    const id = input?.workspace ?? context.workspace
    if (id === undefined || id === 'one' || id === 'two') return
    throw new RequestProblem('not-found', `No workspace ${id}; there are: one, two`, {
      data: { known: ['one', 'two'] },
    })
  }
  const os = implement(smallContract)
    .$context<Arrival>()
    .use(async ({ next, path }) => {
      try {
        return await next()
      } catch (error) {
        throw toApiError(error, path.join('.'), log)
      }
    })
  const events = (signals: readonly AbortSignal[]) => eventsOf(listeners, signals)
  const router = os.router({
    score: {
      get: os.score.get.handler(({ input, context }) => {
        find(input, context)
        return { score }
      }),
      feedback: os.score.feedback.handler(({ input, context }) => {
        find(input, context)
        const delta = input.feedback === 'up' ? 3 : -10
        score += delta
        return { delta, score }
      }),
    },
    text: os.text.handler(({ input }) => host.text(input.text) as { length: number }),
    emptied: os.emptied.handler(() => ({ length: 0 })),
    note: {
      get: os.note.get.handler(({ input }) => input),
      remove: os.note.remove.handler(({ input }) => input),
    },
    run: os.run.handler(async () => {
      await new Promise<void>((finish) => finishers.add(finish))
      return { ran: true }
    }),
    events: os.events.handler(({ input, context, signal }) => {
      find(input, context)
      return events([signal, context.stopping].filter((each) => each !== undefined))
    }),
  })
  const host: SmallHost = {
    served: {
      router,
      context: (arrival) => arrival,
      reading: new Set(['score/get', 'events']),
      endpoints: {
        '/api/events': (query, response, stopping) => {
          find({ workspace: query.get('workspace') ?? undefined }, {})
          return writeEventStream(response, events([stopping]), query.has('lively') ? 20 : 15_000)
        },
      },
    },
    client: createRouterClient(router, {
      context: { stopping: new AbortController().signal, readsOnly: false },
    }),
    get score() {
      return score
    },
    emit: (event) => {
      for (const listener of listeners) listener(event)
    },
    listenerCount: () => listeners.size,
    finishRuns: () => {
      for (const finish of finishers) finish()
      finishers.clear()
    },
    runningCount: () => finishers.size,
    text: (text) => ({ length: text.length }),
  }
  return host
}

/**
 * Returns an iterator object rather than an async generator, because `return` cannot interrupt a generator that waits for the next event.
 */
function eventsOf(
  listeners: Set<(event: SmallEvent) => void>,
  signals: readonly AbortSignal[],
): AsyncIteratorObject<SmallEvent, undefined, void> {
  const queue: SmallEvent[] = []
  let wake = (): void => {}
  let ended = false
  const listener = (event: SmallEvent): void => {
    queue.push(event)
    wake()
  }
  const end = (): void => {
    ended = true
    listeners.delete(listener)
    wake()
  }
  listeners.add(listener)
  for (const signal of signals) signal.addEventListener('abort', end)
  return {
    async next() {
      while (queue.length === 0 && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const value = queue.shift()
      return value === undefined ? { done: true, value: undefined } : { done: false, value }
    },
    async return() {
      end()
      return { done: true, value: undefined }
    },
    async [Symbol.asyncDispose]() {
      end()
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
