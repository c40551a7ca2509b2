import type { Need } from '../read-model/need.ts'
import { shellCommand } from '../text/command-words.ts'
import type { AskAction } from '../vocabulary/fleet.ts'
import type { NeedKind } from '../vocabulary/need.ts'

/** What can be decided from afar; what is not here is decided on its host alone. */
const ASKED: Readonly<Partial<Record<NeedKind, AskAction>>> = {
  held: 'accept',
  proposal: 'accept',
  blocked: 'unblock',
}

/** A shell takes a line break for the end of a command, however it is quoted by what shows it. */
const NO_WORD = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** The command by which an operator asks a host for what a workspace needs; `null`: it is decided on the host alone. */
export function askAbout(
  host: string,
  { kind, workspace, id }: Pick<Need, 'kind' | 'workspace' | 'id'>,
): string | null {
  const action = ASKED[kind]
  if (action === undefined || NO_WORD.test(id)) return null
  // Ids are an agent's and another machine's words; one that begins with a hyphen is no option.
  const words = id.startsWith('-') ? ['--', id] : [id]
  return shellCommand(['pulseward', 'fleet', 'ask', host, workspace, action, ...words])
}
