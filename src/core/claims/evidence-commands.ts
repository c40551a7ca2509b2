/** A command that the agent says it ran, and the result it reports. */
export interface CommandMention {
  readonly command: string
  /** The result as written, truncated; `null` if it reports no result. */
  readonly result: string | null
  /** Start of its place in the text, which includes its result. */
  readonly start: number
  readonly end: number
}

const PROGRAM =
  '(?:\\./[\\w./-]+|(?:npm|npx|pnpm|yarn|node|deno|bun|python3?|pip3?|uv|pytest|tox|ruff|mypy|go|cargo|rustc|make|cmake|ctest|git|gh|docker|kubectl|curl|wget|ls|cat|grep|rg|find|wc|head|tail|diff|jq|sed|awk|stat|test|bash|sh|eslint|tsc|vitest|jest|mocha|biome|prettier|playwright|mvn|gradle|rake|rspec|bundle|php|composer|phpunit|dotnet|swift|xcodebuild|flutter|dart|mix|terraform|psql|sqlite3|shellcheck|rm|mv|cp|mkdir|touch|chmod)(?![\\w.-]))'
/** A command as a code span: "`npm test`", "`$ go test ./...`". */
const SPAN = new RegExp(`\`\\$?\\s{0,3}(${PROGRAM}[^\`\\n]{0,300})\``, 'g')
/** A command that begins the item: "npm test: 12 passed", "$ make check → ok", "Ran pytest -q, 5 passed". */
const LEADING = new RegExp(
  `^[\\s>*•–-]{0,3}(?:(?:i\\s+)?(?:ran|run|running|executed|command)\\s*:?\\s+)?(?:\\$\\s*)?(${PROGRAM}[^:→⇒\`\\n]{0,300}?)\\s*(?=:\\s|→|⇒|->|=>|\\s[–—-]\\s|,\\s|\\bpass(?:es|ed)?\\b|\\bexit(?:s|ed)?\\b|\\breturn(?:s|ed)?\\b|\\b(?:is|was|were|all)\\b|$)`,
  'i',
)
/** Words after a leading program name that make it English ("make sure", "find out", "test results"). */
const NOT_A_COMMAND =
  /^(?:make|find|test|go|head|tail|stat|cat|diff)\s+(?:sure|certain|out|that|the|a|an|it|to|of|on|for|with|is|was|results?|suite|cases?|coverage|files?|run|plan)\b|^(?:test|find|make|go|stat|head|tail|diff|cat)$/i
const SEPARATOR = /^[\s:;,→⇒=>–—-]+/
const MAX_RESULT = 200

/** Returns the commands named by an item of evidence, in order, at most 20. Never throws. */
export function findCommands(text: string): readonly CommandMention[] {
  const leading = LEADING.exec(text)
  const command = leading?.[1]?.trim()
  if (leading !== null && command !== undefined && !NOT_A_COMMAND.test(command))
    return [{ command, result: resultOf(text.slice(leading[0].length)), start: 0, end: text.length }]
  const spans = [...text.matchAll(SPAN)].slice(0, 20)
  return spans.map((match, index) => {
    const end = match.index + match[0].length
    const next = spans[index + 1]?.index ?? text.length
    return {
      command: (match[1] ?? '').trim(),
      result: resultOf(text.slice(end, next)),
      start: match.index,
      end,
    }
  })
}

function resultOf(rest: string): string | null {
  const result = rest.replace(SEPARATOR, '').trim()
  return result === '' ? null : result.slice(0, MAX_RESULT)
}
