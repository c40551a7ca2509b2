/** Where work that is judged comes from. */
export const WORK_SOURCES = ['heartbeat', 'session', 'change', 'landing'] as const
export type WorkSource = (typeof WORK_SOURCES)[number]
