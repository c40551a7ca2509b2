/*
 * Tests that a formatter rewrote: JavaScript and TypeScript with the same tokens, apart from the ones that formatters add and remove.
 */

import { wordList } from '../text/word-list.ts'

/** A token, and what stands between it and the one before. */
interface Token {
  readonly text: string
  /** True if a line ends before it. */
  readonly isOnNewLine: boolean
  /** True if it ends the head of an `if`, a loop or the like, so that a statement follows. */
  readonly endsHead: boolean
  /** True directly within parentheses, where a semicolon is a part of a `for`. */
  readonly isInHead: boolean
}

interface Script {
  readonly tokens: readonly Token[]
  /** Comments with the number of tokens before each, without semicolons: some of them are directives. */
  readonly comments: readonly string[]
}

const SCRIPT = /\.[cm]?[jt]s$/
/** A line of another kind, or a comment of another kind. */
const UNREADABLE = /^#!|<!--|-->|[\u2028\u2029]/
const TOKEN =
  /(?<space>[^\S\n]+)|(?<line>\n)|(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<text>"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*')|(?<template>`(?:[^`\\$]|\\[\s\S]|\$(?!\{)|\$\{[^`{}'"\\]*\})*`)|(?<number>\d[\p{L}\d_.]*)|(?<word>[\p{L}\p{Nl}\p{M}\p{Nd}\p{Pc}$#@]+)|(?<sign>>>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\+\+|--|\+=|-=|\*=|%=|&=|\|=|\^=|<<|>>|\*\*|[-+*%&|^~!<>=?:;,.(){}[\]])|(?<slash>\/)/uy
const REGEX = /\/(?:[^\n\\/[]|\\[^\n]|\[(?:[^\n\\\]]|\\[^\n])*\])+\/[a-z]*/y
const HEADS = new Set(wordList('if for while with switch catch'))
/** Words with which no statement ends. */
const OPEN_WORDS = new Set(
  wordList(`
    if else do for while with switch case in of instanceof typeof void delete new throw await try finally catch const let var function
    class extends import export from default
  `),
)
/** Words after which the end of a line may end a statement, or give the word itself another meaning. */
const RESTRICTED = new Set(
  wordList(`
    return break continue throw yield async type abstract declare interface namespace module accessor using global get set static
    readonly override public private protected asserts infer keyof unique out
  `),
)
/** Those of them that end a statement at the end of a line. */
const ENDING = new Set(wordList('return break continue yield'))
/** Before these, the end of a line may end a statement, although the statement could go on. */
const RESTRICTED_BEFORE = new Set(wordList('++ -- ! as satisfies =>'))
/** What continues a statement over the end of a line, so that only a semicolon ends it there. */
const CONTINUES = /^(?:[([`+\-*/%.,<>=&|^?:~]|\?\.|!=|(?:in|instanceof|as|satisfies)$)/

/** Returns whether a file is in a language whose formatters are known. */
export function mayBeFormatted(path: string): boolean {
  return SCRIPT.test(path)
}

/**
 * Returns whether two versions of a script do the same, because only what a formatter may change differs: white space and lines, the
 * quotes of texts, semicolons at the ends of statements, commas before closing brackets, and parentheses around the one parameter of
 * an arrow function. Comments have to stay where they are. False if a text can't be read with certainty. Never throws.
 */
export function isOnlyFormatted(path: string, before: string, after: string): boolean {
  if (!SCRIPT.test(path)) return false
  const [was, is] = [read(before), read(after)]
  if (was === null || is === null || was.comments.join('\0') !== is.comments.join('\0')) return false
  return areSame(was.tokens, is.tokens)
}

function read(source: string): Script | null {
  const text = source.replaceAll('\r\n', '\n')
  if (UNREADABLE.test(text)) return null
  const tokens: Token[] = []
  const comments: string[] = []
  const open: { readonly bracket: string; readonly isHead: boolean }[] = []
  let [at, isOnNewLine, count] = [0, false, 0]
  while (at < text.length) {
    const found = partAt(text, at, tokens.at(-1))
    if (found === null) return null
    const { kind, part } = found
    at += part.length
    if (kind === 'line' || (kind === 'comment' && part.includes('\n'))) isOnNewLine = true
    if (kind === 'comment') comments.push(`${count} ${part.replace(/\s*\n\s*/g, '\n').trim()}`)
    if (kind === 'space' || kind === 'line' || kind === 'comment') continue
    const isHead = HEADS.has(tokens.at(-1)?.text ?? '') && tokens.at(-2)?.text !== '.'
    const isInHead = open.at(-1)?.bracket === '('
    if (/^[([{]$/.test(part)) open.push({ bracket: part, isHead })
    const closed = /^[)\]}]$/.test(part) ? open.pop() : undefined
    const endsHead = part === ')' && closed?.isHead === true
    tokens.push({ text: kind === 'text' ? inPlainQuotes(part) : part, isOnNewLine, endsHead, isInHead })
    // Whatever a formatter adds or removes doesn't count.
    if (!/^[;,()]$/.test(part)) count += 1
    isOnNewLine = false
  }
  return { tokens: withoutOptional(tokens), comments }
}

/** Returns what begins at a place; `null` if that can't be told. */
function partAt(
  text: string,
  at: number,
  last: Token | undefined,
): { readonly kind: string; readonly part: string } | null {
  TOKEN.lastIndex = at
  const groups = TOKEN.exec(text)?.groups
  const [kind, part] = Object.entries(groups ?? {}).find(([, value]) => value !== undefined) ?? []
  if (kind === undefined || part === undefined) return null
  if (kind !== 'slash') return { kind, part }
  const before = last?.text ?? ''
  // A block may end here or an object, an increment go before or after; and tags of JSX have another white space.
  if (/^(?:\}|\+\+|--|<)$/.test(before) || text[at + 1] === '>') return null
  const divides = isWord(before)
    ? !OPEN_WORDS.has(before) && !RESTRICTED.has(before)
    : /^["'`\]/]/.test(before) || (before === ')' && last?.endsHead === false)
  if (divides) return { kind, part }
  REGEX.lastIndex = at
  const regex = REGEX.exec(text)?.[0]
  return regex === undefined ? null : { kind, part: regex }
}

const isWord = (text: string): boolean => /^[\p{L}\p{Nl}\p{M}\p{Nd}\p{Pc}$#@]/u.test(text)

/** Returns a text in double quotes. */
function inPlainQuotes(text: string): string {
  const inner = text.slice(1, -1).replace(/\\([\s\S])|"/g, (all, escaped?: string) => {
    if (escaped === "'") return "'"
    return escaped === undefined || escaped === '"' ? '\\"' : all
  })
  return `"${inner}"`
}

/** Removes commas before closing brackets, and parentheses around the one parameter of an arrow function. */
function withoutOptional(tokens: readonly Token[]): readonly Token[] {
  const kept: Token[] = []
  let isOnNewLine = false
  for (const [at, token] of tokens.entries()) {
    const near = (steps: number): string => tokens[at + steps]?.text ?? ''
    const isOptional =
      (token.text === ',' && /^[)\]}]$/.test(near(1)) && !/^[[({,]$/.test(near(-1))) ||
      (token.text === '(' && isWord(near(1)) && near(2) === ')' && near(3) === '=>') ||
      (token.text === ')' && near(1) === '=>' && isWord(near(-1)) && near(-2) === '(')
    isOnNewLine ||= token.isOnNewLine
    if (isOptional) continue
    kept.push({ ...token, isOnNewLine })
    isOnNewLine = false
  }
  return kept
}

function areSame(was: readonly Token[], is: readonly Token[]): boolean {
  let [one, other] = [0, 0]
  let last: Token | undefined
  while (one < was.length || other < is.length) {
    let [a, b] = [was[one], is[other]]
    if (a?.text === b?.text) {
      if (last !== undefined && a?.isOnNewLine !== b?.isOnNewLine && !mayMoveLine(last.text, a?.text ?? ''))
        return false
    } else {
      // One of them has a semicolon, the other the end of a line or of a block.
      const isFirst = a?.text === ';'
      const [extra, next] = isFirst ? [a, b] : [b, a]
      if (extra?.text !== ';' || extra.isInHead || !endsStatement(last)) return false
      if (next !== undefined && !isEndedBefore(next)) return false
      if (isFirst) one += 1
      else other += 1
      ;[a, b] = [was[one], is[other]]
      if (a?.text !== b?.text) return false
    }
    last = a
    one += 1
    other += 1
  }
  return true
}

/** Returns whether a line may end between two tokens or not, without a different meaning. */
function mayMoveLine(last: string, next: string): boolean {
  const isPredicate = next === 'is' && isWord(last) && !OPEN_WORDS.has(last)
  return !RESTRICTED.has(last) && !RESTRICTED_BEFORE.has(next) && !isPredicate
}

function endsStatement(last: Token | undefined): boolean {
  const { text = '', endsHead = true } = last ?? {}
  if (endsHead || OPEN_WORDS.has(text) || (RESTRICTED.has(text) && !ENDING.has(text))) return false
  return /^[)\]}"'`/]/.test(text) || isWord(text)
}

/** Returns whether a statement without a semicolon ends before this token. */
function isEndedBefore({ text, isOnNewLine }: Token): boolean {
  return text === '}' || (isOnNewLine && !CONTINUES.test(text))
}
