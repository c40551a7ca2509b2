import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ReportEntry } from '../../core/claims/report.ts'
import { readToolReport } from '../../core/claims/tool-report.ts'
import { harmlessText } from '../../core/text/harmless.ts'
import type { Log } from '../ports/log.ts'
import type { ReportChannel, ReportSubject } from '../ports/report-channel.ts'
import { ownNode } from '../process/own-node.ts'
import {
  type ChannelAnswer,
  type ChannelRequest,
  channelRequestSchema,
  MAX_LINE_BYTES,
  SOCKET_VARIABLE,
  TOKEN_VARIABLE,
} from './channel-protocol.ts'

export interface ChannelOptions {
  /** Absolute path of the server's script. */
  readonly script: string
  readonly subject: ReportSubject
  readonly log: Log
}

const MAX_CONNECTIONS = 8
const MAX_REPORTS = 1000
/** A silent connection is closed after this. */
const IDLE_MS = 10_000

/** Opens the channel of one attempt: a socket that only this user can reach, and a token. Returns `null` if it cannot. */
export async function openReportChannel({
  script,
  subject,
  log,
}: ChannelOptions): Promise<ReportChannel | null> {
  const token = randomBytes(32).toString('base64url')
  let reports: ReportEntry[] = []
  const take = (entry: ReportEntry): boolean => {
    if (reports.length >= MAX_REPORTS) return false
    reports.push(entry)
    return true
  }
  const connections = new Set<Socket>()
  const server = createServer((socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
    serve(socket, (request) =>
      isToken(request.token, token) ? answer(request, subject, take) : refused('This channel is not yours.'),
    )
  })
  server.maxConnections = MAX_CONNECTIONS
  const place = await listen(server).catch((error: unknown) => {
    log.warn('reporting through tools is not available in this attempt', { error: String(error) })
    return null
  })
  if (place === null) return null
  const node = ownNode()
  return {
    server: {
      name: 'pulseward',
      command: node.program,
      args: [script],
      env: {
        [SOCKET_VARIABLE]: place.path,
        [TOKEN_VARIABLE]: token,
        ...node.env,
      },
      needs: [dirname(place.path), dirname(script), dirname(node.program)],
    },
    take: () => {
      const taken = reports
      reports = []
      return taken
    },
    close: async () => {
      for (const socket of connections) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await place.remove()
    },
  }
}

async function listen(server: Server): Promise<{ path: string; remove: () => Promise<void> }> {
  const isWindows = process.platform === 'win32'
  // mkdtemp makes it accessible to its owner only.
  const folder = isWindows ? null : await mkdtemp(join(tmpdir(), 'pulseward-'))
  const path = folder === null ? `\\\\.\\pipe\\pulseward-${randomUUID()}` : join(folder, 'report')
  const remove = async (): Promise<void> => {
    if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
    server.on('error', () => {})
    return { path, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Reads one line and writes one back. */
function serve(socket: Socket, respond: (request: ChannelRequest) => ChannelAnswer): void {
  let line = ''
  socket.setEncoding('utf8')
  socket.setTimeout(IDLE_MS, () => socket.destroy())
  socket.on('error', () => {})
  socket.on('data', (text: string) => {
    line += text
    if (line.length > MAX_LINE_BYTES) {
      socket.end(`${JSON.stringify(refused(`The report is too large: ${MAX_LINE_BYTES} bytes at most.`))}\n`)
      socket.removeAllListeners('data')
      return
    }
    if (!line.includes('\n')) return
    socket.removeAllListeners('data')
    socket.end(`${JSON.stringify(respondTo(line, respond))}\n`)
  })
}

function respondTo(line: string, respond: (request: ChannelRequest) => ChannelAnswer): ChannelAnswer {
  try {
    return respond(channelRequestSchema.parse(JSON.parse(line)))
  } catch {
    return refused('This is not a valid request.')
  }
}

function answer(
  { tool, input }: ChannelRequest,
  { taskIds, probeNames, contract, score }: ReportSubject,
  take: (entry: ReportEntry) => boolean,
): ChannelAnswer {
  switch (tool) {
    case 'get_contract':
      return { ok: true, text: contract }
    case 'get_score':
      return { ok: true, text: score }
    case 'report_task': {
      const report = readToolReport(input, taskIds, probeNames)
      if (!report.ok) return refused(`Not recorded: ${report.problems.join('; ')}.`)
      if (!take(report.entry)) return refused('Not recorded: there are too many reports of this run.')
      const notes = report.notes.length === 0 ? '' : ` Note: ${report.notes.join('; ')}.`
      return {
        ok: true,
        text: harmlessText(`Recorded for ${report.entry.taskId}: ${report.entry.claim.status}.${notes}`),
      }
    }
  }
}

function refused(text: string): ChannelAnswer {
  return { ok: false, text: harmlessText(text) }
}

function isToken(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}
