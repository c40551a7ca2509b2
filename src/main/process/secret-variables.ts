/*
 * Decides which inherited variables look like secrets. An agent reads text from anywhere and runs commands, and a check runs what
 * it wrote: a deploy key in their environment is one prompt injection away from a stranger. Names count, and values with a
 * password in an address or in the format of a secret.
 */

import { holdsSecret } from '../../core/text/secrets.ts'

/** Length of a value that is checked; a variable may have up to 128 KiB. */
const MAX_LOOKED_AT = 64 * 1024

const SECRET_NAME =
  /(?:^|_)(?:KEYS?|TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|PASS|PAT|CREDENTIALS?|AUTH|APIKEY|COOKIE)$|_PWD$|(?:^|_)(?:ACCESS|PRIVATE|API|SECRET)_KEY(?:_|$)|SECRET|PASSWORD|APIKEY|TOKEN$|(?:_AUTH_CONFIG|_CREDENTIALS_JSON)$/i

/** `scheme://user:password@host`. A proxy's address is kept, because nothing can be reached without it. */
const PASSWORD_IN_ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i
const PROXY_NAME = /_PROXY$/i

/** Variables that let a process sign and log in as the operator without a key. */
const SIGNS_FOR_US = /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO)$/i

/** Shorter values are not tokens and can be equal by chance. */
const MIN_TOKEN = 8

/** Names of variables with Pulseward's tokens, such as a forge's. */
const ours = new Set<string>()

/** Withholds this variable, and others with its value, from every agent, check and judge that does not name it. */
export function withholdOwnToken(name: string): void {
  ours.add(name)
}

/** Returns whether a variable has the value of the variable `token`, or is that variable. */
export function holdsToken(name: string, token: string, inherited: NodeJS.ProcessEnv = process.env): boolean {
  const value = inherited[token]
  return name === token || (value !== undefined && value.length >= MIN_TOKEN && inherited[name] === value)
}

/** True if the value has the format of a secret, whatever its name. An address may contain a proxy's password. */
function isSecret(name: string, value: string): boolean {
  return !PROXY_NAME.test(name) && holdsSecret(value.slice(0, MAX_LOOKED_AT))
}

/** Returns whether an inherited variable is withheld from every program of the workspace unless it is named for it. */
export function looksLikeSecret(name: string, value: string): boolean {
  return (
    SECRET_NAME.test(name) ||
    SIGNS_FOR_US.test(name) ||
    (PASSWORD_IN_ADDRESS.test(value) && !PROXY_NAME.test(name)) ||
    isSecret(name, value)
  )
}

/**
 * The one rule for what an agent, a check, a judge and git do not get from our environment. Returns the names of variables that look like
 * secrets and were not `named` for it.
 */
export function withheldVariables(
  named: readonly string[],
  inherited: NodeJS.ProcessEnv = process.env,
): readonly string[] {
  const passed = new Set(named)
  return Object.entries(inherited).flatMap(([name, value]) =>
    value !== undefined &&
    !passed.has(name) &&
    (looksLikeSecret(name, value) || [...ours].some((token) => holdsToken(name, token, inherited)))
      ? [name]
      : [],
  )
}

/** Removes variables, as additions to the inherited environment. */
export function without(names: readonly string[]): Record<string, undefined> {
  return Object.fromEntries(names.map((name) => [name, undefined]))
}
