import { closeSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import type { KeptLogin } from '../../core/agents/program.ts'
import { isObject, parseJson } from '../../core/text/json.ts'

/** No login is longer. */
const MAX_BYTES = 1024 * 1024
const MAX_TEXT = 64 * 1024

type Json = Readonly<Record<string, unknown>>

/**
 * Copies what the program renews, and nothing else, from `written`, which an attempt left, to the operator's `file`: such files also
 * contain settings, hooks and servers. Writes in place, because other programs have the file open.
 */
export function keepLogin(file: string, written: string, { renewed, account }: KeptLogin): void {
  if (statSync(written).size > MAX_BYTES || statSync(file).size > MAX_BYTES) return
  const before = parseJson(readFileSync(file, 'utf8'))
  const after = parseJson(readFileSync(written, 'utf8'))
  if (!isObject(before) || !isObject(after)) return
  if (account !== undefined && !isSameAccount(at(before, account), at(after, account))) return
  const now = renewed.reduce((kept, path) => renew(kept, after, path.split('.')), before)
  if (JSON.stringify(now) !== JSON.stringify(before)) overwrite(file, JSON.stringify(now, null, 2))
}

/** If no account was known before, there is nothing to compare. */
function isSameAccount(before: unknown, after: unknown): boolean {
  return before === undefined || before === after
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)
}

/** Returns `before` with the value at that path taken from `after`. */
function renew(before: Json, after: Json, [key = '', ...rest]: readonly string[]): Json {
  const entries = Object.entries(before).map(([one, old]): readonly [string, unknown] => {
    const fresh = Object.hasOwn(after, one) ? after[one] : undefined
    if (key !== '*' && key !== one) return [one, old]
    if (rest.length === 0) return [one, isRenewal(old, fresh) ? fresh : old]
    return [one, isObject(old) && isObject(fresh) ? renew(old, fresh, rest) : old]
  })
  return Object.fromEntries(entries)
}

function isRenewal(old: unknown, fresh: unknown): boolean {
  if (typeof old !== typeof fresh) return false
  return typeof fresh === 'number' || (typeof fresh === 'string' && fresh.length <= MAX_TEXT)
}

/** Never leaves the file empty in between. */
function overwrite(file: string, text: string): void {
  const handle = openSync(file, 'r+')
  try {
    const bytes = Buffer.from(text)
    writeSync(handle, bytes, 0, bytes.length, 0)
    ftruncateSync(handle, bytes.length)
  } finally {
    closeSync(handle)
  }
}
