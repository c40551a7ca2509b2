/*
 * Tests that a formatter rewrote: JavaScript and TypeScript with the same syntax tree, and the same comments at the same places of it.
 */

import { tsPlugin } from '@sveltejs/acorn-typescript'
import { type Comment, type Node, Parser } from 'acorn'

const SCRIPT = /\.[cm]?[jt]s$/
const TYPED = /\.[cm]?ts$/
const TypedParser = Parser.extend(tsPlugin())
/** Comments of scripts that are no modules; in a module they are operators. */
const OLD_COMMENT = /<!--|-->/

/** Returns whether a file is in a language whose formatters are known. */
export function mayBeFormatted(path: string): boolean {
  return SCRIPT.test(path)
}

/**
 * Returns whether two versions of a script do the same, because only what a formatter may change differs: white space and lines, the
 * quotes of texts, semicolons that also the end of a line means, commas before closing brackets, and parentheses without a meaning.
 * False if a text is not a module that can be parsed. Never throws.
 */
export function isOnlyFormatted(path: string, before: string, after: string): boolean {
  if (!SCRIPT.test(path) || OLD_COMMENT.test(before) || OLD_COMMENT.test(after)) return false
  const was = outlineOf(path, before)
  return was !== null && was === outlineOf(path, after)
}

/** Returns all of a script that a formatter leaves, as one text; `null` if it can't be parsed. */
function outlineOf(path: string, text: string): string | null {
  const parser = TYPED.test(path) ? TypedParser : Parser
  const comments: Comment[] = []
  try {
    const tree = parser.parse(text.replaceAll('\r\n', '\n'), {
      ecmaVersion: 'latest',
      sourceType: 'module',
      // The plugin for types reads it.
      locations: true,
      onComment: comments,
    })
    const nodes: Node[] = []
    const outline = JSON.stringify(tree, function (this: object, key, value: unknown) {
      if (isNode(value)) nodes.push(value)
      if (isPlace(key, this)) return undefined
      // As JSON, 1e999 would be null.
      return typeof value === 'number' || typeof value === 'bigint' ? [String(value)] : value
    })
    return JSON.stringify([outline, placesOf(comments, nodes)])
  } catch {
    return null
  }
}

/** Returns each comment with the number of nodes that begin before it, and that end before it. */
function placesOf(comments: readonly Comment[], nodes: readonly Node[]): readonly unknown[] {
  const starts = nodes.map(({ start }) => start).sort((one, other) => one - other)
  const ends = nodes.map(({ end }) => end).sort((one, other) => one - other)
  let [begun, ended] = [0, 0]
  return comments.map(({ type, value, start }) => {
    while ((starts[begun] ?? start) < start) begun += 1
    while ((ends[ended] ?? start + 1) <= start) ended += 1
    return [begun, ended, type, value.replace(/\s*\n\s*/g, '\n').trim()]
  })
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Whether a part of a node tells where or how it is written. The raw text of a template is its meaning, and no part of a node. */
function isPlace(key: string, parent: object): boolean {
  return isNode(parent) && /^(?:start|end|loc|raw)$/.test(key)
}
