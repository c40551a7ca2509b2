import type { Log } from '../ports/log.ts'
import { noTracer } from './no-tracer.ts'
import type { OpenTracer } from './otlp-tracer.ts'

/**
 * Returns a tracer that sends OTLP over HTTP if the standard environment variables name an endpoint; otherwise one that does
 * nothing, without loading OpenTelemetry's packages. Never rejects: a tracer that cannot be set up is logged.
 */
export async function openTracer(
  environment: Readonly<Record<string, string | undefined>>,
  { version, log }: { readonly version: string; readonly log: Log },
): Promise<OpenTracer> {
  const endpoint = configuredEndpoint(environment)
  if (endpoint === null) return closedTracer
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    // Not the endpoint itself: an address may contain a password.
    log.warn('No traces are sent: the OTLP endpoint is not an http or https address')
    return closedTracer
  }
  try {
    const { createOtlpTracer } = await import('./otlp-tracer.ts')
    return createOtlpTracer(version, log)
  } catch (error) {
    log.warn('No traces are sent: the tracer could not be set up', { error: String(error) })
    return closedTracer
  }
}

const closedTracer: OpenTracer = { tracer: noTracer, close: async () => {} }

/** Returns `null` if traces are turned off. */
function configuredEndpoint(environment: Readonly<Record<string, string | undefined>>): string | null {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return null
  if (environment.OTEL_TRACES_EXPORTER === 'none') return null
  const endpoint =
    environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT || ''
  return endpoint.trim() === '' ? null : endpoint
}
