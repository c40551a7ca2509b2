/**
 * The environment variable of every process that a supervisor starts: the tag of the supervisor's data folder. Where it is set, our hook
 * reports nothing, because a supervised agent is judged by its heartbeat.
 */
export const SUPERVISOR_VARIABLE = 'PULSEWARD_SUPERVISOR'

/** A line of an environment file (`.env`) that sets it. */
export const SETS_SUPERVISOR = new RegExp(`^\\s*(?:export\\s+)?${SUPERVISOR_VARIABLE}\\s*[=:]`, 'm')
