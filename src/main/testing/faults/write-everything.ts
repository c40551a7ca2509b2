/*
 * Run as a program: `node write-everything.ts ROOT`. Performs actions given as JSON lines on stdin, using the parts that write to a data
 * folder (`ROOT/data`), and answers each with a JSON line on stdout: `{"said":[…]}` with what was recorded, or `{"error":"…"}`. Log output
 * goes to stderr.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { EventBody } from '../../../core/record/events.ts'
import { openAttemptLog } from '../../agents/attempt-log.ts'
import { openReceipts } from '../../channels/receipts.ts'
import { openChannelStore } from '../../channels/store.ts'
import { addWorkspace } from '../../config/registry.ts'
import { openSettings } from '../../config/settings.ts'
import { approve } from '../../config/trust.ts'
import { createAgentTimes } from '../../custody/agent-times.ts'
import { createBaseFiles } from '../../custody/base-files.ts'
import { createContentStore } from '../../custody/content-store.ts'
import { createTextStore } from '../../custody/text-store.ts'
import { createDirectory } from '../../files/durable-file.ts'
import { createFileLog } from '../../host/log.ts'
import type { OpenedLedger } from '../../ledger/ledger.ts'
import { finishedAttempt, noteEvent } from '../../ledger/testing/sample-events.ts'
import { openSampleLedger } from './sample-ledger.ts'

const root = process.argv[2] ?? ''
const data = join(root, 'data')
const directory = join(data, 'workspaces', 'one')
const shout = (message: string, fields?: Record<string, unknown>): void => {
  writeSync(2, `${message} ${JSON.stringify(fields)}\n`)
}
const log = { info: () => undefined, warn: shout, error: shout }

mkdirSync(join(root, 'folder'), { recursive: true })
await createDirectory(data)
writeFileSync(join(root, 'folder', 'HEARTBEAT.md'), '## Tasks\n')
let ledger: OpenedLedger | null = await openSampleLedger(root, shout)
const settings = await openSettings(data, log)
const channels = await openChannelStore(data, log)
const contents = createContentStore(join(data, 'contents'))
const receipts = await openReceipts(data, log)
const texts = createTextStore(join(data, 'texts'))
const fileLog = createFileLog(data, {})

/** Returns the titles of all readable receipts. */
function receiptsOnDisk(): readonly string[] {
  return readFileSync(join(data, 'receipts.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).title)
}

const actions: Readonly<Record<string, (id: string) => Promise<readonly string[]>>> = {
  /** Appends several events in one call: either all of them are recorded, or none. */
  append: async (id) => {
    const bodies: EventBody[] = [
      noteEvent(`${id}-a`),
      finishedAttempt(`${id}-b`),
      { type: 'cycle-finished', cycle: 1, ending: 'completed' },
    ]
    ledger ??= await openSampleLedger(root, shout)
    const [first, second] = await ledger.append(...bodies)
    return [`${first?.seq} ${id}-a`, `${second?.seq} ${id}-b`]
  },
  /** Waits until background writes have succeeded or failed, then loads the ledger again. */
  reopen: async () => {
    await ledger?.close()
    ledger = null
    ledger = await openSampleLedger(root, shout)
    return [...ledger.problems, ...ledger.broken()]
  },
  settings: async (id) => {
    const { hash } = await settings.read()
    await settings.change({ note: id } as never, hash)
    return []
  },
  channels: async () => {
    await channels.replace([])
    return []
  },
  content: async (id) => {
    writeFileSync(join(root, 'folder', id), id.repeat(20))
    const [saved] = await contents.saveBefore(join(root, 'folder'), [id])
    if (saved?.kind !== 'file') throw new Error(saved?.kind === 'lost' ? saved.reason : 'it is gone')
    return []
  },
  receipt: async (id) => {
    receipts.add({
      at: '2026-01-01T00:00:00Z',
      channel: 'hook',
      type: 'webhook',
      title: id,
      attempt: 1,
      isAccepted: true,
      answer: '200',
      nextTryAt: null,
    })
    await receipts.close()
    return receiptsOnDisk()
  },
  approval: async () => {
    const text = '[agent]\ncommand = ["true"]\n'
    writeFileSync(join(root, 'folder', 'pulseward.toml'), text)
    await approve(join(root, 'folder'), directory, createHash('sha256').update(text).digest('hex'))
    return []
  },
  'agent-times': async (id) => {
    await createAgentTimes(join(directory, 'custody'), log).starts(id)
    return []
  },
  'base-files': async (id) => {
    const left = new Map([['check.sh', { file: null, attemptId: id }]])
    const nothing = { base: null, answers: new Map(), programs: new Map() }
    await createBaseFiles(join(directory, 'custody')).write({ top: directory, left, ...nothing })
    return []
  },
  text: async (id) => [await texts.keep(Buffer.from(id.repeat(20)))],
  workspace: async () => {
    await addWorkspace(data, join(root, 'folder'), 0)
    return []
  },
  'attempt-log': async (id) => {
    const output = openAttemptLog(join(directory, 'attempts', `${id}.log`), log)
    for (const line of ['one', 'two', 'three']) output.write(`${id} ${line}\n`)
    await output.close()
    return []
  },
  log: async (id) => {
    fileLog.warn(id)
    return []
  },
}

writeSync(1, '{"said":[]}\n')
for await (const line of createInterface({ input: process.stdin })) {
  const { action, id } = JSON.parse(line) as { action: string; id: string }
  const answer = await actions[action]?.(id).then(
    (said) => ({ said }),
    (error: unknown) => ({ error: String(error instanceof Error ? error.message : error) }),
  )
  writeSync(1, `${JSON.stringify({ action, id, ...answer })}\n`)
}
await ledger?.close()
