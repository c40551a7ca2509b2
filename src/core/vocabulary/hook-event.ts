/** The events for which a program calls the hook. */
export const HOOK_EVENTS = ['stop', 'start', 'prompt', 'tool', 'config'] as const

export type HookEvent = (typeof HOOK_EVENTS)[number]
