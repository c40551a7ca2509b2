import type { StdioOptions } from 'node:child_process'
import { openSync, readdirSync, readFileSync } from 'node:fs'

/*
 * A terminal, an editor or a build that starts us may leave us files, pipes and folders open, and our children
 * would get them: through an open folder a program leaves any sandbox. Node.js keeps the lowest of them from its
 * children, and no others. What it opens itself no child gets. Chromium does not see to that: in the app some
 * dozens of its files, pipes and sockets would be passed on (looked at with Electron 33), and it opens more as
 * long as it runs.
 */

const OWN = '/proc/self/fd'
/** `O_CLOEXEC`, as the kernel writes it: octal. */
const CLOSED_ON_START = 0o2000000
/** More than any system lets a program open unless it was told to. */
const MAX_HANDLE = 65_536

let found: readonly number[] | undefined
let nothing: number | undefined

/**
 * What a child is started with in the place of `stdio`: the same, and nothing of what we were given by who started
 * us.
 */
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

/** All that a child would get, but for its first three. Systems without /proc give a child no others. */
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
    // The one by which the folder was read.
    return false
  }
}
