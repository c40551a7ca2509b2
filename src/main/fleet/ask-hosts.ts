import { randomUUID } from 'node:crypto'
import { errors, type NatsConnection } from '@nats-io/transport-node'
import { RequestProblem } from '../../api/request-problem.ts'
import {
  type Ask,
  type AskAnswer,
  type AskEnvelope,
  askAnswerSchema,
  OPERATOR_MARK,
  type OperatorPass,
  operatorPassSchema,
} from '../../core/fleet/ask.ts'
import { askSubject } from '../../core/fleet/names.ts'
import { readBoundedFile } from '../files/bounded-file.ts'
import { connectHub } from './connect-hub.ts'
import { isNoResponder } from './hub-stream.ts'
import { sign } from './sign.ts'
import { whileReloading } from './while-reloading.ts'

/** What is asked for; who asks and when is added. */
export type Wanted = Pick<Ask, 'host' | 'workspace' | 'action' | 'about' | 'until' | 'reason'>

const MAX_BYTES = 64 * 1024
/** How long a host may take to get it. */
const LASTS_MS = 60_000

/** The pass in a private file. Rejects with a `RequestProblem`. */
export async function readOperatorPass(path: string): Promise<OperatorPass> {
  const remedy = 'Write into it what `pulseward fleet hub operator NAME` printed.'
  const reading = await readBoundedFile(path, MAX_BYTES)
  if (!reading.ok)
    throw new RequestProblem(
      reading.code === 'ENOENT' ? 'not-found' : 'unprocessable',
      `There is no pass of an operator in ${path} (${reading.code}). ${remedy}`,
    )
  if (process.platform !== 'win32' && (reading.mode & 0o077) !== 0)
    throw new RequestProblem(
      'unprocessable',
      `${path} holds a key, and others may read it: chmod 600 ${path}`,
    )
  const text = reading.bytes.toString('utf8').trim()
  try {
    if (!text.startsWith(OPERATOR_MARK)) throw new Error(`it does not begin with ${OPERATOR_MARK}`)
    return operatorPassSchema.parse(
      JSON.parse(Buffer.from(text.slice(OPERATOR_MARK.length), 'base64url').toString('utf8')),
    )
  } catch (error) {
    throw new RequestProblem('unprocessable', `What is in ${path} is no pass of an operator. ${remedy}`, {
      cause: error,
    })
  }
}

/** Asks a host, and answers with what it says. Rejects with a `RequestProblem` where it cannot be asked. */
export async function askHost(pass: OperatorPass, wanted: Wanted, nowMs: number): Promise<AskAnswer> {
  const remedy = `Ask who runs the hub for a new pass: pulseward fleet hub operator ${pass.name}${pass.role === 'operator' ? ' --role operator' : ''}.`
  const connection = await connectHub({ ...pass, authority: null }, undefined, remedy)
  try {
    const envelope = signedAsk(pass, wanted, nowMs)
    return await sendAsk(connection, wanted.host, pass.name, envelope)
  } finally {
    await connection.close()
  }
}

/** The request as it goes to the host. */
export function signedAsk(pass: OperatorPass, wanted: Wanted, nowMs: number): AskEnvelope {
  const ask: Ask = {
    v: 1,
    id: randomUUID(),
    operator: pass.name,
    ...wanted,
    issuedAt: new Date(nowMs).toISOString(),
    expiresAt: new Date(nowMs + LASTS_MS).toISOString(),
  }
  return { certificate: pass.certificate, ask: sign(pass.signingSeed, 'request', JSON.stringify(ask)) }
}

/** Sends what was signed. Rejects with a `RequestProblem` where nobody answers. */
export async function sendAsk(
  connection: NatsConnection,
  host: string,
  operator: string,
  envelope: AskEnvelope,
): Promise<AskAnswer> {
  const request = () =>
    connection.request(askSubject(host, operator), JSON.stringify(envelope), { timeout: LASTS_MS })
  // A hub that takes in a key loses sight of a host for a moment; a host that was not heard has done nothing.
  const message = await whileReloading(request, isNoResponder).catch((error: unknown) => {
    throw inWords(error, host)
  })
  const answer = askAnswerSchema.safeParse(jsonOf(message.string()))
  if (answer.success) return answer.data
  throw new RequestProblem('unprocessable', `${host} answered with something else: is it of another version?`)
}

function inWords(error: unknown, host: string): unknown {
  if (isNoResponder(error))
    return new RequestProblem(
      'unavailable',
      `${host} does not listen: it is off or cut off, has not joined, or is of a version that cannot be asked from afar. Nothing was done.`,
      { cause: error },
    )
  if (error instanceof errors.TimeoutError)
    return new RequestProblem(
      'unavailable',
      `${host} has not answered for ${LASTS_MS / 1000} seconds. Whether it was done is not known: look before you ask again.`,
      { cause: error },
    )
  return error
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
