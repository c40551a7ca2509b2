/**
 * The environment variable of every process that a supervisor starts: the tag of the supervisor's data folder. Where it is set, our hook
 * reports nothing, because a supervised agent is judged by its heartbeat.
 */
export const SUPERVISOR_VARIABLE = 'PULSEWARD_SUPERVISOR'

/**
 * Variables with which a project keeps our hook from reporting: this one, and those with which the system loads other code into every
 * program, also into the shell that runs the hook's command. That command clears those of Node.js.
 */
const SILENCING_VARIABLES = [SUPERVISOR_VARIABLE, 'LD_PRELOAD', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES'] as const

/** The value of a variable other than ours that loads nothing, or only what the system has installed. */
const HARMLESS = '\\s*(?:["\']?/(?:usr|lib)\\b|["\']{0,2}\\s*(?:$|[,}]))'
const [, ...loading] = SILENCING_VARIABLES
const SETS = `(?:${SUPERVISOR_VARIABLE}["']?\\s*[=:]|(?:${loading.join('|')})["']?\\s*[=:](?!${HARMLESS}))`

/** A line of an environment file (`.env`) that sets such a variable. */
export const SILENCES_BY_LINE = new RegExp(`^\\s*(?:export\\s+)?${SETS}`, 'm')

/** A key of settings in JSON that sets such a variable. */
export const SILENCES_BY_KEY = new RegExp(`["']${SETS}`, 'm')

/** Returns the variable that a text sets in one of these ways, or `null`. */
export function silencingIn(text: string, pattern: RegExp): string | null {
  const found = pattern.exec(text)?.[0]
  return SILENCING_VARIABLES.find((name) => found?.includes(name)) ?? null
}
