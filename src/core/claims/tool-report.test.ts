import { describe, expect, it } from 'vitest'
import { extractClaims } from './extract.ts'
import type { ReportEntry } from './report.ts'
import { BY_TOOL, readToolReport } from './tool-report.ts'

const tasks = ['check_email', 'write_report']

describe('a report by tool', () => {
  it('is the same claim as a block, with a note that it was made by tool', () => {
    const report = { status: 'done', claims: { mails: 3 }, files: ['a.md:1-3'], exit_signal: true }
    const read = readToolReport({ task_id: 'Check Email', ...report }, tasks, [])
    const block = `\`\`\`heartbeat-report\n${JSON.stringify({ task_id: 'check_email', ...report })}\n\`\`\``
    const claim = extractClaims(block, { taskIds: ['check_email'], probeNames: [] }).get('check_email')
    expect(read).toEqual({
      ok: true,
      entry: { taskId: 'check_email', claim: { ...claim, notes: [BY_TOOL] } },
      notes: [],
    })
  })

  it.each([
    [{}, ['`task_id` is missing', 'the tasks are: check_email, write_report', '`status` is missing']],
    [
      { task_id: 'other', status: 'done' },
      ['there is no task "other"', 'the tasks are: check_email, write_report'],
    ],
    [{ task_id: 'check_email' }, ['`status` is missing']],
    [
      { task_id: 'check_email', status: 'nearly' },
      ['`status` must be done, skipped or failed, not "nearly"'],
    ],
    [[{ task_id: 'check_email' }], ['the report must be one object with task_id and status']],
    ['done', ['the report must be one object with task_id and status']],
    [null, ['the report must be one object with task_id and status']],
    [
      { task_id: '<task>', status: 'done | failed' },
      ['the report must be one object with task_id and status'],
    ],
  ])('is rejected, with what is missing, if it says too little: %j', (value, problems) => {
    expect(readToolReport(value, tasks, [])).toEqual({ ok: false, problems })
  })

  it('is accepted, with a note on what is odd about it', () => {
    const read = readToolReport({ task_id: 'check_email', status: 'completed', files: 7 }, tasks, [])
    expect(read).toMatchObject({
      ok: true,
      notes: [
        '`status` "completed" was taken as done',
        '`files` must be a list of strings',
        '`exit_signal` is missing',
      ],
    })
  })
})

describe('reports by tool and in the text', () => {
  const byTool = (taskId: string, status: string): ReportEntry => {
    const read = readToolReport({ task_id: taskId, status }, tasks, [])
    if (!read.ok) throw new Error(read.problems.join())
    return read.entry
  }
  const block = (body: string): string => `\`\`\`heartbeat-report\n${body}\n\`\`\`\n`
  const claims = (output: string, taskIds: readonly string[], ...toolReports: readonly ReportEntry[]) => {
    const found = extractClaims(output, { taskIds, probeNames: ['mails'], toolReports })
    return taskIds.map((id) => found.get(id))
  }

  it('count per task, the last one that names it, and outweigh prose', () => {
    const [email, report] = claims(
      'All done. EXIT_SIGNAL: true',
      tasks,
      byTool('check_email', 'done'),
      byTool('write_report', 'done'),
      byTool('check_email', 'failed'),
    )
    expect(email).toMatchObject({
      status: 'failed',
      source: 'report',
      notes: [BY_TOOL],
    })
    expect(report).toMatchObject({ status: 'done', exitSignal: null })
  })

  it('count as earlier than a block at the end', () => {
    const text = block('{"task_id": "check_email", "status": "failed", "exit_signal": false}')
    const [claim] = claims(text, ['check_email'], byTool('check_email', 'done'))
    expect(claim).toMatchObject({ status: 'failed', exitSignal: false, notes: [] })
  })

  it('are not affected by a block about another task', () => {
    const text = block('{"task_id": "write_report", "status": "failed"}')
    const [email, report] = claims(text, tasks, byTool('check_email', 'done'))
    expect(email).toMatchObject({ status: 'done' })
    expect(report).toMatchObject({ status: 'failed' })
  })

  it('are not taken back by a block that cannot be parsed', () => {
    const [claim] = claims(
      block('{"task_id": "check_email", '),
      ['check_email'],
      byTool('check_email', 'done'),
    )
    expect(claim?.status).toBe('done')
    expect(claim?.notes).toEqual([BY_TOOL, expect.stringContaining('not valid JSON')])
  })

  it('change nothing if no report was made by tool', () => {
    const [claim] = claims('Done. mails: 3\nEXIT_SIGNAL: true', ['check_email'])
    expect(claim).toMatchObject({ status: 'done', values: { mails: 3 }, source: 'text' })
  })
})
