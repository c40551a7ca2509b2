/** What a span says besides its name and times; `null` says nothing. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | null>>

/** The span within which work is done. */
export interface TracedSpan {
  set(attributes: SpanAttributes): void
  /** Something that was found within it. */
  event(name: string, attributes: SpanAttributes): void
}

/** Tells a collector, where one is configured, what was done within what, and how long it took. */
export interface Tracer {
  /**
   * Does `work` within a span, and answers or rejects as it does. Spans begun within, across its awaits, are its children; a
   * rejection marks it as failed. Attributes hold no prompt, no output and no secret.
   */
  span<T>(
    name: 'cycle' | 'attempt' | 'agent' | 'snapshot' | 'verify' | 'detect',
    attributes: SpanAttributes,
    work: (span: TracedSpan) => Promise<T>,
  ): Promise<T>
}
