import { z } from 'zod'

/** A label by which hosts are grouped, or selected for shared work. */
export const HOST_LABEL = /^[\w.:/-]{1,30}$/

/** The state of a host's connection to its hub, as known to the host. */
const HUB_STATES = ['idle', 'connecting', 'connected', 'unreachable', 'refused'] as const

export type HubState = (typeof HUB_STATES)[number]

export const hubStateSchema = z.enum(HUB_STATES)

export const HUB_WORDS: Readonly<Record<HubState, string>> = {
  idle: 'Pulseward is not running here. Nothing is sent until it is.',
  connecting: 'Connecting to the hub.',
  connected: 'Connected to the hub.',
  unreachable: 'The hub cannot be reached. This host keeps working and sends its records later.',
  refused: 'The hub rejects the key of this host: it was revoked, or belongs to another hub.',
}

/** Progress of sending the record of one workspace to the hub. From `fork` on, nothing is sent until someone has checked it. */
const SHIPPING_STATES = ['waiting', 'shipping', 'shipped', 'fork', 'broken', 'refused'] as const

export const shippingStateSchema = z.enum(SHIPPING_STATES)

/** How long ago the center heard from a host. Silence alone says nothing about its agents. */
const HEARD_STATES = ['heard', 'late', 'down', 'never'] as const

export type HeardState = (typeof HEARD_STATES)[number]

export const heardStateSchema = z.enum(HEARD_STATES)

export const HEARD_WORDS: Readonly<Record<HeardState, string>> = {
  heard: 'Heard from',
  late: 'Late: not heard from for a minute.',
  down: 'Down: not heard from for five minutes. The host may be off or disconnected; if it is running, it keeps working.',
  never: 'Never heard from: it has not joined yet.',
}

/** Why the center rejected a message from a host. */
const REFUSALS = [
  'altered',
  'out-of-order',
  'replayed',
  'oversized',
  'not-a-line',
  'fork',
  'hub-gap',
  'two-instances',
] as const

export type Refusal = (typeof REFUSALS)[number]

export const refusalSchema = z.enum(REFUSALS)

export const REFUSAL_WORDS: Readonly<Record<Refusal, string>> = {
  altered: 'the line does not match its hash',
  'out-of-order': 'the line does not follow the one before',
  replayed: 'the line was received before',
  oversized: 'the line is longer than a line may be',
  'not-a-line': 'it is not a line of a record',
  fork: 'another line with this number was received before',
  'hub-gap': 'the stream of this host at the hub has lost messages',
  'two-instances': 'two instances run under its key at the same time',
}

/** Returns whether the refusal is a finding about the host rather than a rejected message. */
export function isFinding(kind: Refusal): boolean {
  return kind === 'two-instances' || kind === 'hub-gap'
}

const LOOK_AT_KEY =
  "Check whether that host's key is in the right hands. `pulseward fleet hub revoke` revokes it, and a new token lets the host join again."

/** The remedy for each. */
export const REFUSAL_REMEDIES: Readonly<Record<Refusal, string>> = {
  altered: LOOK_AT_KEY,
  'out-of-order': LOOK_AT_KEY,
  replayed: LOOK_AT_KEY,
  oversized: LOOK_AT_KEY,
  'not-a-line': LOOK_AT_KEY,
  'hub-gap':
    "That host did nothing wrong and still has its record: something removed messages from the hub's files, or a limit was set on the stream. Restore the hub's folder from a backup; or stop the server, move streams out of its folder and start it again, and all hosts send what they have.",
  'two-instances':
    'A copy of its data folder or its token is in use on another machine. Remove one of them with `pulseward fleet leave`, and let it join under its own name.',
  fork: 'The record was restored from a backup, or changed: `pulseward doctor` on that host says which. Later lines are rejected.',
}

/** Who may send requests to hosts remotely: a viewer can only look, an operator can act. */
export const OPERATOR_ROLES = ['viewer', 'operator'] as const

export type OperatorRole = (typeof OPERATOR_ROLES)[number]

export const operatorRoleSchema = z.enum(OPERATOR_ROLES)

/** What can be requested from a host remotely. */
export const ASK_ACTIONS = ['look', 'pause', 'resume', 'run', 'stop', 'unblock', 'accept', 'refuse'] as const

export type AskAction = (typeof ASK_ACTIONS)[number]

export const askActionSchema = z.enum(ASK_ACTIONS)

export const ASK_WORDS: Readonly<Record<AskAction, string>> = {
  look: 'look at the workspace',
  pause: 'pause the workspace',
  resume: 'resume the workspace',
  run: 'run a heartbeat now',
  stop: 'stop the heartbeat that runs',
  unblock: 'unblock a task',
  accept: 'accept a pending decision',
  refuse: 'refuse a pending decision',
}

/** The outcome of a remote request. `interrupted`: the host stopped during it, so it is unknown whether it was carried out. */
const ASK_OUTCOMES = ['done', 'failed', 'interrupted'] as const

export type AskOutcome = (typeof ASK_OUTCOMES)[number]

export const askOutcomeSchema = z.enum(ASK_OUTCOMES)

/** Why a host refuses a remote request. */
const ASK_REFUSALS = [
  'malformed',
  'no-authority',
  'certificate',
  'revoked',
  'signature',
  'other-host',
  'expired',
  'replayed',
  'role',
  'too-many',
] as const

export type AskRefusal = (typeof ASK_REFUSALS)[number]

export const askRefusalSchema = z.enum(ASK_REFUSALS)

export const ASK_REFUSAL_WORDS: Readonly<Record<AskRefusal, string>> = {
  malformed: 'It is not a valid request.',
  'no-authority':
    'This host joined before operators existed and does not know who may name them. Let it join again with a new token.',
  certificate:
    'The hub of this host has not signed this operator’s pass, or it has expired. Ask for a new pass.',
  revoked: 'This operator’s pass was revoked at the hub. Ask for a new one.',
  signature: 'It is not signed by the named operator, or was altered on the way.',
  'other-host': 'It was sent to another host.',
  expired: "By this host's clock it has expired, or is not valid yet. Send it again, and compare the clocks.",
  replayed: 'It was sent before, and is carried out only once.',
  role: 'A viewer can only look, not act.',
  'too-many': 'More requests arrived within a day than this host keeps track of.',
}
