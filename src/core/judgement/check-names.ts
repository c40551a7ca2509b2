/** Returns a probe's name in the record. */
export function probeCheck(name: string): string {
  return `probe ${name}`
}

/** Returns a gate's name in the record. */
export function gateCheck(command: readonly string[]): string {
  return `gate ${JSON.stringify(command)}`
}

/** Returns the name in the record of a `succeeds("…")` command. */
export function commandCheck(command: string): string {
  return `command ${command}`
}

/** Returns the name in the record of a check that had an answer before an attempt and none after it. */
export function hintCheck(source: string): string {
  return `hint ${source}`
}
