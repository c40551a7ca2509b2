/** The events for which a program calls the hook. */
export const HOOK_EVENTS = ['stop', 'start', 'prompt', 'tool', 'config'] as const

export type HookEvent = (typeof HOOK_EVENTS)[number]

/** How long the hook waits for an answer, in seconds. Programs are told five more, so that it ends by itself. */
export const HOOK_SECONDS: Readonly<Record<HookEvent, number>> = {
  stop: 60,
  // These are answered immediately, so a longer wait is pointless.
  ...{ start: 5, prompt: 5, tool: 5, config: 5 },
}

/** How long a program waits for its hook, in seconds. */
export function programSeconds(event: HookEvent): number {
  return HOOK_SECONDS[event] + 5
}
