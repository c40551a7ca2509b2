import type { AgentEventOf } from '../../activity/types.ts'
import { shortText } from './stream-parser.ts'

type FinalStatus = AgentEventOf<'final'>['status']

const LOGIN =
  /\bunauthori[sz]ed\b|\b(?:un)?authenticat|\bapi[ _]key[ _](?:not valid|invalid|is not valid)\b|\b(?:not|please) (?:logged|signed|log|sign) ?in\b|\/login\b|\b(?:invalid|incorrect|missing|no|expired) (?:x-)?(?:api[ _-]?key|credentials?|token)\b|_API_KEY\b.{0,60}\b(?:not set|unset|missing|required)\b|\bnot logged in\b/i
const QUOTA =
  /\brate[ _-]?limit|\b(?:usage|quota|request|spend(?:ing)?) limit\b|\bquota\b|\binsufficient_quota\b|\bRESOURCE_EXHAUSTED\b|\bcredit balance\b|\btoo many requests\b/i
const SERVICE =
  /\boverloaded|\bserver_error\b|\bservice unavailable\b|\bbad gateway\b|\binternal server error\b|\bstream disconnected\b|\bfetch failed\b|\bconnection (?:error|refused|reset|timed out)\b|\bECONN|\bENOTFOUND\b|\bEAI_AGAIN\b|\bETIMEDOUT\b|\bunable to connect\b|\berror sending request\b/i
const LIMIT =
  /\bmax(?:imum)?[ _-]?(?:number of )?(?:turns|steps|session turns)\b|\bturn limit\b|\bcontext (?:window|length)\b|\boutput length\b|\bmaximum budget\b/i

/** What a program's own report of its failure comes to. The status code of its service, where it tells it, goes before words. */
export function failureStatus(message: string, httpStatus: number | null): FinalStatus {
  const code = httpStatus ?? statusIn(message)
  if (code === 401 || code === 403) return 'unauthenticated'
  if (code === 429 || code === 402) return 'rate-limited'
  if (code !== null && code >= 500) return 'service-error'
  if (LOGIN.test(message)) return 'unauthenticated'
  if (QUOTA.test(message)) return 'rate-limited'
  if (SERVICE.test(message)) return 'service-error'
  return LIMIT.test(message) ? 'limit' : 'error'
}

/** `unexpected status 401 Unauthorized`, `API Error: 500`, `(HTTP 401)`, `{"error":{"code":401`. */
function statusIn(message: string): number | null {
  const found = /(?:\b(?:status(?: code)?|HTTP|API Error):? ?\(?|"code\\?": ?)([1-5]\d\d)\b/i.exec(
    message.slice(0, 2000),
  )
  return found === null ? null : Number(found[1])
}

/** The final event of a run that its program calls failed. */
export function failed(message: string, httpStatus: number | null = null): AgentEventOf<'final'> {
  const reason = shortText(message)
  return {
    kind: 'final',
    status: failureStatus(message, httpStatus),
    reason: reason === '' ? 'it failed without a reason' : reason,
  }
}
