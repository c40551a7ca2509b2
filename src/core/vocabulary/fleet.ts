import { z } from 'zod'

/** A word by which hosts are grouped, or told apart for shared work. */
export const HOST_LABEL = /^[\w.:/-]{1,30}$/

/** How a host stands with its hub, as far as the host knows. */
const HUB_STATES = ['idle', 'connecting', 'connected', 'unreachable', 'refused'] as const

export type HubState = (typeof HUB_STATES)[number]

export const hubStateSchema = z.enum(HUB_STATES)

export const HUB_WORDS: Readonly<Record<HubState, string>> = {
  idle: 'No Pulseward runs here: nothing is sent until one does.',
  connecting: 'The hub is being asked for.',
  connected: 'Connected to the hub.',
  unreachable: 'The hub cannot be reached. This host works on; what it records is sent later.',
  refused: 'The hub refuses the key of this host: it was revoked, or is of another hub.',
}

/**
 * How the record of one workspace is on its way to the hub; from `fork` on nothing of it is sent until somebody has
 * looked.
 */
const SHIPPING_STATES = ['waiting', 'shipping', 'shipped', 'fork', 'broken', 'refused'] as const

export const shippingStateSchema = z.enum(SHIPPING_STATES)

/** How long ago the centre heard of a host. Silence alone says nothing about its agents. */
const HEARD_STATES = ['heard', 'late', 'down', 'never'] as const

export type HeardState = (typeof HEARD_STATES)[number]

export const heardStateSchema = z.enum(HEARD_STATES)

export const HEARD_WORDS: Readonly<Record<HeardState, string>> = {
  heard: 'Heard of',
  late: 'Late: nothing was heard for a minute.',
  down: 'Down: nothing was heard for five minutes. The host may be off, or cut off; it works on where it runs.',
  never: 'Never heard of: it has not joined yet.',
}

/** Why the centre did not take a message of a host. */
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
  altered: 'the line does not have the hash that it is said to have',
  'out-of-order': 'the line does not follow the one before',
  replayed: 'the line was received before',
  oversized: 'the line is longer than a line may be',
  'not-a-line': 'it is no line of a record',
  fork: 'another line with this number was received before',
  'hub-gap': 'the stream of this host at the hub has lost messages',
  'two-instances': 'two instances run under its key at the same time',
}

/** What is found of a host beside a message that was not taken. */
export function isFinding(kind: Refusal): boolean {
  return kind === 'two-instances' || kind === 'hub-gap'
}

const LOOK_AT_KEY =
  "Whether that host's key is in the right hands is worth a look: `pulseward fleet hub revoke` ends it, and a new token lets the host in again."

/** What to do about it. */
export const REFUSAL_REMEDIES: Readonly<Record<Refusal, string>> = {
  altered: LOOK_AT_KEY,
  'out-of-order': LOOK_AT_KEY,
  replayed: LOOK_AT_KEY,
  oversized: LOOK_AT_KEY,
  'not-a-line': LOOK_AT_KEY,
  'hub-gap':
    "It is no fault of that host's, which has its record still: something took messages from the hub's files, or a limit was set on the stream. Put the hub's folder back from a backup; or stop the server, move streams out of its folder and start it again, and all hosts send what they have.",
  'two-instances':
    'A copy of its data folder or its token is in use on another machine. End one of them with `pulseward fleet leave`, and let it join with a name of its own.',
  fork: 'The record was put back from a backup, or changed: `pulseward doctor` on that host says which. What follows it is not taken.',
}

/** Who may ask hosts for something from afar: a viewer looks, an operator acts. */
export const OPERATOR_ROLES = ['viewer', 'operator'] as const

export type OperatorRole = (typeof OPERATOR_ROLES)[number]

export const operatorRoleSchema = z.enum(OPERATOR_ROLES)

/** What a host can be asked for from afar. */
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
  accept: 'accept what waits',
  refuse: 'refuse what waits',
}

/** What came of a request from afar; `interrupted`: the host ended amid it, and whether it was done has to be looked at. */
const ASK_OUTCOMES = ['done', 'failed', 'interrupted'] as const

export type AskOutcome = (typeof ASK_OUTCOMES)[number]

export const askOutcomeSchema = z.enum(ASK_OUTCOMES)

/** Why a host does not do what it was asked for from afar. */
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
  malformed: 'It is no request that a Pulseward makes.',
  'no-authority':
    'This host joined before there were operators and knows nobody who names them: let it join again with a new token.',
  certificate: 'The hub of this host has not signed who asks, or no longer: ask for a new pass.',
  revoked: 'The pass of who asks was taken back at the hub: ask for a new one.',
  signature: 'It is not signed by who it says, or was altered on its way.',
  'other-host': 'It was asked of another host.',
  expired:
    "By this host's clock it is not to be done any more, or not yet: ask again, and compare the clocks.",
  replayed: 'It was asked before, and is done once.',
  role: 'A viewer looks and does not act.',
  'too-many': 'More was asked within a day than this host keeps in mind.',
}
