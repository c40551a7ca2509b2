import type { Command } from './command.ts'

/** No one reads a longer list: typing another letter helps more. */
const MAX_FOUND = 50
/** How much more likely a recent command is to be meant. */
const RECENT_WEIGHT = 0.25
const KEYWORD_MATCH = 0.2

/** Returns how well `search` matches `text`, from 0 (not at all) to 1. */
export type Matcher = (text: string, search: string) => number

/**
 * Returns the commands that match `search`, best first. Each word matches letters of the label in order, or a part of the secondary text or
 * of a keyword, so that an action is found by its workspace's name. Commands in `recent` (ids, newest first) rank higher.
 */
export function rankCommands(
  commands: readonly Command[],
  search: string,
  recent: readonly string[],
  match: Matcher,
): readonly Command[] {
  return commands
    .map((command) => ({
      command,
      score: scoreOf(command, search.trim(), recent.indexOf(command.id), match),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ command }) => command)
}

function scoreOf(command: Command, search: string, place: number, match: Matcher): number {
  // No one types the ellipsis that marks a further question; without it, an action ranks above a page of the same name.
  const label = command.label.replace(/…$/u, '')
  const whole = Math.max(match(label, search), keywordScore(command, search))
  const words = search.split(/\s+/u)
  const each = words.map((word) => Math.max(match(label, word), keywordScore(command, word)))
  const all = words.length < 2 || each.includes(0) ? 0 : each.reduce((sum, one) => sum + one, 0) / each.length
  const score = Math.max(whole, all)
  return score === 0 || place < 0 ? score : score + RECENT_WEIGHT / (place + 1)
}

function keywordScore({ hint, keywords }: Command, text: string): number {
  const wanted = text.toLowerCase()
  return [hint, ...keywords].some((keyword) => keyword.toLowerCase().includes(wanted)) ? KEYWORD_MATCH : 0
}
