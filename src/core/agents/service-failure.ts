import {
  beginsWithFailure,
  KNOWN_BY_WORDS,
  type KnownByWords,
  namesFailure,
  type ServiceFailure,
} from './failure-words.ts'
import { isModelServerDown } from './model-server.ts'
import { tellsOfWork } from './tells-of-work.ts'

/*
 * Failures that stop an agent but are not its fault: login, quota, service, network or disk. One list covers both what
 * programs report about themselves (their last event, a protocol answer) and what plain commands print when they fail.
 *
 * `stated`: matches if the program itself reports it as its failure. `printed`: must match a line of a failed command; it is
 * stricter, because that line may also be about the agent's work, which often deals with such errors. A full context is not in
 * this list, because the agent chose what to fill it with.
 */

interface KnownWords {
  /** HTTP status codes. */
  readonly codes: (status: number) => boolean
  readonly stated: RegExp
  /** Patterns that count anywhere in a line that reports a failure. */
  readonly printed: readonly RegExp[]
  /** A pattern that counts at the beginning of a line that says nothing else. */
  readonly alone: RegExp
}

const NEVER = /(?!)/

const KNOWN: Readonly<Record<KnownByWords, KnownWords>> = {
  disk: {
    codes: () => false,
    stated:
      /\bENOSPC\b|\bEDQUOT\b|\bno space left on device\b|\bdisk (?:quota exceeded|(?:is )?full)\b|\bdatabase or disk is full\b/i,
    printed: [
      /\bENOSPC\b|\bEDQUOT\b|\bno space left on device\b|\bdisk quota exceeded\b|\bdatabase or disk is full\b/i,
    ],
    alone: /^(?:no space left on device|disk (?:quota exceeded|(?:is )?full))/i,
  },
  machine: { codes: () => false, stated: NEVER, printed: [], alone: NEVER },
  login: {
    codes: (status) => status === 401 || status === 403,
    stated:
      /\bunauthori[sz]ed\b|\b(?:un)?authenticat|\bapi[ _-]?key[ _-](?:(?:is )?(?:not valid|invalid)|expired|revoked)\b|\bAPI_KEY_INVALID\b|\b(?:not|please) (?:logged|signed|log|sign) ?in\b|\/login\b|\blog ?in (?:again|required|expired)\b|\b(?:invalid|incorrect|missing|no|expired|revoked) (?:x-)?(?:api[ _-]?key|credentials?|(?:\w+ )?token)\b|\b(?:token|session|credentials?) (?:has |have |is |are |was )?(?:been )?(?:expired|revoked|invalid)\b|_API_KEY\b.{0,60}\b(?:not set|unset|missing|required)\b/i,
    printed: [
      /(?:^(?:error:? *)?(?:you(?:'re| are) )?|": ?")not (?:logged|signed) in\b/i,
      /\bplease (?:log|sign) in\b|\brun [`'"]?(?:\w+ )?\/?login\b/i,
      /\b(?:invalid|incorrect|missing|no|expired) (?:x-)?api[ _-]?key\b|\bAPI_KEY_INVALID\b/i,
      /\b[A-Z][A-Z0-9]{1,30}_API_KEY\b.{0,60}\b(?:not set|unset|missing|required)\b/,
      /\bset (?:the |your )?[A-Z][A-Z0-9]{1,30}_(?:API_KEY|AUTH_TOKEN)\b/,
      /\bapi[ _-]?key (?:is )?not valid\b/i,
      /\bauthentication_error\b|\bauthentication (?:failed|required)\b|\bfailed to authenticate\b/i,
      /\b(?:oauth|access|refresh|bearer|session) token (?:has |is |was )?(?:been )?(?:expired|revoked|invalid)\b|\b(?:expired|revoked) (?:oauth|access|refresh|bearer) token\b/i,
      /\b401 unauthorized\b|\b(?:status|http|error)["']?\W{0,3}(?:code\W{0,3})?401\b/i,
    ],
    alone:
      /^(?:(?:you(?:'re|’re| are) )?not (?:logged|signed) in|please (?:log|sign) in|please run \/login|login required|authentication (?:failed|required)|unauthorized|(?:invalid|expired) (?:api key|credentials|token)|(?:your |the )?(?:oauth |access |session )?token (?:has |is )?expired|(?:your )?(?:session|login|credentials?) (?:has |have |is |are )?expired|api key (?:is )?not valid)/i,
  },
  access: { codes: () => false, stated: NEVER, printed: [], alone: NEVER },
  quota: {
    codes: (status) => status === 429 || status === 402,
    stated:
      /\brate[ _-]?limit|\b(?:usage|quota|request|spend(?:ing)?|session|daily|weekly|monthly|(?:\d+|five)[- ]hour) limit\b|\b(?:hit|reached|exceeded) your (?:\w+ ){0,2}limit\b|\bquota\b|\binsufficient_quota\b|\bRESOURCE_EXHAUSTED\b|\bcredit balance\b|\b(?:insufficient|out of|no) (?:\w+ )?(?:credits?|balance|funds)\b|\btoo many requests\b|\bexhausted your\b|\bpayment required\b/i,
    printed: [
      /\brate[ _-]?limit(?:ed|_error|s? (?:exceeded|reached|hit))\b/i,
      /\b(?:usage|quota|request|session|spending|daily|weekly|monthly|(?:\d+|five)[- ]hour) limit (?:reached|exceeded|hit)\b|\bquota exceeded\b|\bexceeded your (?:current|daily|monthly) quota\b|\bexhausted your (?:\w+ )?(?:quota|capacity)\b/i,
      /\b(?:hit|reached|exceeded) your (?:\w+ ){0,2}limit\b/i,
      /\binsufficient_quota\b|\bRESOURCE_EXHAUSTED\b|\bcredit balance is too low\b|\b402 payment required\b/i,
      /\btoo many requests\b|\b(?:status|http|error)["']?\W{0,3}(?:code\W{0,3})?429\b/i,
    ],
    alone:
      /^(?:(?:you(?:'ve|’ve| have)? )?(?:hit|reached|exceeded|exhausted) your (?:[\w-]+ ){0,3}(?:limit|quota|capacity)|(?:claude |codex |gemini |api |your )?(?:ai )?(?:usage|rate|request|session|daily|weekly|monthly|spending|(?:\d+|five)[- ]hour) (?:limit|quota) (?:has been )?(?:reached|exceeded|hit|exhausted)|(?:your )?credit balance (?:is )?too low|(?:your account has )?insufficient[ _](?:credits|balance|quota|funds)|(?:you(?: are|'re|’re| have run) )?out of (?:\w+ )?(?:credits|extra usage|messages)|(?:402 )?payment required|billing hard limit (?:has been )?reached|rate limited|too many requests|quota exceeded|(?:daily|monthly) quota (?:reached|exceeded|exhausted))/i,
  },
  service: {
    codes: (status) => status >= 500,
    stated:
      /\boverloaded|\bserver_error\b|\bapi_error\b|\bservice (?:is )?(?:temporarily )?unavailable\b|\bbad gateway\b|\bgateway time-?out\b|\binternal ?server ?error\b|\bhigh demand\b|\bat capacity\b|\bserver had an error\b|\bstream disconnected\b|\bAI_(?:APICall|Retry)Error\b|\btemporar(?:y|ily) (?:errors?|unavailable)\b/i,
    printed: [
      /\boverloaded_error\b|\b(?:server|model|service) (?:is )?(?:currently )?overloaded\b/i,
      /\bapi error\b.{0,40}\b(?:overloaded|5\d\d)\b/i,
      /\b(?:status|http)["']?\W{0,3}(?:code\W{0,3})?5(?:0[0234]|29)\b/i,
      /\b503 service unavailable\b|\b502 bad gateway\b|\b504 gateway time-?out\b|\b500 internal server error\b|\b529\W{1,3}overloaded\b/i,
      /"message": ?"(?:Error: )?5(?:0[0234]|29)\b/,
      /\bexperiencing high demand\b|\bInternalServerError\b|\bstream disconnected before completion\b/,
    ],
    alone:
      /^(?:we(?:'re|’re| are) (?:currently )?experiencing high demand|(?:the )?(?:model|server|service) is (?:currently |temporarily )?(?:overloaded|unavailable|at capacity)|overloaded|internal ?server ?error|service (?:temporarily )?unavailable|bad gateway|gateway time-?out)/i,
  },
  network: {
    codes: (status) => status === 407,
    stated:
      /\bfetch failed\b|\b(?:connection|network|request) (?:error|refused|reset|timed? ?out|failure)\b|\bECONN|\bENOTFOUND\b|\bEAI_AGAIN\b|\bETIMEDOUT\b|\bEHOSTUNREACH\b|\bENETUNREACH\b|\bsocket hang up\b|\bunable to (?:connect|reach)\b|\b(?:could|can)(?: ?not|n't) (?:connect|resolve|reach)\b|\berror sending request\b|\bname resolution\b|\bnetwork is unreachable\b|\bcertificate\b|\bCERT_|\b(?:SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET))/i,
    printed: [
      /\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN) (?!localhost\b)/,
      /\bconnect E(?:CONNREFUSED|TIMEDOUT|HOSTUNREACH|NETUNREACH) (?!127\.|::1|localhost\b)/,
      /\bread (?:ECONNRESET|ETIMEDOUT)\b|\bsocket hang up\b|\bcould not resolve host\b|\bnetwork is unreachable\b/i,
      /\b(?:ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN)\b(?!.*(?:127\.|::1|localhost))/,
      /\bapi error\b.{0,40}\b(?:connection error|fetch failed|unable to connect)\b|\bunable to connect to api\b/i,
      /\bself[- ]signed certificate\b|\bcertificate (?:has expired|verify failed|is not trusted|signed by unknown authority|problem)\b|\binvalid peer certificate\b|\bunable to (?:verify the first certificate|get local issuer certificate)\b|\b(?:CERT_HAS_EXPIRED|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)\b/i,
    ],
    alone:
      /^(?:(?:connection|network) (?:error|refused|reset by peer|timed out)|(?:network|host) (?:is )?unreachable|no internet connection|temporary failure in name resolution|dns lookup failed|fetch failed|error sending request|socket hang up|unable to connect(?: to (?:the )?\w+)?|could not resolve host|getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (?!localhost\b)[\w.-]+|connect E(?:CONNREFUSED|TIMEDOUT|HOSTUNREACH|NETUNREACH) (?!127\.|::1|localhost\b)[\w.:[\]-]+|(?:read )?(?:ECONNRESET|ETIMEDOUT)|EAI_AGAIN|(?:ssl )?certificate (?:problem|verify failed|has expired|signed by unknown authority)|unable to (?:verify the first certificate|get (?:local )?issuer certificate)|self[- ]signed certificate(?: in certificate chain)?|x509: certificate|invalid peer certificate|(?:CERT_HAS_EXPIRED|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY))/i,
  },
}

/**
 * Returns the failure that a program's own report means, by its service's status code if given, otherwise by its words; `null` if none
 * matches. Pure; never throws.
 */
export function statedFailure(message: string, httpStatus: number | null): ServiceFailure | null {
  const text = message.slice(0, MAX_MESSAGE)
  if (isModelServerDown(text)) return 'model-server'
  const lone = LONE_STATUS.exec(text)?.[1]
  const status = httpStatus ?? statusIn(text) ?? (lone === undefined ? null : Number(lone))
  // Some services use 403 for too many requests.
  if (status === 403 && KNOWN.quota.stated.test(text)) return 'quota'
  // For a proxy that requires a login, or a rejected region or model, the words are more specific than the status.
  const named = KNOWN_BY_WORDS.find((failure) => namesFailure(failure, text)) ?? null
  if (named === 'access' || (named === 'network' && status === null)) return named
  return (
    (status === null ? undefined : KNOWN_BY_WORDS.find((failure) => KNOWN[failure].codes(status))) ??
    KNOWN_BY_WORDS.find((failure) => KNOWN[failure].stated.test(text)) ??
    named
  )
}

/**
 * Returns the failure that a line of a failed command reports; `null` if it is prose, or about something else. Pure; never
 * throws.
 */
export function printedFailure(line: string): ServiceFailure | null {
  const text = line.slice(0, MAX_MESSAGE).trim()
  if (tellsOfWork(text)) return null
  if (isModelServerDown(text)) return 'model-server'
  const bare = text.replace(PREFIX, '')
  const status = LONE_STATUS.exec(text)?.[1]
  const ofStatus =
    status === undefined ? undefined : KNOWN_BY_WORDS.find((f) => KNOWN[f].codes(Number(status)))
  const isReport = REPORTS_FAILURE.test(text)
  return (
    ofStatus ??
    KNOWN_BY_WORDS.find((failure) => {
      const { alone, printed } = KNOWN[failure]
      const words = alone.exec(bare)?.[0]
      if (words !== undefined && endsThere(bare.slice(words.length))) return true
      if (beginsWithFailure(failure, text, bare, endsThere)) return true
      return isReport && printed.some((pattern) => pattern.test(text))
    }) ??
    null
  )
}

function endsThere(rest: string): boolean {
  return ENDS_THERE.test(rest)
}

/** Returns whether a line says that something is retried. */
export function saysRetry(line: string): boolean {
  return /\b(?:re-?try|retrying|retries|re-?connect\w*|back(?:ing)?[- ]?off|try \d+ of|attempt \d+|waiting)\b/i.test(
    line.slice(0, MAX_MESSAGE),
  )
}

/** Our sandbox mounts everything that an agent may not write to as a read-only file system. */
const READ_ONLY = /\bEROFS\b|\bread-only file ?system\b/i

/** Returns the path in words about a refused write; `null` if they name none. */
function pathIn(words: string): string | null {
  const [, quoted] = /['"`‘]([^'"`’\n]{1,300})['"`’]/u.exec(words) ?? []
  return quoted ?? /(?:^|\s)((?:~|\.{1,2})?\/[^\s:,;]{1,300})/u.exec(words)?.[1] ?? null
}

const BLOCKED_WRITE = 'Pulseward’s sandbox, or a read-only file system, blocked a write'

/**
 * Returns the path outside the workspace to which, according to a reason from `failureInWords`, a write was blocked; `null` if it names
 * none.
 */
export function blockedPath(reason: string): string | null {
  const [, path = ''] = reason.split(`${BLOCKED_WRITE} to `)
  return /^(~?\/[^\n]{1,300}?)(?:: |$)/u.exec(path)?.[1] ?? null
}

/** What happened, as the beginning of a sentence about `agent`; and what the operator can do about it. */
const FAILURES: Readonly<
  Record<ServiceFailure, { readonly happened: (agent: string) => string; readonly remedy: string }>
> = {
  login: {
    happened: (agent) => `${agent} is not logged in`,
    remedy: 'Log in to the agent program, or set its API key, in the environment Pulseward runs in.',
  },
  access: {
    happened: (agent) =>
      `the service of ${agent} does not serve this account (its region, its model or its organization)`,
    remedy:
      'Check the name of the model in [agent], and with the provider that this account may use it from here.',
  },
  quota: {
    happened: (agent) => `the service of ${agent} refused more requests (rate limit or quota)`,
    remedy: 'Wait until the limit resets, or raise the quota of the account the agent uses.',
  },
  service: {
    happened: (agent) => `the service of ${agent} had an internal error`,
    remedy: "Nothing to fix here: the service is overloaded or down. See the provider's status page.",
  },
  network: {
    happened: (agent) => `the service of ${agent} could not be reached over the network`,
    remedy:
      'Check the network connection, the proxy settings and the certificates of this machine, and whether `network` under [agent] in pulseward.toml lets the agent reach it (Setup, Sandbox).',
  },
  'model-server': {
    happened: (agent) => `the model server of ${agent} on this machine is down or cannot serve`,
    remedy:
      'Start the model server (such as `ollama serve`), load the model, and check its address in the settings of the agent.',
  },
  disk: {
    happened: () => 'there is no room left on the disk',
    remedy: 'Free some disk space on this machine.',
  },
  machine: {
    happened: () => 'this machine failed under the agent (its disk, its memory, or its limit of open files)',
    remedy: "Check this machine's disk, memory and limits of open files.",
  },
}

/** Returns what happened, as the beginning of a sentence. `words` is what the agent's program said about it. */
export function failureInWords(failure: ServiceFailure, agent: string, words = ''): string {
  if (failure !== 'machine' || !READ_ONLY.test(words)) return FAILURES[failure].happened(agent)
  const path = pathIn(words)
  return path === null ? BLOCKED_WRITE : `${BLOCKED_WRITE} to ${path}`
}

/** Returns what the operator can do about it. `loginHint`: how to log in to the program; `words`: what it said about the failure. */
export function failureRemedy(
  failure: ServiceFailure,
  { loginHint, words = '' }: { readonly loginHint?: string; readonly words?: string } = {},
): string {
  if (failure === 'machine' && READ_ONLY.test(words))
    return 'If the agent may write there, add the path to `writable` under [agent] in pulseward.toml (Setup, Sandbox).'
  return failure === 'login' && loginHint !== undefined ? loginHint : FAILURES[failure].remedy
}

const MAX_MESSAGE = 2000

/** Matches a line that reports a failure, rather than prose about one. */
const REPORTS_FAILURE =
  /\b(?:error|failed|failure|fatal|exception|unexpected status|unauthori[sz]ed|invalid|incorrect|expired|refused|please|(?:is|are) missing|not set|not (?:logged|signed) in|limit reached|ECONNRESET|ENOSPC)\b|\bcurl: \(\d+\)|\bx509: |_error\b|Error\b|: E[A-Z]{4,}\b/i

/** What may precede a failure's words: a mark, a time, a level, the program's name. */
const PREFIX =
  /^(?:[^\p{L}\p{N}"'`]*(?:\d{4}-\d\d-\d\d[T ]\S+|\d\d:\d\d:\d\d\S*|\[?(?:error|err|fatal|failed|warn(?:ing)?|api error)\b\]?|[\w.-]{1,60}:(?=\s)))*[^\p{L}\p{N}"'`]*/iu

/** What may follow them: the end, a mark, or advice. A sentence that continues is about something else. */
const ENDS_THERE =
  /^(?:$|\s*[.:;,·∙•|—–([{!"'-]|\s+(?:for (?:model|quota|this|the|your|requests?|user|org|provider|account|api|project|url|aiplatform)|to (?:access|use|make|continue)|on (?:this|the|your)|please|try|resets?|until|wait|which may|and will|right now|at the moment))/i

/** `401`, `Error 429`, `HTTP/1.1 401`, `[503]`, `status: 529`; a bare number only if it can hardly mean anything else. */
const LONE_STATUS =
  /^\W*(?:(?:\d{4}-\d\d-\d\dT[\d:.]{1,15}Z?|(?:api )?error|failed|fatal|http(?:\/\d(?:\.\d)?)?|status(?: code)?|request failed(?: with)?(?: status)?(?: code)?)\W*){0,3}(401|403|407|429|529|50[0234](?= (?:internal|bad|service unav|gateway))|(?<=[a-z\]\d]\W{1,4})50[0234])(?:\W+(?:proxy authentication required|unauthori[sz]ed|forbidden|too many requests|overloaded|internal server error|bad gateway|service unavailable|gateway time-?out))?\W*$/i

/** `unexpected status 401 Unauthorized`, `API Error: 500`, `(HTTP 401)`, `{"error":{"code":401`, `429 Too Many Requests`. */
function statusIn(message: string): number | null {
  const found =
    /(?:\b(?:status(?: code)?|HTTP(?:\/\d(?:\.\d)?)?|(?:API|last) error):? ?\(?|"code\\?": ?)([1-5]\d\d)\b/i.exec(
      message,
    ) ??
    /\b(401|402|403|407|429|5\d\d) (?:proxy authentication required|unauthori[sz]ed|forbidden|too many requests|internal server error|bad gateway|service unavailable|gateway time-?out|overloaded)\b/i.exec(
      message,
    )
  return found === null ? null : Number(found[1])
}
