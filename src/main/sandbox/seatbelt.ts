import type { ContainmentPolicy, ProcessStart } from '../ports/containment.ts'
import { beginningWith } from '../process/contained-beginning.ts'
import type { BackEnd } from './back-end.ts'
import type { Mount } from './mount-plan.ts'

/*
 * macOS: the system's own sandbox, with a profile whose last matching rule decides. It does not hide processes, but prevents
 * inspecting and signaling them. The keychain stays reachable, because agents keep their logins there. Untested on macOS; only
 * its text is tested.
 */

/** macOS always has it; whether it can be used is tried. */
export interface Seatbelt {
  readonly means: 'seatbelt'
}

export const seatbelt: BackEnd<Seatbelt> = {
  find: async () => [{ means: 'seatbelt' }],
  traits: () => ({ hasLayers: false, hasNamespaces: false }),
  wrap: (_found, start, mounts, policy) => seatbeltCommand(start, mounts, policy),
}

const SANDBOX_EXEC = '/usr/bin/sandbox-exec'

/** Returns the command line that runs `start` within `mounts`. */
export function seatbeltCommand(
  start: Pick<ProcessStart, 'command'>,
  mounts: readonly Mount[],
  policy: Pick<ContainmentPolicy, 'held' | 'network'>,
): readonly string[] {
  return [SANDBOX_EXEC, '-p', seatbeltProfile(mounts, policy), ...beginningWith('/bin/sh'), ...start.command]
}

/** Returns the profile as text. Paths must be free of links, because the sandbox resolves them. */
export function seatbeltProfile(
  mounts: readonly Mount[],
  { held, network }: Pick<ContainmentPolicy, 'held' | 'network'>,
): string {
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (subpath "/dev"))',
    '(deny signal (target others))',
    '(allow signal (target children) (target same-sandbox))',
    '(deny process-info* (target others))',
    '(allow process-info* (target same-sandbox))',
    '(deny appleevent-send)',
    ...mounts.map(rule),
    // A folder that may not be moved: its content is writable, only the folder itself is protected.
    ...held.map((path) => `(deny file-write-unlink (literal ${text(path)}))`),
    ...networkRules(network),
  ].join('\n')
}

function rule({ kind, path, source }: Mount): string {
  // Seatbelt cannot show one path at another.
  if (source !== undefined && source !== path) return rule({ kind: 'blank', path })
  const place = `(subpath ${text(path)})`
  switch (kind) {
    case 'writable':
    case 'scratch':
    // There are no layers here: downloads are kept.
    case 'layered':
      return `(allow file-read* file-write* ${place})`
    case 'read-only':
      return `(allow file-read* ${place})\n(deny file-write* ${place})`
    case 'empty':
    case 'blank':
      return `(deny file-read* file-write* ${place})\n(deny network-outbound (remote unix-socket ${place}))`
  }
}

function networkRules(network: ContainmentPolicy['network']): readonly string[] {
  if (network === 'all') return []
  const own = [
    '(deny network*)',
    '(allow network* (local ip "localhost:*"))',
    '(allow network* (remote ip "localhost:*"))',
  ]
  return network === 'none'
    ? own.slice(0, 1)
    : [...own, `(allow network-outbound (remote unix-socket (path-literal ${text(network.socket)})))`]
}

/** Quotes a string of the profile language: escapes backslashes and quotes. */
function text(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
