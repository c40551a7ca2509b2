import type { Need } from '../read-model/need.ts'
import { shellCommand } from '../text/command-words.ts'
import type { AskAction } from '../vocabulary/fleet.ts'
import type { NeedKind } from '../vocabulary/need.ts'

/** The decisions that can be made remotely. All others are made only on the host. */
const ASKED: Readonly<Partial<Record<NeedKind, AskAction>>> = {
  held: 'accept',
  proposal: 'accept',
  blocked: 'unblock',
}

/** A shell ends the command at these characters, even inside quotes as displayed. */
const NO_WORD = /[\p{Cc}\p{Zl}\p{Zp}]/u

/**
 * Returns the command by which an operator asks a host for what a workspace needs; `null` if it can only be decided on the
 * host.
 */
export function askAbout(
  host: string,
  { kind, workspace, id }: Pick<Need, 'kind' | 'workspace' | 'id'>,
): string | null {
  const action = ASKED[kind]
  if (action === undefined || NO_WORD.test(id)) return null
  // Ids come from agents and other machines. Don't let one that begins with a hyphen become an option.
  const words = id.startsWith('-') ? ['--', id] : [id]
  return shellCommand(['pulseward', 'fleet', 'ask', host, workspace, action, ...words])
}
