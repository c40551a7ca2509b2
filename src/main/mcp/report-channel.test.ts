import { existsSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BY_TOOL } from '../../core/claims/tool-report.ts'
import type { ReportChannel } from '../ports/report-channel.ts'
import { SOCKET_VARIABLE, TOKEN_VARIABLE } from './channel-protocol.ts'
import { openReportChannel } from './report-channel.ts'

const script = fileURLToPath(new URL('./report-server.ts', import.meta.url))
const log = { info: () => {}, warn: () => {}, error: () => {} }
const subject = { taskIds: ['check_email'], probeNames: [], contract: 'The contract.', score: '10 of 50' }

let channel: ReportChannel
let client: Client

beforeEach(async () => {
  const opened = await openReportChannel({ script, subject, log })
  if (opened === null) throw new Error('no channel')
  channel = opened
  client = new Client({ name: 'test', version: '1' })
  const { command, args, env } = channel.server
  await client.connect(new StdioClientTransport({ command, args: [...args], env: { ...env } }))
})
afterEach(async () => {
  await client.close()
  await channel.close()
})

async function call(name: string, input: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: input })
  return { text: (content as { text: string }[])[0]?.text, isError: isError ?? false }
}

it('offers an agent three tools, and nothing else', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['report_task', 'get_contract', 'get_score'])
  expect(await call('run_anything')).toEqual({ text: 'There is no tool run_anything.', isError: true })
})

it('passes a report on, and returns what is odd about it', async () => {
  const report = { task_id: 'check_email', status: 'done', claims: { mails: 3 }, files: 7 }
  expect(await call('report_task', report)).toEqual({
    text: 'Recorded for check_email: done. Note: `files` must be a list of strings; `exit_signal` is missing.',
    isError: false,
  })
  expect(channel.take()).toEqual([
    {
      taskId: 'check_email',
      claim: expect.objectContaining({
        status: 'done',
        values: { mails: 3 },
        notes: expect.arrayContaining([BY_TOOL]),
      }),
    },
  ])
  expect(channel.take()).toEqual([])
})

it('refuses an incomplete report, and says what is missing', async () => {
  expect(await call('report_task', { task_id: 'other' })).toEqual({
    text: 'Not recorded: there is no task "other"; the tasks are: check_email; `status` is missing.',
    isError: true,
  })
  expect(
    await call('report_task', { task_id: 'check_email', status: 'done', evidence: ['x'.repeat(300_000)] }),
  ).toEqual({
    text: 'The report is too large: 262144 bytes at most.',
    isError: true,
  })
  expect(channel.take()).toEqual([])
})

it('returns the contract and the score', async () => {
  expect(await call('get_contract')).toEqual({ text: 'The contract.', isError: false })
  expect(await call('get_score')).toEqual({ text: '10 of 50', isError: false })
})

it('refuses requests without the token, and invalid ones', async () => {
  const path = channel.server.env[SOCKET_VARIABLE] ?? ''
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
  const say = (line: string) =>
    new Promise<string>((resolve) => {
      let answer = ''
      connect(path)
        .setEncoding('utf8')
        .on('data', (text) => {
          answer += text
        })
        .on('close', () => resolve(answer))
        .write(`${line}\n`)
    })
  const input = { task_id: 'check_email', status: 'done' }
  for (const token of ['', 'x', 'x'.repeat((channel.server.env[TOKEN_VARIABLE] ?? '').length)])
    expect(await say(JSON.stringify({ token, tool: 'report_task', input }))).toContain('not yours')
  for (const line of ['', '7', '{}', 'GET / HTTP/1.1', JSON.stringify({ token: 'x', tool: 'rm', input })])
    expect(await say(line)).toContain('no request')
  expect(channel.take()).toEqual([])
})

it('ends with the attempt, and says so to an agent that continues', async () => {
  const folder = dirname(channel.server.env[SOCKET_VARIABLE] ?? '')
  await channel.close()
  expect(existsSync(folder)).toBe(false)
  expect(await call('report_task', { task_id: 'check_email', status: 'done' })).toEqual({
    text: expect.stringContaining('cannot be reached'),
    isError: true,
  })
})
