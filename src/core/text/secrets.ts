/*
 * Finds secrets by their format, anywhere in a text. The formats are those that services document for their tokens, so that
 * scanners can find them. A secret without a format (a password that looks like a word) is found by the name next to it, below.
 * Each pattern is bounded and free of nested repetition, so no text from an agent takes more than one pass.
 */

interface SecretShape {
  /** What kind of secret it is, in words. */
  readonly name: string
  /** A pattern without flags; a match is exactly the secret. */
  readonly shape: string
}

const SECRET_SHAPES: readonly SecretShape[] = [
  {
    name: 'private key',
    shape:
      '-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[\\w+/=:,.\\s\\\\]{1,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?',
  },
  { name: 'Stripe key', shape: '\\b[sr]k_(?:live|test)_[A-Za-z0-9]{10,247}' },
  { name: 'webhook secret', shape: '\\bwhsec_[A-Za-z0-9+/=]{24,100}' },
  { name: 'AWS access key', shape: '\\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\\b' },
  { name: 'GitHub token', shape: '\\b(?:gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9_]{22,255})' },
  { name: 'GitLab token', shape: '\\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[\\w-]{20,100}' },
  { name: 'Slack token', shape: '\\b(?:xox[abeprs]-[\\w-]{10,250}|xapp-\\d-[\\w-]{10,250})' },
  {
    name: 'webhook address',
    shape:
      '\\bhttps://(?:hooks\\.slack\\.com/services/[\\w/]{20,100}|(?:\\w+\\.)?discord(?:app)?\\.com/api/webhooks/\\d{5,25}/[\\w-]{20,100})',
  },
  { name: 'Anthropic key', shape: '\\bsk-ant-[\\w-]{20,200}' },
  { name: 'API key', shape: '\\bsk-(?:(?:proj|svcacct|admin|or-v1)-[\\w-]{20,200}|[A-Za-z0-9]{32,100}\\b)' },
  { name: 'Google key', shape: '\\b(?:AIza[\\w-]{35}|GOCSPX-[\\w-]{28}|ya29\\.[\\w-]{20,500})' },
  { name: 'npm token', shape: '\\bnpm_[A-Za-z0-9]{36}\\b' },
  { name: 'PyPI token', shape: '\\bpypi-AgEIcHlwaS5vcmc[\\w-]{50,500}' },
  { name: 'Hugging Face token', shape: '\\bhf_[A-Za-z]{34,40}\\b' },
  { name: 'SendGrid key', shape: '\\bSG\\.[\\w-]{22}\\.[\\w-]{43}' },
  { name: 'Telegram token', shape: '\\b\\d{8,10}:AA[\\w-]{33}\\b' },
  { name: 'Shopify token', shape: '\\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\\b' },
  { name: 'DigitalOcean token', shape: '\\bdo[opr]_v1_[a-f0-9]{64}\\b' },
  { name: 'Databricks token', shape: '\\bdapi[0-9a-f]{32}\\b' },
  { name: 'Atlassian token', shape: '\\bATATT3[\\w=-]{50,300}' },
  { name: 'Vault token', shape: '\\bhv[sbr]\\.[\\w-]{20,300}' },
  {
    name: 'service token',
    shape:
      '\\b(?:lin_api_[A-Za-z0-9]{40}|sbp_[a-f0-9]{40}|ntn_[A-Za-z0-9]{40,60}|dp\\.(?:pt|st|ct|sa)\\.[\\w.-]{40,60})\\b',
  },
  { name: 'token', shape: '\\beyJ[\\w-]{10,2000}\\.eyJ[\\w-]{10,4000}\\.[\\w-]{10,1000}' },
]

const ANY = new RegExp(SECRET_SHAPES.map(({ shape }) => `(${shape})`).join('|'), 'g')

/** The password in a URL, whatever precedes its scheme; the rest stays readable. A variable's name doesn't count. */
const PASSWORD = /(?<=[a-z0-9])(:\/\/[^\s/:@"']{0,100}:)(?!\$\{)[^\s/@"']{1,200}(?=@)/gi

/** Returns whether a text contains something in the format of a secret. */
export function holdsSecret(text: string): boolean {
  return text.search(ANY) >= 0 || text.search(PASSWORD) >= 0
}

/** Replaces each secret with its kind. Text without secrets is returned unchanged. Never throws. */
export function withoutSecrets(text: string): string {
  return text.replace(PASSWORD, '$1[password hidden]').replace(ANY, (...groups: unknown[]) => {
    const index = groups.slice(1, SECRET_SHAPES.length + 1).findIndex((group) => typeof group === 'string')
    return `[${SECRET_SHAPES[index]?.name ?? 'secret'} hidden]`
  })
}

/** The name before a secret without a format. The secret ends at white space, quotes or separators. */
const NAMED =
  /((?:^|[^A-Za-z])(?:[A-Za-z0-9]{1,30}[_-]){0,4}(?:pass(?:word|wd|phrase)?|pwd|secret|token|credentials?|api[_-]?key|private[_-]?key|access[_-]?key)["']{0,1}\s{0,3}[=:]\s{0,3}["']{0,1})(?!\[)[^\s"'`”,;&)}\]]{3,400}/gi

/** Returns a text for the operator's messages, without secrets of either kind. */
export function masked(text: string): string {
  return withoutNamedSecrets(withoutSecrets(text))
}

/**
 * Also hides what follows `password=`, `token:` and the like. Only for messages, because in code too many of these are not
 * secrets.
 */
export function withoutNamedSecrets(text: string): string {
  return text.replace(NAMED, '$1[hidden]')
}
