import type { Log } from '../ports.ts'
import { noTracer } from './no-tracer.ts'
import type { OpenTracer } from './otlp-tracer.ts'

/**
 * A tracer that sends OTLP over HTTP where the standard environment variables name an endpoint; one that does nothing, with
 * none of OpenTelemetry's packages loaded, where they do not. Never rejects: a tracer that cannot be set up is logged.
 */
export async function openTracer(
  environment: Readonly<Record<string, string | undefined>>,
  { version, log }: { readonly version: string; readonly log: Log },
): Promise<OpenTracer> {
  if (!isConfigured(environment)) return { tracer: noTracer, close: async () => {} }
  try {
    const { createOtlpTracer } = await import('./otlp-tracer.ts')
    return createOtlpTracer(version, log)
  } catch (error) {
    log.warn('No traces are sent: the tracer could not be set up', { error: String(error) })
    return { tracer: noTracer, close: async () => {} }
  }
}

function isConfigured(environment: Readonly<Record<string, string | undefined>>): boolean {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false
  if (environment.OTEL_TRACES_EXPORTER === 'none') return false
  const endpoint =
    environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT || ''
  return endpoint.trim() !== ''
}
