/** Long enough for a path, a command line or a title; what an agent says at length goes into the log. */
const MAX_CHARACTERS = 2000

/** A text of the agent's as events keep it. */
export function bounded(text: string, maxCharacters = MAX_CHARACTERS): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)}…`
}
