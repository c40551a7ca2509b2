/*
 * Configuration that programs need and that may contain a secret is shown without it. A reference to a variable (`${NPM_TOKEN}`)
 * is not a secret. When in doubt, values are removed: an operator whose agent needs the original file lists it under `writable`.
 */

const REDACTED = 'hidden-by-pulseward'

/** A key whose name says that its value is secret, in INI, YAML, TOML, properties and npm's own format. */
const KEY =
  /^(\s*(?!#|;)[^=\n]*?(?:_auth|auth[-_]?token|token|password|passwd|secret|credentials?|api[-_]?key|private[-_]?key|authorization)[\w.-]*["']?\s*[=:]\s*)(\S.*)$/gim
const ELEMENT =
  /(<(password|passphrase|privateKey|token|apikey)>)(?!\s*\$\{)[^<]*(<\/\2>)|(<add\s+key="(?:ClearText)?Password"\s+value=")[^"]*(")/gi
/** Matches `https://user:password@host`, or an address with a token instead. */
const ADDRESS = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi
const HEADER = /(authorization:\s*)(?:\S+ )?\S+/gi

/** Returns the text without its secrets. */
export function redact(text: string): string {
  return text
    .replace(KEY, (line: string, before: string, value: string) =>
      isReference(value) ? line : before + quotedLike(value),
    )
    .replace(ELEMENT, (_all, open, _name, close, attribute, quote) =>
      attribute === undefined ? `${open}${REDACTED}${close}` : `${attribute}${REDACTED}${quote}`,
    )
    .replace(ADDRESS, (all: string, scheme: string) => (all.includes('${') ? all : `${scheme}${REDACTED}@`))
    .replace(HEADER, `$1${REDACTED}`)
}

function isReference(value: string): boolean {
  return /^["']?(?:\$\{?\w|%\w+%|true\b|false\b)/.test(value)
}

function quotedLike(value: string): string {
  const quote = /^["']/.exec(value)?.[0] ?? ''
  return quote + REDACTED + quote
}
