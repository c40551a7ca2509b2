/** Long enough for a path, a command line or a title; longer texts of the agent are in the log. */
const MAX_CHARACTERS = 2000

/** Shortens a text of the agent for events. */
export function bounded(text: string, maxCharacters = MAX_CHARACTERS): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)}…`
}
