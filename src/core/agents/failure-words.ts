/*
 * Names and sentences with which services, their SDKs and systems report what stops an agent. They complement the patterns of
 * `service-failure.ts`, which allow for other text on the line. Adding one takes one line.
 */

/** Failures, in the order in which they are searched. */
export const SERVICE_FAILURES = [
  'disk',
  'machine',
  'model-server',
  'login',
  'access',
  'quota',
  'service',
  'network',
] as const

export type ServiceFailure = (typeof SERVICE_FAILURES)[number]

/** Excludes model servers on this machine, which are also recognized by their address: `model-server.ts`. */
export type KnownByWords = Exclude<ServiceFailure, 'model-server'>

export const KNOWN_BY_WORDS = SERVICE_FAILURES.filter(
  (failure): failure is KnownByWords => failure !== 'model-server',
)

/** Unambiguous names: error classes, and codes in responses. */
const NAMES: Readonly<Record<KnownByWords, readonly string[]>> = {
  disk: ['ENOSPC', 'EDQUOT'],
  machine: ['EROFS', 'EMFILE', 'ENFILE', 'EIO', 'ENOMEM'],
  login: [
    'invalid_grant',
    'invalid_api_key',
    'AuthenticationError',
    'ExpiredToken(?:Exception)?',
    'InvalidClientTokenId',
    'UnrecognizedClientException',
    'NoCredentialsError',
    'CredentialsProviderError',
    'RefreshError',
    'DefaultCredentialsError',
  ],
  access: [
    'unsupported_country_region_territory',
    'model_not_found',
    'model_not_available',
    'organization_disabled',
    'permission_error',
    'PermissionDeniedError',
    'AccessDeniedException',
  ],
  quota: [
    'billing_not_active',
    'billing_hard_limit_reached',
    'insufficient_credits',
    'insufficient_quota',
    'Insufficient Balance',
    'quota_exceeded',
    'ResourceExhausted',
    'rate_limit_exceeded',
    'usage_limit_reached',
    'RateLimitError',
    'ThrottlingException',
    'ServiceQuotaExceededException',
  ],
  service: [
    'api_error',
    'overloaded_error',
    'engine_overloaded',
    'DeadlineExceeded',
    'InternalServerException',
    'ModelErrorException',
    'ModelNotReadyException',
    'ModelTimeoutException',
    'ServiceUnavailable(?:Error|Exception)?',
  ],
  network: [
    'EPROTO',
    'ECONNABORTED',
    'UND_ERR_[A-Z_]+',
    '(?:net::)?ERR_(?:INTERNET_DISCONNECTED|NAME_NOT_RESOLVED|NETWORK(?:_CHANGED)?|CONNECTION_[A-Z_]+)',
    '(?:net::)?ERR_(?:PROXY|TUNNEL|CERT|SSL|TLS)_[A-Z_]+',
    'APIConnectionError',
    '(?:httpx|httpcore)\\.(?:Connect|Read|Write|RemoteProtocol)Error',
    'urllib3\\.exceptions\\.(?:ProtocolError|NewConnectionError|MaxRetryError)',
    'requests\\.exceptions\\.(?:ConnectionError|ChunkedEncodingError|SSLError)',
    'aiohttp\\.(?:client_exceptions\\.)?(?:ClientConnector\\w*|ServerDisconnected|ClientPayload)Error',
    // The message of Node.js's fetch when a stream breaks off.
    'TypeError: terminated',
    'APITimeoutError',
    '(?:Read|Write|Connect|Pool)Timeout(?:Error)?',
    'ProxyError',
    'SSLCertVerificationError',
    'CERTIFICATE_VERIFY_FAILED',
  ],
}

/** The beginning of messages from one provider's SDKs: `An error occurred (ThrottlingException) when calling …`. */
const occurred = (name: string): string =>
  String.raw`an error occurred \(${name}\)(?: when calling the \w{1,40} operation(?: \([^)\n]{1,60}\))?)?`

/** What may precede the reason: `[Errno 30] `, or `touch: cannot touch 'notes/a.md': `. */
const REFUSED_FILE = String.raw`(?:\[?errno \d+\] |(?:cannot|can't|failed to|unable to|could not) \w+ [^:\n]{1,200}: )?`

/** Sentences of such programs, matched from the beginning of a sentence. */
const SENTENCES: Readonly<Record<KnownByWords, readonly string[]>> = {
  disk: [
    'there is not enough space on the disk',
    'not enough (?:free )?(?:disk )?space',
    'database or disk is full',
  ],
  machine: [
    `${REFUSED_FILE}(?:read-only file system|too many open files(?: in system)?|(?:i/o|input/output) error|cannot allocate memory)`,
  ],
  login: [
    'you (?:must|need to) (?:be (?:logged|signed)|(?:first )?(?:log|sign)) ?in',
    "(?:could not|cannot|can’t|can't|failed to|unable to) (?:find|load|read) (?:any |default )?(?:api key|credentials)",
    'missing (?:api key|credentials|authentication)',
    'not authenticated',
    'your (?:access|refresh) token could not be refreshed(?: because [^.\\n]{1,120})?',
    'your default credentials were not found',
    'authentication token not found',
    occurred(
      '(?:ExpiredToken(?:Exception)?|UnrecognizedClientException|InvalidClientTokenId|InvalidSignatureException)',
    ),
    're-?authentication (?:is )?(?:needed|required)',
    'login expired',
    'the (?:provided|security) (?:token|credentials)(?: included in the request)? (?:is|are|has|have) (?:been )?(?:expired|invalid|revoked)',
  ],
  access: [
    '(?:your |this )(?:account|organi[sz]ation|api key|workspace) (?:has been|is) (?:disabled|suspended|deactivated|blocked)',
    '(?:your )?organi[sz]ation (?:must be verified|has been disabled)',
    'access to (?:the )?model denied',
    occurred('AccessDeniedException'),
    '(?:user |your )?(?:country|region|location)[\\w, ]{0,30} (?:is )?not supported',
    '[\\w .-]{1,40} is not (?:yet )?available in your (?:country|region)',
    'the model [`\'"]?[\\w./:@-]+[`\'"]? (?:does not exist|is not (?:available|supported|found)|was not found|has been (?:deprecated|retired))(?: or you do not have access to it)?',
    'model (?:[`\'"]?[\\w./:@-]+[`\'"]? )?(?:was )?not found',
    "you (?:do not|don’t|don't) have access to (?:the |this )?model",
    '(?:unknown|unsupported) model',
    '403 forbidden',
  ],
  quota: [
    'too many tokens',
    '(?:your )?free (?:trial|tier|plan) (?:has )?(?:ended|expired|been used up)',
    "(?:you (?:have )?|you[’']ve )(?:used(?: up)?|exceeded|spent|consumed) (?:all (?:of )?)?your (?:[\\w-]+ ){0,3}(?:requests|credits|quota|allowance|messages|tokens|usage)",
    '(?:request|concurrency|token|tokens|session|usage) limit (?:exceeded|reached)',
    '(?:your )?subscription (?:has |is )?(?:expired|inactive|been cancell?ed|cancell?ed)',
    'no active subscription',
    'your account is not active',
    'billing hard limit has been reached',
    "(?:you[’']re |you are )?out of (?:extra usage|credits|tokens)",
    'max retries exceeded \\(429\\)',
    "(?:you (?:have )?|you[’']ve )(?:hit|reached) your (?:\\w+ )?limit for [A-Z][\\w-]{0,20}(?: [\\w-]{1,20}){0,3}",
    "sorry,? you(?: have|[’']ve) exceeded your (?:[\\w-]+ ){0,3}(?:usage|limit|allowance)",
    "(?:this|your) request would exceed your (?:organi[sz]ation|account|plan)(?:[’']s)? rate limit(?: of [\\d,]+ [\\w ]{1,60})?",
    'number of request tokens has exceeded your [\\w-]{1,20} (?:rate )?limit',
    'you have no (?:remaining |more )?(?:credits|requests)(?: left)?',
    '(?:monthly|daily|weekly) credit limit (?:exceeded|reached)',
    occurred('(?:Throttling\\w{0,20}|TooManyRequestsException|ServiceQuotaExceededException)'),
  ],
  service: [
    '(?:the )?(?:\\w+ )?(?:engine|model|server|service|api) is (?:currently |temporarily )?(?:overloaded|unavailable|loading|at capacity|under heavy load)',
    'upstream connect error(?: or disconnect/reset before headers)?',
    'no healthy upstream',
    occurred('(?:InternalServer|ServiceUnavailable|ModelNotReady|ModelTimeout)\\w{0,20}'),
    'the server had an error(?: while processing your request)?',
    'internal (?:server )?error(?: encountered)?',
    "we(?:[’']re| are) (?:currently )?(?:under heavy load|experiencing)",
    'something went wrong on our (?:end|side)',
    'deadline exceeded',
  ],
  network: [
    '(?:407 )?proxy authentication required',
    'could not resolve (?:host|proxy)',
    '(?:proxy connection|network request) failed',
    '(?:the )?(?:api )?request timed out',
    '(?:the )?(?:read|write|connect|handshake)(?: operation)? timed out',
    'unable to connect to (?:the )?proxy',
    'tunneling socket could not be established',
    'dial tcp[^\\n]{0,80}: (?:no such host|i/o timeout|(?:connect: )?(?:no route to host|network is unreachable|connection refused))',
    'lookup \\S{1,80}: no such host',
    '(?:\\[?errno -?\\d+\\] )?(?:connection refused|temporary failure in name resolution|name or service not known|nodename nor servname provided)',
    'dns error',
    'failed to lookup address information',
    'HTTPS?ConnectionPool\\(host=',
    '(?:error )?sending request for url',
    'the remote certificate is invalid',
    '(?:(?:tls|ssl):? )?handshake (?:timeout|failure|failed|error)',
    'SSL routines',
    'connection closed before message completed',
    '(?:invalid response body while trying to fetch \\S{1,200}: )?premature close',
    'other side closed',
    'upstream request timeout',
    'client network socket disconnected before secure tls connection was established',
    'the internet connection appears to be offline',
    'no internet connection',
  ],
}

/** Names of this machine. A server that can't be reached there is one that the agent runs itself. */
const OWN = /\b127\.\d|\blocalhost\b|\b0\.0\.0\.0\b|\[?::1\b/i

const anyOf = (patterns: readonly string[]): string => `(?:${patterns.join('|')})`
const FIELD = String.raw`\\?["']?(?:code|type|error|status|reason|name|message)\\?["']?\s*[:=]\s*\\?["']`

interface Known {
  readonly anywhere: RegExp
  readonly nameFirst: RegExp
  readonly nameInField: RegExp
  readonly sentenceFirst: RegExp
}

function compile(failure: KnownByWords): Known {
  const names = anyOf(NAMES[failure])
  const sentences = anyOf(SENTENCES[failure])
  return {
    anywhere: new RegExp(String.raw`(?<![\w-])(?:${names}(?![\w-])|${sentences})`, 'i'),
    nameFirst: new RegExp(String.raw`^(?:[\w]+\.){0,6}${names}(?![\w-])`),
    nameInField: new RegExp(String.raw`${FIELD}${names}\\?["']`),
    sentenceFirst: new RegExp(`^${sentences}`, 'i'),
  }
}

const compiled = new Map<KnownByWords, Known>()

function knownOf(failure: KnownByWords): Known {
  const known = compiled.get(failure) ?? compile(failure)
  compiled.set(failure, known)
  return known
}

/** Returns whether a program's own report of its failure contains a name or a sentence for this one. Pure. */
export function namesFailure(failure: KnownByWords, text: string): boolean {
  return knownOf(failure).anywhere.test(text)
}

/**
 * Returns whether a line of a failed command begins with one of them, or has it as the value of a field. `bare` is the line without the
 * marks before its text; `endsThere` returns whether the text after a sentence ends it. Pure.
 */
export function beginsWithFailure(
  failure: KnownByWords,
  line: string,
  bare: string,
  endsThere: (rest: string) => boolean,
): boolean {
  if (failure === 'network' && OWN.test(line)) return false
  const { nameFirst, nameInField, sentenceFirst } = knownOf(failure)
  const name = [line, bare].some((text) => {
    const found = nameFirst.exec(text)?.[0]
    return found !== undefined && endsThere(text.slice(found.length))
  })
  if (name || nameInField.test(line)) return true
  return [line, bare].some((text) => {
    const words = sentenceFirst.exec(text)?.[0]
    return words !== undefined && endsThere(text.slice(words.length))
  })
}
