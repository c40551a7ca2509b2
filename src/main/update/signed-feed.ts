import { type KeyObject, verify } from 'node:crypto'
import { RequestProblem } from '../../api/request-problem.ts'
import { FEED_FORMAT, type Feed, feedSchema, SIGNED_AS, signedFeedSchema } from '../../core/update/feed.ts'

interface Trusted {
  readonly keys: readonly KeyObject[]
  /** Where it came from, for the words. */
  readonly from: string
  readonly nowMs: number
  /** When the latest that was seen was issued; an older one is an old one shown again. */
  readonly notBefore: string | null
}

/** The feed, where it counts: signed, of a known form, not over, and no older than what was seen. Throws a `RequestProblem` that says which not. */
export function openFeed(text: string, { keys, from, nowMs, notBefore }: Trusted): Feed {
  const envelope = signedFeedSchema.safeParse(parseJson(text))
  if (!envelope.success) throw refused(`${from} is no feed of updates.`)
  const { format, feed, signature } = envelope.data
  // The form first: what is signed under another one cannot be judged by this.
  if (format > FEED_FORMAT) {
    throw refused(
      `${from} is in a form (${format}) that this version cannot read. Fetch the newest one by hand.`,
    )
  }
  const signed = Buffer.from(`${SIGNED_AS}${feed}`, 'utf8')
  const proof = Buffer.from(signature, 'base64')
  if (!keys.some((key) => verify(null, signed, key, proof))) {
    throw refused(`${from} is not signed by the publisher of this Pulseward: nothing of it counts.`)
  }
  const parsed = feedSchema.safeParse(parseJson(feed))
  if (!parsed.success) {
    throw refused(`${from} is signed, and its ${parsed.error.issues[0]?.path.join('.')} cannot be read.`)
  }
  const { issuedAt, expiresAt } = parsed.data
  if (notBefore !== null && Date.parse(issuedAt) < Date.parse(notBefore)) {
    throw refused(
      `${from} gave the feed of ${issuedAt}, older than that of ${notBefore} seen before: somebody shows an old one again.`,
    )
  }
  if (Date.parse(expiresAt) < nowMs) {
    throw refused(`${from} counted until ${expiresAt} only: nobody says what is the newest by now.`)
  }
  return parsed.data
}

function refused(message: string): RequestProblem {
  return new RequestProblem('unprocessable', message)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
