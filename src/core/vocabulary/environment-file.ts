/** A line of an environment file that makes our hook believe that its agent is supervised. */
export const SETS_SUPERVISED = /^\s*(?:export\s+)?PULSEWARD_SUPERVISOR\s*[=:]/m
