import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createHost } from '../host.ts'
import { systemClock } from './system-clock.ts'

/** An agent that claims a file which it never writes. */
const AGENT = `
cat > /dev/null
printf '\`\`\`heartbeat-report\\n{"task_id": "note", "status": "done", "files": ["note.txt"]}\\n\`\`\`\\n'
`

it('logs what happens in a workspace with its ids: cycle, attempt, verdict, interventions, suspension', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pulseward-log-events-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const directory = join(root, 'workspace')
  await mkdir(directory)
  await writeFile(join(directory, 'agent.sh'), AGENT)
  await writeFile(
    join(directory, 'HEARTBEAT.md'),
    '## Tasks\n- [ ] note | Write the secret note | verify: exists("note.txt")\n',
  )
  await writeFile(
    join(directory, 'pulseward.toml'),
    '[agent]\nid = "liar"\ncommand = ["sh", "agent.sh"]\n[interventions]\nthreshold_no_files = 1\naggressive_mode = true\n',
  )
  const lines: { level: string; message: string; fields: Record<string, unknown> }[] = []
  const level =
    (name: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      void lines.push({ level: name, message, fields })
  const host = await createHost({
    dataDirectory: join(root, 'data'),
    version: '0.0.0',
    clock: systemClock,
    log: { info: level('info'), warn: level('warn'), error: level('error') },
    notifier: { notify: () => {} },
    pageDirectory: null,
    sampleDirectory: root,
    port: 0,
    scheduled: false,
  })
  onTestFinished(() => host.stop())
  const { id: workspace } = await host.client.workspaces.add({ path: directory, trust: true })
  const report = await host.client.heartbeat.run({ wait: true })
  await host.client.heartbeat.liftSuspension({ reason: 'private words' })
  const attemptId = report?.attempts[0]?.attemptId

  const told = lines.filter(({ fields }) => fields.seq !== undefined)
  const ids = { workspace, cycle: 1, attemptId, taskId: 'note', agentId: 'liar' }
  const raised = { workspace, iteration: 1, attemptId, task_id: 'note', agent: 'liar' }
  expect(told.map(({ level: of, message, fields }) => [of, message, fields])).toMatchObject([
    ['info', 'A cycle began', { workspace, cycle: 1, trigger: 'manual' }],
    ['info', 'An attempt began', ids],
    ['info', 'An attempt ended', { ...ids, outcome: 'completed' }],
    ['info', 'A verdict was given', { ...ids, verdict: 'not_verified', groundTruthContradiction: true }],
    ['warn', 'intervention_triggered', { ...raised, event_type: 'no_files_detected', severity: 'critical' }],
    ['warn', 'intervention_triggered', { ...raised, event_type: 'evidence_validation_failed' }],
    ['warn', 'intervention_triggered', { ...raised, event_type: 'false_completion_detected' }],
    ['error', 'The circuit breaker changed', { workspace, agentId: 'liar', state: 'tripped' }],
    ['error', 'The workspace was suspended for manual review', { workspace }],
    ['info', 'A cycle ended', { workspace, cycle: 1, ending: 'suspended' }],
    ['info', 'The suspension was ended', { workspace }],
  ])
  expect(JSON.stringify(told)).not.toMatch(/secret note|heartbeat-report|private words/)
})
