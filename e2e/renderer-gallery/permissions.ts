import type { PermissionRequest } from '../../src/core/read-model/permission.ts'
import { iso } from './past.ts'

/** Four requests at once: a command with an invisible character, a file that no grant allows, a long line, another tool. */
export function permissionRequests(nowMs: number): PermissionRequest[] {
  const long = `find mail -type f -mtime +30 -print0 | xargs -0 -I{} sh -c '${'mv "$1" archive/ && '.repeat(30)}true' _ {}`
  const asked = [
    {
      tool: 'execute',
      target: 'npm test && rm -rf mail/\u202eold',
      title: 'Run the tests and tidy up',
      grant: 'execute',
      allowLine: 'allow = ["edit", "execute"]',
    },
    { tool: 'edit', target: '/etc/hosts', title: '', grant: null, allowLine: null },
    { tool: 'execute', target: long, title: 'Archive', grant: null, allowLine: null },
    { tool: 'other', target: 'x', title: '', grant: 'other', allowLine: 'allow = ["other"]' },
  ]
  return asked.map((request, index) => ({
    id: `p-${index + 1}`,
    workspace: 'backend',
    workspaceName: 'backend',
    attemptId: 'tidy_inbox-62',
    taskId: 'tidy_inbox',
    agentId: 'claude',
    askedAt: iso(nowMs - 19_000),
    expiresAt: iso(nowMs + 41_000),
    ...request,
  }))
}
