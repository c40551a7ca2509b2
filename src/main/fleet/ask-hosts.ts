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
import { parseJson } from '../../core/text/json.ts'
import { readBoundedFile } from '../files/bounded-file.ts'
import { connectHub } from './connect-hub.ts'
import { isNoResponder } from './hub-stream.ts'
import { sign } from './sign.ts'
import { whileReloading } from './while-reloading.ts'

/** A request without its sender and time. */
export type Wanted = Pick<Ask, 'host' | 'workspace' | 'action' | 'about' | 'until' | 'reason'>

const MAX_BYTES = 64 * 1024
/** How long a request is valid, including the time to reach a host. */
const LASTS_MS = 60_000

/** Reads the pass from a private file. Rejects with a `RequestProblem`. */
export async function readOperatorPass(path: string): Promise<OperatorPass> {
  const remedy = 'Save the output of `pulseward fleet hub operator NAME` there.'
  const reading = await readBoundedFile(path, MAX_BYTES)
  if (!reading.ok)
    throw new RequestProblem(
      reading.code === 'ENOENT' ? 'not-found' : 'unprocessable',
      `There is no operator pass in ${path} (${reading.code}). ${remedy}`,
    )
  if (process.platform !== 'win32' && (reading.mode & 0o077) !== 0)
    throw new RequestProblem(
      'unprocessable',
      `${path} contains a key, and others may read it: chmod 600 ${path}`,
    )
  const text = reading.bytes.toString('utf8').trim()
  try {
    if (!text.startsWith(OPERATOR_MARK)) throw new Error(`it doesn't begin with ${OPERATOR_MARK}`)
    return operatorPassSchema.parse(
      JSON.parse(Buffer.from(text.slice(OPERATOR_MARK.length), 'base64url').toString('utf8')),
    )
  } catch (error) {
    throw new RequestProblem('unprocessable', `${path} is not an operator pass. ${remedy}`, {
      cause: error,
    })
  }
}

/** Sends a host a request and returns its answer. Rejects with a `RequestProblem` if it cannot be asked. */
export async function askHost(
  pass: OperatorPass,
  wanted: Wanted,
  nowMs: number,
  answerMs = LASTS_MS,
): Promise<AskAnswer> {
  const remedy = `Ask the hub's administrator for a new pass: pulseward fleet hub operator ${pass.name}${pass.role === 'operator' ? ' --role operator' : ''}.`
  const connection = await connectHub({ ...pass, authority: null }, undefined, remedy)
  try {
    const envelope = signedAsk(pass, wanted, nowMs)
    return await sendAsk(connection, wanted.host, pass.name, envelope, answerMs)
  } finally {
    await connection.close()
  }
}

/** Returns the signed request that is sent to the host. */
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

/** Sends a signed request. Rejects with a `RequestProblem` if there is no answer. */
export async function sendAsk(
  connection: NatsConnection,
  host: string,
  operator: string,
  envelope: AskEnvelope,
  answerMs = LASTS_MS,
): Promise<AskAnswer> {
  const request = () =>
    connection.request(askSubject(host, operator), JSON.stringify(envelope), { timeout: answerMs })
  // While a hub loads a new key, it briefly loses its hosts; an unreachable host has done nothing.
  const message = await whileReloading(request, isNoResponder).catch((error: unknown) => {
    throw inWords(error, host, answerMs)
  })
  const answer = askAnswerSchema.safeParse(parseJson(message.string()))
  if (answer.success) return answer.data
  throw new RequestProblem('unprocessable', `${host} sent an unexpected answer: is it another version?`)
}

function inWords(error: unknown, host: string, answerMs: number): unknown {
  if (isNoResponder(error))
    return new RequestProblem(
      'unavailable',
      `${host} is not listening: it is off or disconnected, has not joined, or its version can't be asked remotely. Nothing was done.`,
      { cause: error },
    )
  if (error instanceof errors.TimeoutError)
    return new RequestProblem(
      'unavailable',
      `${host} did not answer within ${answerMs / 1000} seconds. It may or may not have done it: check before you ask again.`,
      { cause: error },
    )
  return error
}
