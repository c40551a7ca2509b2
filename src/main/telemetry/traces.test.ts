import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { GEN_AI_CONVENTIONS } from '../../core/record/evaluation-event.ts'
import { createRecordingLog } from '../api/testing/recording-log.ts'
import { openTracer } from './open-tracer.ts'

/*
 * Real runs of the sample through the command's own entry, and a collector that speaks OTLP over HTTP.
 */

const valueSchema = z.union([
  z.object({ stringValue: z.string() }).transform((value) => value.stringValue),
  z.object({ intValue: z.coerce.number() }).transform((value) => value.intValue),
  z.object({ doubleValue: z.number() }).transform((value) => value.doubleValue),
  z.object({ boolValue: z.boolean() }).transform((value) => value.boolValue),
  z.unknown(),
])
const attributesSchema = z
  .array(z.object({ key: z.string(), value: valueSchema }))
  .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value])))
const spanSchema = z.object({
  name: z.string(),
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: attributesSchema,
  events: z.array(z.object({ name: z.string(), attributes: attributesSchema })).default([]),
  status: z.object({ code: z.number().optional() }),
})
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
})

type Span = z.infer<typeof spanSchema>

/** Keeps every request; answers each with `status`, or not at all if `null`. */
async function collect(status: number | null = 200) {
  const requests: { path: string | undefined; key: string | undefined; body: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    requests.push({ path: request.url, key: request.headers['x-key']?.toString(), body })
    if (status !== null) response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const exports = () => requests.flatMap(({ body }) => exportSchema.parse(JSON.parse(body)).resourceSpans)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    resources: () => exports().map(({ resource }) => resource.attributes),
    spans: () => exports().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  }
}

/** Prints each loaded module of OpenTelemetry's SDK on stderr. */
const NAME_LOADED = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module'
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    if (/otlp-tracer|@opentelemetry.(sdk|otlp|exporter|resources)/.test(resolved.url)) console.error('loaded ' + resolved.url)
    return resolved
  },
})`)}`

/** Runs a command line in a separate process. */
async function run(root: string, args: readonly string[], environment: Record<string, string> = {}) {
  const entry = join(import.meta.dirname, '../../cli/index.ts')
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('OTEL_'))
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', NAME_LOADED, entry, ...args],
    {
      cwd: root,
      env: { ...Object.fromEntries(inherited), PULSEWARD_HOME: join(root, 'data'), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  const [exitCode] = await once(child, 'close')
  return { exitCode, ...output }
}

async function temporaryFolder(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'pulseward-traces-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  return root
}

async function sample(): Promise<string> {
  const root = await temporaryFolder()
  expect((await run(root, ['sample', 'demo'])).exitCode).toBe(0)
  return root
}

const heartbeat = ['run', '--once', '--trust', '--json', '--workspace', 'demo']

const childrenOf = (parent: Span, spans: readonly Span[]) =>
  spans
    .filter(({ parentSpanId }) => parentSpanId === parent.spanId)
    .toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))

it('a heartbeat is one trace: a cycle, its attempts, the steps of each, and no word of the prompt or output', async () => {
  const root = await sample()
  const collector = await collect()
  const { exitCode, stdout } = await run(root, heartbeat, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=the-secret',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  })
  expect(exitCode).toBe(0)
  const report = JSON.parse(stdout)

  expect(new Set(collector.requests.map(({ path, key }) => `${path} ${key}`))).toEqual(
    new Set(['/v1/traces the-secret']),
  )
  expect(collector.resources()[0]).toMatchObject({
    'service.name': 'pulseward',
    'deployment.environment.name': 'test',
  })
  const spans = collector.spans()
  const [cycle, ...otherRoots] = spans.filter(({ parentSpanId }) => !parentSpanId)
  if (cycle === undefined) throw new Error('no root span came')
  expect(otherRoots).toEqual([])
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
  expect(cycle).toMatchObject({
    name: 'cycle',
    attributes: {
      'pulseward.workspace.id': report.workspace,
      'pulseward.cycle': 1,
      'pulseward.attempt.count': report.attempts.length,
    },
  })

  const attempts = childrenOf(cycle, spans)
  expect(attempts.map(({ name, attributes }) => [name, attributes['pulseward.attempt.id']])).toEqual(
    report.attempts.map(({ attemptId }: { attemptId: string }) => ['attempt', attemptId]),
  )
  for (const [index, attempt] of attempts.entries()) {
    expect(attempt.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'sample-agent',
      'pulseward.gen_ai.conventions': GEN_AI_CONVENTIONS,
    })
    const { verdict, points, attemptId, costs } = report.attempts[index]
    expect(attempt.attributes).toMatchObject({
      'pulseward.cost.agent_ms': costs.agentMs,
      'pulseward.cost.checks_ms': costs.checksMs,
      'pulseward.cost.clean_room_ms': costs.cleanRoomMs,
      'pulseward.cost.pulseward_ms': costs.pulsewardMs,
    })
    expect(attempt.events).toEqual([
      {
        name: 'gen_ai.evaluation.result',
        attributes: {
          'gen_ai.evaluation.name': 'pulseward.verdict',
          'gen_ai.evaluation.score.label': verdict,
          'gen_ai.evaluation.score.value': points,
          'gen_ai.evaluation.explanation': expect.any(String),
          'pulseward.attempt.id': attemptId,
        },
      },
    ])
    const steps = childrenOf(attempt, spans)
    expect(steps.map(({ name }) => name)).toEqual(['snapshot', 'agent', 'snapshot', 'verify', 'detect'])
    expect(steps[1]?.attributes).toMatchObject({
      'pulseward.agent.outcome': report.attempts[index].outcome,
      'pulseward.timeout_seconds': report.attempts[index].timeoutSeconds,
    })
    expect(steps[3]?.attributes).toMatchObject({ 'pulseward.verdict': report.attempts[index].verdict })
  }
  expect(spans).toHaveLength(1 + attempts.length * 6)

  // Nothing of the prompt, the agent's answer, or the environment.
  const sent = collector.requests.map(({ body }) => body).join('\n')
  expect(sent).toContain('fetch_mail')
  for (const secret of ['the-secret', 'Fetch new mail', 'heartbeat-report', 'unread', 'agent.mjs', root]) {
    expect(sent).not.toContain(secret)
  }
})

it.each<[string, string[], Record<string, string>]>([
  ['with an endpoint', ['otlp-tracer', 'sdk-trace-base', 'exporter-trace-otlp-http'], {}],
  ['without an endpoint', [], { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
  ['when disabled', [], { OTEL_SDK_DISABLED: 'true' }],
  ['when no traces are exported', [], { OTEL_TRACES_EXPORTER: 'none' }],
])('loads only the necessary parts of OpenTelemetry %s: %j', async (_name, loaded, environment) => {
  const root = await temporaryFolder()
  const collector = await collect()
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment }
  const { exitCode, stderr } = await run(root, ['list', '--json'], variables)
  expect(exitCode).toBe(0)
  if (loaded.length === 0) expect(stderr).toBe('')
  for (const name of loaded) expect(stderr).toMatch(new RegExp(`loaded .*${name}`))
  expect(collector.requests).toEqual([])
})

async function openTraced(url: string) {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url)
  const log = createRecordingLog()
  const opened = await openTracer(process.env, { version: '1.2.3', log })
  return { ...opened, log }
}

it('a span of failing work is marked, keeps its place and passes the error on', async () => {
  const collector = await collect()
  const { tracer, close, log } = await openTraced(collector.url)
  const failing = tracer.span('cycle', { n: null }, async () => {
    await tracer.span('attempt', {}, async () => {
      throw new TypeError('private words')
    })
  })
  await expect(failing).rejects.toThrow('private words')
  await tracer.span('cycle', {}, async () => {})
  await close()
  const [inner, outer, next] = collector.spans()
  expect(inner).toMatchObject({ name: 'attempt', parentSpanId: outer?.spanId, status: { code: 2 } })
  expect(outer).toMatchObject({ attributes: { 'error.type': 'TypeError' } })
  expect(next?.traceId).not.toBe(outer?.traceId)
  expect(JSON.stringify(collector.requests)).not.toContain('private words')
  expect(log.lines).toEqual([])
})

it.each([
  ['refuses them', () => collect(400)],
  ['never answers', () => collect(null)],
  ['is missing', async () => ({ url: 'http://127.0.0.1:1' })],
])('a collector that %s loses only its own spans', async (_name, start) => {
  const { url } = await start()
  // Sending may take longer than this test: waiting for it would time out.
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '600000')
  vi.stubEnv('OTEL_BSP_EXPORT_TIMEOUT', '600000')
  const { tracer, close, log } = await openTraced(url)
  expect(await tracer.span('cycle', {}, async () => 'done')).toBe('done')
  await close()
  expect(log.lines).toEqual([expect.stringMatching(/^warn .*traces could not be sent/i)])
})

it('a collector that refuses spans is reported in the log once', async () => {
  const { url } = await collect(400)
  vi.stubEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '1')
  const { tracer, close, log } = await openTraced(url)
  for (let n = 0; n < 3; n++) await tracer.span('cycle', {}, async () => {})
  await close()
  expect(log.lines).toEqual([expect.stringMatching(/^warn Traces could not be sent/)])
})

it.each(['no address', 'localhost:4318'])(
  'an endpoint of %j is reported in the log, and the work continues',
  async (url) => {
    const { tracer, close, log } = await openTraced(url)
    expect(await tracer.span('cycle', {}, async () => 'done')).toBe('done')
    await close()
    expect(log.lines).toEqual([expect.stringContaining('not an http or https address')])
  },
)
