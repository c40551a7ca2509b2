/** Returns what the record calls a probe. */
export function probeCheck(name: string): string {
  return `probe ${name}`
}

/** Returns what the record calls a gate. */
export function gateCheck(command: readonly string[]): string {
  return `gate ${JSON.stringify(command)}`
}

/** Returns what the record calls a command of `succeeds("…")`. */
export function commandCheck(command: string): string {
  return `command ${command}`
}

/** Returns the name in the record of a check that had an answer before an attempt and none after it. */
export function hintCheck(source: string): string {
  return `hint ${source}`
}
