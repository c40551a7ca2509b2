import { type KeyObject, verify } from 'node:crypto'
import { RequestProblem } from '../../api/request-problem.ts'
import { parseJson } from '../../core/text/json.ts'
import { FEED_FORMAT, type Feed, feedSchema, SIGNED_AS, signedFeedSchema } from '../../core/update/feed.ts'

interface Trusted {
  readonly keys: readonly KeyObject[]
  /** The feed's source, for messages. */
  readonly from: string
  readonly nowMs: number
  /** When the latest known feed was issued; an older one is a replay. */
  readonly notBefore: string | null
}

/**
 * Returns the feed if it is valid: signed, in a known format, not expired, and no older than the latest known. Throws a
 * `RequestProblem` that says what is wrong.
 */
export function openFeed(text: string, { keys, from, nowMs, notBefore }: Trusted): Feed {
  const envelope = signedFeedSchema.safeParse(parseJson(text))
  if (!envelope.success) throw refused(`${from} is not an update feed.`)
  const { format, feed, signature } = envelope.data
  // Check the format first: a feed in another format cannot be judged.
  if (format > FEED_FORMAT) {
    throw refused(
      `${from} has a format (${format}) that this version can't read. Download the newest version by hand.`,
    )
  }
  const signed = Buffer.from(`${SIGNED_AS}${feed}`, 'utf8')
  const proof = Buffer.from(signature, 'base64')
  if (!keys.some((key) => verify(null, signed, key, proof))) {
    throw refused(`${from} is not signed by the publisher of this Pulseward, so it is ignored.`)
  }
  const parsed = feedSchema.safeParse(parseJson(feed))
  if (!parsed.success) {
    throw refused(`${from} is signed, but its ${parsed.error.issues[0]?.path.join('.')} can't be read.`)
  }
  const { issuedAt, expiresAt } = parsed.data
  if (notBefore !== null && Date.parse(issuedAt) < Date.parse(notBefore)) {
    throw refused(
      `${from} gave the feed of ${issuedAt}, older than that of ${notBefore} seen before: someone is replaying an old one.`,
    )
  }
  if (Date.parse(expiresAt) < nowMs) {
    throw refused(`${from} expired at ${expiresAt}, so the newest version is unknown.`)
  }
  return parsed.data
}

function refused(message: string): RequestProblem {
  return new RequestProblem('unprocessable', message)
}
