import { z } from 'zod'
import { HOST_LABEL } from '../vocabulary/fleet.ts'

/*
 * Names used in subjects and streams. They contain no dots, no wildcards and nothing that needs escaping.
 *
 *   pw.ledger.HOST.WORKSPACE   lines of a record
 *   pw.host.HOST               the host's presence
 *   pw.facts.HOST.WORKSPACE    facts about a workspace that are not in its record
 *   pw.hello.HOST              asks the center to create a host's stream
 *   pw.ask.HOST.OPERATOR       a request to a host; only that operator's key may send it
 *   pw.lease.HOST              asks the center for shared work; only that host's key may
 *   $KV.PW_LEASE.NAME          who runs a shared piece of work; only the center's key may write it
 */

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

export const hostNameSchema = z
  .string()
  .regex(NAME, { error: 'a name of 1 to 40 lowercase letters, digits and hyphens, such as build-3' })

/** An id as the registry creates it: a slug and a hash. */
export const workspaceIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,59}$/, { error: 'an id of lowercase letters, digits and hyphens' })

/** A public key of a host or an operator. */
export const publicKeySchema = z
  .string()
  .regex(/^U[A-Z2-7]{55}$/, { error: 'a public key, U and 55 letters' })

export const labelSchema = z
  .string()
  .regex(HOST_LABEL, { error: 'a label of 1 to 30 letters, digits and _ . : / -' })

export const LEDGER_PREFIX = 'pw.ledger'

export const ledgerSubject = (host: string, workspace: string): string =>
  `${LEDGER_PREFIX}.${host}.${workspace}`
export const hostSubject = (host: string): string => `pw.host.${host}`
export const factsSubject = (host: string, workspace: string): string => `pw.facts.${host}.${workspace}`
export const helloSubject = (host: string): string => `pw.hello.${host}`
export const askSubject = (host: string, operator: string): string => `pw.ask.${host}.${operator}`
export const inboxPrefix = (name: string): string => `_INBOX_${name}`

/** Returns the name of a host's own stream: only that host writes to it, and it can't fill another host's space. */
export const ledgerStream = (host: string): string => `PW_LEDGER_${host}`
export const HOSTS_STREAM = 'PW_HOSTS'
export const leaseAskSubject = (host: string): string => `pw.lease.${host}`
export const LEASE_BUCKET = 'PW_LEASE'
export const leaseSubject = (name: string): string => `$KV.${LEASE_BUCKET}.${name}`
export const contentBucket = (host: string): string => `PW_CONTENT_${host}`
