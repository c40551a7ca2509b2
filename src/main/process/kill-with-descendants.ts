import { processNumbers, readProcess } from './process-identity.ts'

/**
 * Kills a program and what it started, such as the `gpg` or `ssh` that git waits for, with SIGKILL. What has left it (a daemon) goes on.
 * Without /proc, kills only the program.
 */
export function killWithDescendants(pid: number): void {
  const all = processNumbers().flatMap((number) => readProcess(number) ?? [])
  const members = new Set([pid])
  // Numbers are no order: a child can have a lower one than its parent.
  for (let before = 0; before < members.size; ) {
    before = members.size
    for (const entry of all) if (members.has(entry.parent)) members.add(entry.pid)
  }
  for (const member of members) {
    try {
      process.kill(member, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}
