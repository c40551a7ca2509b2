import type { AskAnswer } from '../core/fleet/ask.ts'
import type { OperatorRole } from '../core/vocabulary/fleet.ts'
import { askHost, readOperatorPass, type Wanted } from '../main/fleet/ask-hosts.ts'
import {
  type AddedKey,
  addKey,
  type CreatedHub,
  createHub,
  type NamedOperator,
  nameOperator,
  revokeKey,
} from '../main/fleet/hub.ts'
import { type HubDocument, readHub } from '../main/fleet/hub-document.ts'

/** Manages a hub in a folder of this machine: the files that nats-server is started with, and who may connect. */
export const hubKeeper = {
  create: (directory: string, address: string): Promise<CreatedHub> =>
    createHub(directory, address, Date.now()),
  add: (directory: string, name: string): Promise<AddedKey> => addKey(directory, name, Date.now()),
  revoke: (directory: string, name: string): ReturnType<typeof revokeKey> =>
    revokeKey(directory, name, Date.now()),
  nameOperator: (
    directory: string,
    operator: { readonly name: string; readonly role: OperatorRole; readonly days: number },
  ): Promise<NamedOperator> => nameOperator(directory, operator, Date.now()),
  /** Sends a request to a host of the hub, using the pass in a file. */
  ask: async (passFile: string, wanted: Wanted): Promise<AskAnswer> =>
    askHost(await readOperatorPass(passFile), wanted, Date.now()),
  list: async (directory: string): Promise<readonly Omit<HubDocument['keys'][number], 'key' | 'signing'>[]> =>
    (await readHub(directory)).keys.map(({ key: _key, signing: _signing, ...rest }) => rest),
}
