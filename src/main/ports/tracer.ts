/** Attributes of a span in addition to its name and times; `null` leaves one out. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | null>>

/** The span of a piece of work. */
export interface TracedSpan {
  set(attributes: SpanAttributes): void
  /** Adds an event to the span. */
  event(name: string, attributes: SpanAttributes): void
}

/** Reports to a collector, if one is configured, what was done within what, and how long it took. */
export interface Tracer {
  /**
   * Runs `work` within a span, and resolves or rejects as it does. Spans begun inside it, across its awaits, are its children;
   * a rejection marks it as failed. Attributes contain no prompt, no output and no secret.
   */
  span<T>(
    name: 'cycle' | 'attempt' | 'agent' | 'snapshot' | 'verify' | 'detect',
    attributes: SpanAttributes,
    work: (span: TracedSpan) => Promise<T>,
  ): Promise<T>
}
