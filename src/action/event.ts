import { z } from 'zod'

const sha = z.string().regex(/^[0-9a-f]{40,64}$/)
const pullSchema = z.object({
  number: z.int().positive(),
  title: z.string(),
  body: z.string().nullish(),
  commits: z.int().nonnegative().catch(50),
  head: z.object({ sha }),
  base: z.object({ sha }),
})
const payloadSchema = z.object({
  pull_request: pullSchema.optional(),
  merge_group: z
    .object({ head_sha: sha, base_sha: sha, head_commit: z.object({ message: z.string() }).nullish() })
    .optional(),
  before: z.string().optional(),
})

/** What a verdict needs to know about the event that started the job. */
export interface JobEvent {
  readonly name: string
  /** The base to compare with; `undefined`: as the command's defaults decide. */
  readonly base: string | undefined
  /** `undefined`: the commit that is checked out. */
  readonly head: string | undefined
  readonly pull: {
    readonly number: number
    readonly title: string
    readonly body: string
    readonly headSha: string
    readonly commits: number
  } | null
  /** True for `pull_request_target`: nothing of head is checked out or run, because the job may hold secrets. */
  readonly isTarget: boolean
}

/** Parses an event's payload; throws a zod error if it doesn't have the forge's documented shape. */
export function readEvent(name: string, payload: unknown): JobEvent {
  const { pull_request: pull, merge_group: group, before } = payloadSchema.parse(payload)
  const none = { name, base: undefined, head: undefined, pull: null, isTarget: false }
  if (pull !== undefined) {
    const isTarget = name === 'pull_request_target'
    return {
      ...none,
      base: pull.base.sha,
      head: isTarget ? pull.head.sha : undefined,
      isTarget,
      pull: {
        number: pull.number,
        title: pull.title,
        body: pull.body ?? '',
        headSha: pull.head.sha,
        commits: pull.commits,
      },
    }
  }
  if (group !== undefined) return { ...none, base: group.base_sha, head: group.head_sha }
  const isKnown = before !== undefined && /[1-9a-f]/.test(before)
  return { ...none, base: isKnown ? before : undefined }
}
