import { implement } from '@orpc/server'
import { contract } from '../../api/contract.ts'
import type { HostService, Log } from '../ports.ts'
import { liveEvents } from './live-events.ts'
import { toApiError } from './problems.ts'

/** What a request carries besides its input. */
export interface ApiContext {
  /** The workspace named beside the input (`?workspace=ID`); one named in the input goes before it. */
  readonly workspace?: string
  /** Aborted when the server stops: open event streams end. */
  readonly stopping?: AbortSignal
}

/**
 * The API contract, carried out by `service`. Its `RequestProblem`s and refused input become the contract's typed errors;
 * anything else becomes INTERNAL_SERVER_ERROR, with the cause only in `log`.
 */
export function createRouter(service: HostService, log: Log) {
  const os = implement(contract)
    .$context<ApiContext>()
    .use(async ({ next, path }) => {
      try {
        return await next()
      } catch (error) {
        throw toApiError(error, path.join('.'), log)
      }
    })

  return os.router({
    status: os.status.handler(() => service.status()),

    score: {
      get: os.score.get.handler(({ input, context }) => service.score(named(input, context))),
      history: os.score.history.handler(({ input, context }) => service.scoreHistory(named(input, context))),
      feedback: os.score.feedback.handler(({ input, context }) => {
        const { feedback, attemptId, note } = input
        return service.giveFeedback(named(input, context), { feedback, attemptId, note })
      }),
    },

    workspaces: {
      list: os.workspaces.list.handler(() => service.listWorkspaces()),
      get: os.workspaces.get.handler(({ input }) => service.workspace(input.id)),
      add: os.workspaces.add.handler(({ input }) => service.addWorkspace(input.path, input.trust)),
      remove: os.workspaces.remove.handler(async ({ input }) => {
        await service.removeWorkspace(input.id)
        return { removed: input.id }
      }),
      trust: os.workspaces.trust.handler(({ input }) => service.trust(input.id)),
      approve: os.workspaces.approve.handler(({ input }) => service.approve(input.id, input.hash)),
      openSample: os.workspaces.openSample.handler(() => service.openSample()),
    },

    contract: {
      get: os.contract.get.handler(({ input, context }) => service.contract(named(input, context))),
      put: os.contract.put.handler(({ input, context }) =>
        service.writeContract(named(input, context), input.text, input.hash),
      ),
      check: os.contract.check.handler(({ input, context }) =>
        service.checkContract(named(input, context), input.text),
      ),
    },

    tasks: {
      list: os.tasks.list.handler(({ input, context }) => service.tasks(named(input, context))),
      blocked: os.tasks.blocked.handler(({ input, context }) =>
        service.blockedTasks(named(input, context), input.suggest),
      ),
      unblock: os.tasks.unblock.handler(({ input, context }) => {
        const { id, reason, timeoutSeconds, timeoutMultiplier } = input
        return service.unblock(named(input, context), id, { reason, timeoutSeconds, timeoutMultiplier })
      }),
      unblockLevel: os.tasks.unblockLevel.handler(({ input, context }) => {
        const { filter, reason, timeoutSeconds, timeoutMultiplier } = input
        const how = { reason, timeoutSeconds, timeoutMultiplier }
        return service.unblockLevel(named(input, context), filter, how)
      }),
      retryBlocked: os.tasks.retryBlocked.handler(({ input, context }) =>
        service.retryBlocked(named(input, context), input.maxAttempts),
      ),
      sweep: os.tasks.sweep.handler(({ input, context }) => service.sweepBlocked(named(input, context))),
    },

    heartbeat: {
      run: os.heartbeat.run.handler(({ input, context }) =>
        service.runNow(named(input, context), input.wait),
      ),
      pause: os.heartbeat.pause.handler(({ input, context }) =>
        service.pause(named(input, context), input.until),
      ),
      resume: os.heartbeat.resume.handler(({ input, context }) => service.resume(named(input, context))),
      liftSuspension: os.heartbeat.liftSuspension.handler(({ input, context }) =>
        service.liftSuspension(named(input, context), input.reason),
      ),
    },

    interventions: {
      list: os.interventions.list.handler(({ input, context }) => {
        const { last, type, severity, cursor } = input
        return service.interventions(named(input, context), { last, type, severity, cursor })
      }),
      metrics: os.interventions.metrics.handler(({ input, context }) =>
        service.interventionMetrics(named(input, context)),
      ),
      reset: os.interventions.reset.handler(({ input, context }) =>
        service.resetInterventions(named(input, context)),
      ),
    },

    agents: {
      profile: os.agents.profile.handler(({ input, context }) =>
        service.agentProfile(named(input, context), input.id),
      ),
    },

    attempts: {
      list: os.attempts.list.handler(({ input, context }) =>
        service.attempts(named(input, context), input.limit, input.cursor),
      ),
      get: os.attempts.get.handler(({ input, context }) => service.attempt(named(input, context), input.id)),
      overrule: os.attempts.overrule.handler(({ input, context }) =>
        service.overrule(named(input, context), input.id, input.verdict, input.reason),
      ),
    },

    events: os.events.handler(({ input, context, signal }) =>
      liveEvents(
        service,
        named(input ?? {}, context),
        [signal, context.stopping].filter((each) => each !== undefined),
      ),
    ),
  })
}

function named(input: { workspace?: string }, context: ApiContext): string | undefined {
  return input.workspace ?? context.workspace
}
