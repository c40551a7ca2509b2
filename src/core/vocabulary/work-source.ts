/** The sources of judged work. */
export const WORK_SOURCES = ['heartbeat', 'session', 'change', 'landing'] as const
export type WorkSource = (typeof WORK_SOURCES)[number]
