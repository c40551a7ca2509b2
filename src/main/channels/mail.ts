import { createTransport } from 'nodemailer'
import type { Channel } from '../../core/channels/channel.ts'
import type { ChannelMessage } from '../../core/channels/message.ts'
import { textOf } from '../../core/channels/payload.ts'
import { failed, type Sent } from './http.ts'

/** Limit for a silent server. */
const TIMEOUT_MS = 10_000
/** Limit for the whole delivery: a server that keeps sending a little is not silent, and would block the channel forever. */
const WHOLE_TIMEOUT_MS = 60_000

/** Sends one mail as plain text; stops when `signal` aborts. Never rejects. */
export async function mail(channel: Channel, message: ChannelMessage, signal: AbortSignal): Promise<Sent> {
  const transport = createTransport({
    url: channel.address,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    const { response } = await transport.sendMail({
      from: channel.from ?? '',
      to: [...channel.to],
      subject: message.title,
      text: textOf(channel, message),
      messageId: `<${message.id}@pulseward>`,
      signal: AbortSignal.any([signal, AbortSignal.timeout(WHOLE_TIMEOUT_MS)]),
    })
    return { isAccepted: true, answer: response.slice(0, 60), isPassing: false, askedForMs: null }
  } catch (error) {
    return failed(...whyNot(error))
  } finally {
    transport.close()
  }
}

/** Returns the server's answer, if any, and whether the failure is temporary: 5xx and a refused login are not. */
function whyNot(error: unknown): [answer: string, isPassing: boolean] {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  const status = typeof responseCode === 'number' ? responseCode : null
  if (code === 'EABORT') return ['the mail was not sent in time', true]
  const isFinal = code === 'EAUTH' || (status !== null && status >= 500)
  const words = status === null ? `no connection (${String(code ?? 'unknown')})` : `refused with ${status}`
  return [code === 'EAUTH' ? 'the login was refused' : words, !isFinal]
}
