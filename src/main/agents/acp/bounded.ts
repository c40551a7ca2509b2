/** Long enough for a path, a command line or a title; the log has longer texts of the agent. */
const MAX_CHARACTERS = 2000

/** Shortens a text from the agent for use in events. */
export function bounded(text: string, maxCharacters = MAX_CHARACTERS): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)}…`
}
