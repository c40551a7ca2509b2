import { contractOf, type ForeignTask, type TakenTasks } from './foreign-tasks.ts'

export type { TakenTasks } from './foreign-tasks.ts'

/*
 * Reads the task files of ralph and ralph-gold: stories in JSON or YAML under any of the documented names, and boxes in Markdown. Every
 * item is read separately: an odd field is named and omitted, and affects nothing else.
 */

type Item = Readonly<Record<string, unknown>>

const LISTS = ['userstories', 'stories', 'tasks', 'items', 'features', 'requirements']
const IDS = ['id', 'storyid', 'taskid', 'key', 'number']
const TITLES = ['title', 'name', 'summary', 'task', 'story']
const DESCRIPTIONS = ['description', 'details', 'userstory', 'notes']
const CRITERIA = ['acceptance', 'acceptancecriteria', 'criteria', 'successcriteria', 'steps']
const CRITERION_TEXTS = ['text', 'criterion', 'description', 'title', 'name']
const DONE_KEYS = ['passes', 'completed', 'done']
const OTHER_KEYS = [
  'status',
  'state',
  'blocked',
  'blockedreason',
  'blockreason',
  'priority',
  'dependson',
  'dependencies',
]
const READ_KEYS = new Set([...IDS, ...CRITERIA, ...DONE_KEYS, ...OTHER_KEYS])
const DONE_WORDS = new Set(['done', 'complete', 'completed', 'passed', 'closed'])
const BLOCKED_WORDS = new Set(['blocked', 'stuck'])
const MAX_NAMED = 50
const MAX_TEXT = 10_000

/** Reads the stories of a parsed `prd.json`, `tasks.json` or `tasks.yaml`, by priority, or returns the reason in words. */
export function readStories(value: unknown): TakenTasks | string {
  const list = listIn(value)
  if (list === null) return 'it has no list of stories or tasks'
  const left: string[] = []
  const stories = list.flatMap((item, index): (ForeignTask & { readonly priority: number })[] => {
    const story = storyOf(item, index, left)
    return story === null ? [] : [story]
  })
  if (stories.length === 0) return `none of its ${list.length} items has a title or description`
  return contractOf(
    stories.toSorted((a, b) => a.priority - b.priority),
    shortened(left),
  )
}

function listIn(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value.length === 0 ? null : value
  const outer = itemOf(value)
  if (outer === null) return null
  const named = LISTS.map((name) => outer[name]).find(Array.isArray)
  // { "prd": { "stories": […] } }
  const list =
    named ??
    Object.values(outer)
      .map((inner) => (itemOf(inner) === null ? null : listIn(inner)))
      .find(Array.isArray)
  return list === undefined || list === null || list.length === 0 ? null : list
}

function storyOf(
  value: unknown,
  index: number,
  left: string[],
): (ForeignTask & { readonly priority: number }) | null {
  const item = typeof value === 'string' ? { title: value } : itemOf(value)
  if (item === null) {
    left.push(`Item ${index + 1}: expected an object, found ${show(value)}.`)
    return null
  }
  const title = textIn(item, TITLES)
  const description = textIn(item, DESCRIPTIONS)
  const id = textIn(item, IDS) || title
  const called = id || `item ${index + 1}`
  if (title === '' && description === '') {
    left.push(`${called}: it has no title and no description.`)
    return null
  }
  const odd = (name: string, found: unknown): void => {
    left.push(`${called}: \`${name}\` ${show(found)} was not read.`)
  }
  for (const name of unreadKeys(item, [title, description])) odd(name, item[name])
  const status = textIn(item, ['status', 'state']).toLowerCase()
  const reason = textIn(item, ['blockedreason', 'blockreason'])
  const isBlocked = item.blocked === true || BLOCKED_WORDS.has(status)
  return {
    id: id || description,
    description: [title, description].filter((part) => part !== '').join(': '),
    checked: isDone(item, odd) || DONE_WORDS.has(status),
    blocked: isBlocked ? reason : null,
    criteria: criteriaIn(item, odd),
    dependsOn: dependenciesIn(item),
    priority: priorityIn(item, odd),
  }
}

/** Returns the fields with content that no part of a task comes from: unknown ones, and further titles and descriptions. */
function unreadKeys(item: Item, texts: readonly string[]): readonly string[] {
  return Object.keys(item).filter((name) => {
    const value = item[name]
    if (READ_KEYS.has(name) || value === null || value === '' || value === false) return false
    if (Array.isArray(value) && value.length === 0) return false
    return !(TITLES.includes(name) || DESCRIPTIONS.includes(name)) || !texts.includes(textIn(item, [name]))
  })
}

type Odd = (name: string, found: unknown) => void

function isDone(item: Item, odd: Odd): boolean {
  const name = DONE_KEYS.find((key) => key in item)
  if (name === undefined) return false
  const value = item[name]
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === 'false') return value === 'true'
  odd(name, value)
  return false
}

const PRIORITY_WORDS: Readonly<Record<string, number>> = {
  critical: 0,
  high: 1,
  medium: 2,
  normal: 2,
  low: 3,
}

/** Returns an item's priority; items without one come last. */
function priorityIn(item: Item, odd: Odd): number {
  const value = item.priority
  if (value === undefined) return Number.POSITIVE_INFINITY
  const word = typeof value === 'string' ? value.trim().toLowerCase() : ''
  const number = PRIORITY_WORDS[word] ?? (word === '' ? value : Number(word.replace(/^p/, '')))
  if (typeof number === 'number' && Number.isFinite(number)) return number
  odd('priority', value)
  return Number.POSITIVE_INFINITY
}

function criteriaIn(item: Item, odd: Odd): readonly string[] {
  return CRITERIA.filter((key) => key in item).flatMap((name) => criteriaOf(item[name], name, odd))
}

function criteriaOf(value: unknown, name: string, odd: Odd): readonly string[] {
  if (typeof value === 'string')
    return value.split(/\r?\n/).map((text) => text.replace(/^\s*[-*+]\s+(?:\[.\]\s+)?/, ''))
  if (!Array.isArray(value)) {
    odd(name, value)
    return []
  }
  return value.flatMap((one): string[] => {
    const inner = itemOf(one)
    const text =
      typeof one === 'string' || typeof one === 'number'
        ? String(one)
        : inner === null
          ? ''
          : textIn(inner, CRITERION_TEXTS)
    if (text === '') odd(name, one)
    return text === '' ? [] : [text.slice(0, MAX_TEXT)]
  })
}

function dependenciesIn(item: Item): readonly string[] {
  const value = item.dependson ?? item.dependencies
  return Array.isArray(value)
    ? value.filter((one) => typeof one === 'string' || typeof one === 'number').map(String)
    : []
}

/**
 * Returns an object with its keys in lower case and without separators: `acceptance_criteria` and `acceptanceCriteria` are the
 * same.
 */
function itemOf(value: unknown): Item | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toLowerCase().replace(/[_\s-]/g, ''), inner]),
  )
}

function textIn(item: Item, names: readonly string[]): string {
  const found = names
    .map((name) => item[name])
    .find((value) => (typeof value === 'string' && value.trim() !== '') || typeof value === 'number')
  return found === undefined ? '' : String(found).trim().slice(0, MAX_TEXT)
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

function shortened(left: readonly string[]): readonly string[] {
  return left.length <= MAX_NAMED
    ? left
    : [...left.slice(0, MAX_NAMED), `and ${left.length - MAX_NAMED} more of the kind.`]
}

const BOX = /^([ \t]*)(?:[-*+]|\d{1,4}[.)])[ \t]+\[([ xX~!-])\][ \t]+(\S.*)$/
const BULLET = /^([ \t]*)(?:[-*+]|\d{1,4}[.)])[ \t]+(\S.*)$/
const FENCE = /^[ \t]*(?:```|~~~)/
const TASKS_HEADING = /^ {0,3}##\s+tasks\b/i
const SECTION = /^ {0,3}##?\s+\S/

/**
 * Reads the boxes of a Markdown task list, in order, at any depth and with any bullets. Items nested below a box become its criteria. Reads
 * only the section "Tasks" if there is one. Bullets without a box that belong to no task are named. Returns the reason in words if there
 * are no boxes.
 */
export function readTaskList(text: string): TakenTasks | string {
  const tasks: { indent: number; task: ForeignTask & { criteria: string[] } }[] = []
  const left: string[] = []
  for (const { number, line } of taskLines(text)) {
    const [, indent = '', words = ''] = BULLET.exec(line) ?? []
    const [, , mark = null, title = ''] = BOX.exec(line) ?? []
    if (words === '') continue
    const depth = indent.replaceAll('\t', '    ').length
    const last = tasks.at(-1)
    if (last !== undefined && depth > last.indent)
      last.task.criteria.push(plain(mark === null ? words : title))
    else if (mark === null) left.push(`Line ${number} has no box: "${plain(words).slice(0, 80)}".`)
    else tasks.push({ indent: depth, task: taskOf(mark, plain(title)) })
  }
  if (tasks.length === 0) return 'it has no line with a box'
  return contractOf(
    tasks.map(({ task }) => task),
    shortened(left),
  )
}

function taskOf(mark: string, title: string): ForeignTask & { criteria: string[] } {
  return {
    id: title.replace(/[*_`[\]]/g, '').slice(0, 40),
    description: title,
    checked: /x/i.test(mark),
    blocked: mark === '-' || mark === '!' ? '' : null,
    criteria: [],
    dependsOn: [],
  }
}

function plain(text: string): string {
  return text.replaceAll('**', '').trim()
}

function taskLines(text: string): readonly { readonly number: number; readonly line: string }[] {
  let isFenced = false
  const lines = text.split(/\r\n|\n|\r/).map((line, index) => {
    const isFence = FENCE.test(line)
    if (isFence) isFenced = !isFenced
    return { number: index + 1, line: isFence || isFenced ? '' : line }
  })
  const start = lines.findIndex(({ line }) => TASKS_HEADING.test(line))
  if (start < 0) return lines
  const end = lines.findIndex(({ line }, index) => index > start && SECTION.test(line))
  return lines.slice(start + 1, end < 0 ? undefined : end)
}
