import type { Need } from '../read-model/need.ts'
import type { AskAction } from '../vocabulary/fleet.ts'
import type { NeedKind } from '../vocabulary/need.ts'

/** What can be decided from afar; what is not here is decided on its host alone. */
const ASKED: Readonly<Partial<Record<NeedKind, AskAction>>> = {
  held: 'accept',
  proposal: 'accept',
  blocked: 'unblock',
}

/** The command by which an operator asks a host for what a workspace needs; `null`: it is decided on the host alone. */
export function askAbout(
  host: string,
  { kind, workspace, id }: Pick<Need, 'kind' | 'workspace' | 'id'>,
): string | null {
  const action = ASKED[kind]
  return action === undefined ? null : `pulseward fleet ask ${host} ${workspace} ${action} ${id}`
}
