import type { StdioOptions } from 'node:child_process'
import { openSync, readdirSync, readFileSync } from 'node:fs'

/*
 * A terminal, an editor or a build that starts us may leave us files, pipes and folders open, and our children would inherit
 * them: through an open folder a program can leave any sandbox. Node.js closes only the lowest of them for its children, and
 * everything it opens itself. Chromium does not: in the app some dozens of its files, pipes and sockets would be inherited
 * (observed with Electron 33), and it opens more over time.
 */

const OWN = '/proc/self/fd'
/** The value of `O_CLOEXEC`, which the kernel prints in octal. */
const CLOSED_ON_START = 0o2000000
/** More than any system lets a program open by default. */
const MAX_HANDLE = 65_536

let found: readonly number[] | undefined
let nothing: number | undefined

/** Returns the `stdio` for starting a child: the same, without the handles that we inherited. */
export function withoutInherited(stdio: StdioOptions): StdioOptions {
  if (!Array.isArray(stdio)) return stdio
  if (found === undefined || process.versions.electron !== undefined) found = inheritedHandles()
  const foreign = found.filter((handle) => handle >= stdio.length)
  if (foreign.length === 0) return stdio
  nothing ??= openSync('/dev/null', 'r+')
  const all: (typeof stdio)[number][] = [...stdio]
  for (const handle of foreign) {
    while (all.length < handle) all.push('ignore')
    all.push(nothing)
  }
  return all
}

/** Returns all handles that a child would inherit, except its first three. Systems without /proc pass on no others. */
function inheritedHandles(): readonly number[] {
  try {
    return readdirSync(OWN)
      .map(Number)
      .filter((handle) => handle > 2 && handle < MAX_HANDLE && isPassedOn(handle))
      .sort((a, b) => a - b)
  } catch {
    return []
  }
}

function isPassedOn(handle: number): boolean {
  try {
    const [, flags = ''] = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${handle}`, 'utf8')) ?? []
    return (Number.parseInt(flags, 8) & CLOSED_ON_START) === 0
  } catch {
    // The handle used to read the folder.
    return false
  }
}
