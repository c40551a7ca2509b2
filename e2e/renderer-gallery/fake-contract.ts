import { ORPCError } from '@orpc/client'
import type { WorkspaceDetail } from '../../src/core/read-model/workspace.ts'

/** The calls about contracts: the file is what the workspace's tasks would be written as. */
export function contractCalls(find: (id: string | undefined) => WorkspaceDetail) {
  const written = new Map<string, string>()
  const read = (id: string | undefined) => {
    const { id: key, tasks } = find(id)
    const lines = tasks.map(
      (task) =>
        `- [${task.checked ? 'x' : ' '}] ${task.id} | ${task.description} | ${task.required ? 'required' : 'optional'} | verify: ${task.verify}\n`,
    )
    const text = written.get(key) ?? `# ${key}\n\n## Tasks\n\n${lines.join('')}`
    const report = { tasks: [], context: '', diagnostics: [] }
    const probes = [{ name: 'email_count', source: './count-mail', parse: 'number' as const }]
    return { ...report, path: 'HEARTBEAT.md', text, hash: text, lossy: false, probes, approvedCommands: [] }
  }
  return {
    get: async ({ workspace }: { workspace?: string }) => read(workspace),
    put: async ({ workspace, text, hash }: { workspace?: string; text: string; hash: string }) => {
      if (read(workspace).hash !== hash) throw new ORPCError('CONFLICT', { message: 'It has changed.' })
      written.set(find(workspace).id, text)
      return read(workspace)
    },
    preview: async ({ taskId }: { taskId: string }) => ({
      prompt: `# Heartbeat 23\n\n## Task ${taskId}\n`,
      taskIds: [taskId],
      timeoutSeconds: 180,
    }),
    tryHint: async ({ taskId }: { taskId: string }) => ({
      taskId,
      line: 1,
      hint: { kind: 'expression', source: 'email_count == 0' },
      probes: [{ name: 'email_count', value: '3', reason: null }],
      holds: false,
      finding: '`email_count == 0` does not hold now.',
      needs: 'It has to hold after the attempt, whatever the agent says.',
      problem: null,
      durationMs: 41,
    }),
  }
}
