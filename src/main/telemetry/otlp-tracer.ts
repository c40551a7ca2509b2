import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { type Attributes, type Context, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Log } from '../ports/log.ts'
import type { SpanAttributes, Tracer } from '../ports/tracer.ts'

export interface OpenTracer {
  readonly tracer: Tracer
  /** Sends what is left, for at most a few seconds, and closes. Never rejects. */
  close(): Promise<void>
}

/** The longest that an unresponsive collector may delay the end of a command. */
const LAST_FLUSH_MS = 3000

/**
 * Sends spans to the collector named in this process's OTEL_* variables, which also control sampling, batching, headers and
 * resource. Registers nothing of OpenTelemetry globally. Throws if the variables are invalid.
 */
export function createOtlpTracer(version: string, log: Log): OpenTracer {
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'pulseward', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(reportingFailures(new OTLPTraceExporter(), log))],
  })
  const spans = provider.getTracer('pulseward', version)
  const current = new AsyncLocalStorage<Context>()
  const tracer: Tracer = {
    span: async (name, attributes, work) => {
      const parent = current.getStore() ?? ROOT_CONTEXT
      const span = spans.startSpan(name, { attributes: withoutNulls(attributes) }, parent)
      try {
        return await current.run(trace.setSpan(parent, span), () =>
          work({
            set: (more) => void span.setAttributes(withoutNulls(more)),
            event: (what, more) => void span.addEvent(what, withoutNulls(more)),
          }),
        )
      } catch (error) {
        // Only the name: a message may quote an agent or a file.
        span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },
  }
  return {
    tracer,
    close: async () => {
      const isLate = await Promise.race([
        provider.shutdown().then(
          () => false,
          () => false,
        ),
        delay(LAST_FLUSH_MS, true, { ref: false }),
      ])
      if (isLate) log.warn('The last traces could not be sent in time')
    },
  }
}

/** Spans that cannot be sent are dropped; this is logged once until some arrive again. */
function reportingFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined
        if (failed && !isFailing) log.warn('Traces could not be sent', { error: String(result.error) })
        isFailing = failed
        done(result)
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}

function withoutNulls(attributes: SpanAttributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}
