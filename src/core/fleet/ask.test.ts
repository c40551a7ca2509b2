import { describe, expect, test } from 'vitest'
import type { AskRefusal } from '../vocabulary/fleet.ts'
import { type Ask, askRefusal, type Certificate, MAX_ASK_MS } from './ask.ts'

const NOW_MS = Date.parse('2026-03-01T10:00:00.000Z')
const at = (seconds: number): string => new Date(NOW_MS + seconds * 1000).toISOString()

const ASK: Ask = {
  v: 1,
  id: '8f0c2a5e-7d4b-4a53-9a3c-0d1f2e3a4b5c',
  operator: 'olga',
  host: 'build-1',
  workspace: 'inbox',
  action: 'pause',
  about: null,
  until: null,
  reason: null,
  issuedAt: at(-5),
  expiresAt: at(55),
}
const CERTIFICATE: Certificate = {
  v: 1,
  name: 'olga',
  role: 'operator',
  key: `U${'A'.repeat(55)}`,
  notAfter: at(1),
}

describe('how a host decides about a request', () => {
  test.each<[string, Partial<Ask>, Partial<Certificate>, AskRefusal | null]>([
    ['everything is valid', {}, {}, null],
    ['the operator’s clock is a minute ahead', { issuedAt: at(60), expiresAt: at(120) }, {}, null],
    ['the clock is more than a minute ahead', { issuedAt: at(61), expiresAt: at(120) }, {}, 'expired'],
    ['the request has just expired', { expiresAt: at(0) }, {}, 'expired'],
    ['it is valid for the maximum time', { issuedAt: at(0), expiresAt: at(MAX_ASK_MS / 1000) }, {}, null],
    ['it is valid for too long', { issuedAt: at(-1), expiresAt: at(MAX_ASK_MS / 1000) }, {}, 'expired'],
    ['a viewer looks', { action: 'look' }, { role: 'viewer' }, null],
    ['a viewer acts', {}, { role: 'viewer' }, 'role'],
    ['it is for another host', { host: 'build-2' }, {}, 'other-host'],
    ['it names an operator other than its signer', { operator: 'oleg' }, {}, 'signature'],
    ['its certificate names another operator', {}, { name: 'oleg' }, 'certificate'],
    ['the certificate has expired', {}, { notAfter: at(0) }, 'certificate'],
  ])('%s', (_when, ask, certificate, expected) => {
    const given = { host: 'build-1', operator: 'olga', nowMs: NOW_MS }
    expect(askRefusal({ ...ASK, ...ask }, { ...CERTIFICATE, ...certificate }, given)).toBe(expected)
  })
})
