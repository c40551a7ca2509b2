import { z } from 'zod'
import type { ApiClient } from '../../api/client.ts'
import { RequestProblem } from '../../api/request-problem.ts'
import { harmlessLine } from '../../core/text/harmless.ts'

/*
 * What the operator's own assistant can ask (`pulseward mcp`). Not to be confused with the tools of an agent under supervision
 * (`src/main/mcp`), which only report on its own task.
 */

const workspace = z
  .string()
  .max(200)
  .optional()
  .describe(
    'Id of the workspace. Optional if there is only one, or for the one that the server was started for.',
  )
const attemptId = z.string().min(1).max(200)
const reason = z.string().trim().min(1).max(2000)

/** A tool; if it has a `confirm`, the operator is asked first, with the text that it returns. */
export interface AssistantTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  /** Omitted: the tool only reads. */
  readonly confirm?: (input: z.infer<Input>) => string
  /** True if the tool ends or removes something that can't be recovered automatically. */
  readonly isDestructive?: boolean
  run(client: ApiClient, input: z.infer<Input>): Promise<unknown>
}

function tool<Input extends z.ZodObject>(definition: AssistantTool<Input>): AssistantTool {
  // Safe: the server parses the input with this same schema.
  return definition as unknown as AssistantTool
}

export const ASSISTANT_TOOLS: readonly AssistantTool[] = [
  tool({
    name: 'status',
    title: 'Status',
    description: 'All workspaces: score, standing, next heartbeat, what runs, and what needs the operator.',
    input: z.object({}),
    run: async (client) => {
      const { workspaces, unopened } = await client.status()
      return { workspaces, unopened }
    },
  }),
  tool({
    name: 'why',
    title: 'Why a verdict',
    description:
      'One attempt: its verdict, the reasons with measured values, claims beside measurements, and the end of its output.',
    input: z.object({ workspace, attempt: attemptId.optional().describe('Default: the newest one.') }),
    run: async (client, input) => {
      const id = input.attempt ?? (await newestAttempt(client, input.workspace))
      const { output, ...attempt } = await client.attempts.get({ workspace: input.workspace, id })
      return { attempt, outputEnd: output?.slice(-2000) ?? null }
    },
  }),
  tool({
    name: 'timeline',
    title: 'Timeline',
    description: 'What happened in a workspace, newest first.',
    input: z.object({
      workspace,
      limit: z.number().int().min(1).max(50).default(20),
      cursor: z.string().max(40).optional().describe('`nextCursor` of the previous answer.'),
    }),
    run: (client, input) => client.timeline.list(input),
  }),
  tool({
    name: 'blocked',
    title: 'Blocked tasks',
    description: 'Tasks with no attempts left: why, what was tried, and what can be done.',
    input: z.object({ workspace }),
    run: async (client, input) => ({ tasks: await client.tasks.blocked(input) }),
  }),
  tool({
    name: 'held',
    title: 'Held for review',
    description: 'Work that waits for the operator’s review, with the files that decide.',
    input: z.object({ workspace }),
    run: (client, input) => client.review.list(input),
  }),
  tool({
    name: 'sessions',
    title: 'Sessions',
    description: 'Runs of agents that Pulseward did not start, newest first: how each turn was judged.',
    input: z.object({ workspace, last: z.number().int().min(1).max(50).default(10) }),
    run: (client, input) => client.sessions.list(input),
  }),
  tool({
    name: 'landing',
    title: 'Landing',
    description:
      'Verified work on its way to the target branch: what landed, waits, or could not land, and why.',
    input: z.object({ workspace }),
    run: (client, input) => client.landing.list(input),
  }),
  tool({
    name: 'verify_now',
    title: 'Verify blocked tasks now',
    description: 'Runs the checks of blocked tasks again, without the agent.',
    input: z.object({ workspace }),
    confirm: () => 'Run the checks of all blocked tasks now?',
    run: async (client, input) => ({ swept: await client.tasks.sweep(input) }),
  }),
  tool({
    name: 'run',
    title: 'Run a heartbeat',
    description: 'Starts a heartbeat now and returns at once. Call `status` to follow it.',
    input: z.object({ workspace }),
    confirm: () => 'Run a heartbeat now? The agent works on all open tasks.',
    run: async (client, input) => {
      await client.heartbeat.run({ ...input, wait: false })
      return { started: true }
    },
  }),
  tool({
    name: 'unblock',
    title: 'Unblock a task',
    description: 'Gives a blocked task its attempts back.',
    input: z.object({
      workspace,
      task: z.string().min(1).max(200),
      reason: reason.optional(),
      timeoutSeconds: z.number().int().min(1).max(86_400).optional(),
    }),
    confirm: ({ task }) => `Unblock the task ${named(task)}? It gets its attempts back.`,
    run: (client, { task, ...input }) => client.tasks.unblock({ ...input, id: task }),
  }),
  tool({
    name: 'review',
    title: 'Answer held work',
    description: 'Accepts or refuses an attempt that is held for review.',
    input: z.object({
      workspace,
      attempt: attemptId,
      answer: z.enum(['accept', 'refuse']),
      reason: reason.optional(),
    }),
    isDestructive: true,
    confirm: ({ attempt, answer }) =>
      answer === 'accept'
        ? `Accept attempt ${named(attempt)}? It counts as verified, and its files become the new baseline.`
        : `Refuse attempt ${named(attempt)}? It counts as not verified.`,
    run: (client, { attempt, ...input }) => client.review.answer({ ...input, id: attempt }),
  }),
  tool({
    name: 'land',
    title: 'Land verified work',
    description: 'Lands verified work that waits for the operator, on its target branch.',
    input: z.object({ workspace, attempt: attemptId }),
    isDestructive: true,
    confirm: ({ attempt }) => `Land attempt ${named(attempt)}? Its commit goes to the target branch.`,
    run: (client, { attempt, ...input }) => client.landing.answer({ ...input, id: attempt, answer: 'land' }),
  }),
]

/** Escapes an id: an assistant may have been tricked into a name that would mislead the operator. */
function named(id: string): string {
  return JSON.stringify(harmlessLine(id, 80))
}

async function newestAttempt(client: ApiClient, id: string | undefined): Promise<string> {
  const [newest] = (await client.attempts.list({ workspace: id, limit: 1 })).attempts
  if (newest === undefined) throw new RequestProblem('not-found', 'There is no attempt yet.')
  return newest.attemptId
}
