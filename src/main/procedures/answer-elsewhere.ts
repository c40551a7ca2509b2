import { createRouterClient, ORPCError } from '@orpc/server'
import type { ApiClient } from '../../api/client.ts'
import { ANSWER_DONE, type Answer } from '../../core/channels/answer.ts'
import type { AnswerByCode } from '../api/http-server.ts'
import { asAskedBy } from '../authority/request-origin.ts'
import type { RequestContext } from './implementer.ts'
import { router } from './router.ts'

/** Carries out what a message's button stands for, as if the page had requested it; the record names the channel. */
export function answerElsewhere(context: RequestContext): AnswerByCode {
  const { channels, log } = context.host
  const client: ApiClient = createRouterClient(router, { context })
  return async (code) => {
    const offered = channels.takeAnswer(code)
    if (offered === null) {
      const words = 'This button was used already, is older than a day, or Pulseward was restarted since.'
      return { status: 410, words }
    }
    const { answer, channel } = offered
    const origin = { who: 'channel', from: `a button sent by ${channel}`, pid: null } as const
    try {
      await asAskedBy(origin, () => carryOut(client, answer))
      log.info('A button was pressed', { channel, answer: answer.kind })
      return { status: 200, words: ANSWER_DONE[answer.kind] }
    } catch (error) {
      log.warn('A button of a message failed', { channel, answer: answer.kind, error: String(error) })
      if (error instanceof ORPCError && error.code !== 'INTERNAL')
        return { status: 409, words: error.message }
      return { status: 500, words: 'Pulseward ran into an internal error; the cause is in its log.' }
    }
  }
}

async function carryOut({ permissions, tasks, heartbeat }: ApiClient, answer: Answer): Promise<void> {
  switch (answer.kind) {
    case 'allow':
      await permissions.answer({ id: answer.permissionId, answer: 'allowed' })
      return
    case 'deny':
      await permissions.answer({ id: answer.permissionId, answer: 'denied' })
      return
    case 'unblock':
      await tasks.unblock({ workspace: answer.workspace, id: answer.task })
      return
    case 'pause':
      await heartbeat.pause({ workspace: answer.workspace, until: null })
  }
}
