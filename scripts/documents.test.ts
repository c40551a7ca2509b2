import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { liveEventSchema } from '../src/api/schemas/live-event.ts'
import { EXIT_CODES } from '../src/cli/cli-error.ts'
import { createCliFixture } from '../src/cli/testing/cli-fixture.ts'
import { PRESET_IDS } from '../src/core/agents/programs.ts'
import { CHANNEL_TYPES } from '../src/core/vocabulary/channel.ts'
import { CONTRACT_DIAGNOSTICS } from '../src/core/vocabulary/contract-diagnostic.ts'
import { INTERVENTION_ROWS, INTERVENTION_TYPES } from '../src/core/vocabulary/intervention.ts'
import { NOTIFICATION_KINDS, NOTIFICATION_SUBJECTS } from '../src/core/vocabulary/notification.ts'
import { reportOnText } from '../src/main/config/text-report.ts'
import { createOpenApiDocument } from '../src/main/procedures/openapi-document.ts'
import { publishedSchemas } from './published-schemas.ts'

/*
 * Documents that list things must list exactly those in the code. The tables of docs/configuration.md are generated from the
 * settings (setting-tables.test.ts); the commands in documents are run (e2e/cli/documents.spec.ts).
 */

function linesOf(name: string): string[] {
  return readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8').split('\n')
}

/** Returns the rows of the table with this heading line, as cells. */
function rowsBelow(name: string, heading: string): string[][] {
  const lines = linesOf(name)
  const begin = lines.findIndex((line) => line.startsWith(heading))
  expect(begin, `${name} has a table that begins with ${heading}`).toBeGreaterThan(0)
  return rowsAt(name, begin)
}

function rowsAt(name: string, begin: number): string[][] {
  const lines = linesOf(name)
  const end = lines.indexOf('', begin)
  return lines.slice(begin + 2, end).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim())
      .slice(1, -1),
  )
}

/** Returns the rows of all tables with this heading line, as cells. */
function rowsOfAll(name: string, heading: string): string[][] {
  const starts = linesOf(name).flatMap((line, index) => (line.startsWith(heading) ? [index] : []))
  expect(starts.length, `${name} has tables that begin with ${heading}`).toBeGreaterThan(0)
  return starts.flatMap((start) => rowsAt(name, start))
}

function spansOf(text = ''): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.replaceAll('\\|', '|'))
}

/** Returns everything in code marks in the first cells. */
function namesBelow(name: string, heading: string): string[] {
  return rowsBelow(name, heading).flatMap(([cell]) => spansOf(cell))
}

/** Returns the operations a table cell names. `GET`, `PUT /api/contract` are two; `…/resume` continues the path before it. */
function operationsIn(cell: string): string[] {
  let methods: string[] = []
  let isOpen = false
  let path = ''
  const found: string[] = []
  for (const span of spansOf(cell)) {
    const [, words, place] = /^(?:([A-Z|]+) ?)?(\S*)$/.exec(span) ?? []
    if (words !== undefined) methods = isOpen ? [...methods, ...words.split('|')] : words.split('|')
    isOpen = place === ''
    if (place === undefined || place === '') continue
    path = place.startsWith('…') ? path.replace(/[^/]+$/, place.slice(2)) : place.replace(/\?.*/, '')
    found.push(...methods.map((method) => `${method} ${path}`))
  }
  return found
}

test('the command line’s document lists exactly the existing endpoints', async () => {
  const { paths = {} } = await createOpenApiDocument('1.0.0')
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const written = rowsOfAll('command-line.md', '| endpoint').flatMap(([cell = '']) => operationsIn(cell))
  expect(written.toSorted()).toEqual([...operations, 'GET /api/openapi.json'].toSorted())
})

test('lists every live event', () => {
  const types = liveEventSchema.options.map(({ shape }) => shape.type.value)
  expect(namesBelow('command-line.md', '| event ').toSorted()).toEqual(types.toSorted())
})

test('lists every exit code', () => {
  const codes = rowsBelow('command-line.md', '| exit code').map(([code]) => Number(code))
  expect(codes).toEqual(Object.keys(EXIT_CODES).map(Number))
})

test('lists every command, with its options', async () => {
  const cli = await createCliFixture()
  try {
    const helpOf = async (...words: string[]) => (await cli.run([...words, '--help'])).stdout
    const commands = [...(await helpOf()).matchAll(/^ {2}([a-z][a-z-]+)(?=[ |])/gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'help')
    expect(commands.length).toBeGreaterThan(20)
    const lines = linesOf('command-line.md')
    const written = lines
      .slice(lines.indexOf('## Commands'), lines.indexOf('## HTTP'))
      .filter((line) => line.startsWith('| `'))
      .join('\n')
    for (const command of commands) {
      expect(written, command).toMatch(new RegExp(`\`${command}[ \`]`))
      const own = /\nOptions:\n([\s\S]*?)(\n\n|$)/.exec(await helpOf(command))?.[1] ?? ''
      for (const [option] of own.matchAll(/(?<=^ {2}(?:-\w, )?)--[a-z-]+/gm))
        if (option !== '--help') expect(written, `${command} ${option}`).toContain(option)
    }
  } finally {
    await cli.close()
  }
})

test('the interventions document lists its events with their severity', () => {
  const written = rowsBelow('interventions.md', '| event | severity').map(([name, severity = '']) => [
    spansOf(name)[0],
    severity.split(';')[0],
  ])
  const declared = INTERVENTION_TYPES.map((type) => [type, INTERVENTION_ROWS[type].severity])
  expect(written.toSorted()).toEqual(declared.toSorted())
})

test('the command line’s document lists the metrics', () => {
  const source = readFileSync(new URL('../src/main/procedures/metrics.ts', import.meta.url), 'utf8')
  const names = new Set([...source.matchAll(/'(pulseward_\w+)'/g)].map(([, name = '']) => name))
  const written = namesBelow('command-line.md', '| name | type')
    .map((name) => name.replace(/\{.*/, ''))
    .filter((name) => name.startsWith('pulseward_'))
  expect(written.toSorted()).toEqual([...names].toSorted())
})

test('the contract document lists its diagnostics with their severity', () => {
  const written = rowsBelow('contract.md', '| code | severity').map(([code, severity]) => [
    spansOf(code)[0],
    severity,
  ])
  expect(written.toSorted()).toEqual(Object.entries(CONTRACT_DIAGNOSTICS).toSorted())
})

test('the documents list the known agents', () => {
  const written = rowsBelow('agents.md', '| preset').flatMap(([cell]) => spansOf(cell))
  expect(written.toSorted()).toEqual([...PRESET_IDS].toSorted())
})

test('the settings document lists the kinds of notifications', () => {
  const text = linesOf('configuration.md').join('\n')
  for (const kind of NOTIFICATION_KINDS) expect(text).toContain(`\`${kind}\``)
})

test('the channels document lists their types and what they can be notified about', () => {
  expect(namesBelow('unattended.md', '| type | what is sent')).toEqual([...CHANNEL_TYPES])
  const text = linesOf('unattended.md').join(' ')
  const kinds = /`--kind` notifies only of these: (.*?); `--severity`/.exec(text)?.[1]
  expect(spansOf(kinds).toSorted()).toEqual([...NOTIFICATION_SUBJECTS].toSorted())
})

/** Every block of TOML in a document. */
const configurations = ['../README.md', ...readdirSync(new URL('../docs', import.meta.url))]
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) =>
    [
      ...linesOf(name)
        .join('\n')
        .matchAll(/^```toml\n(.*?)^```/gms),
    ].map(([, text = ''], index) => ({
      name: `${name}, ${index + 1}`,
      text,
    })),
  )

test('there are configurations in the documents', () => {
  expect(configurations.map(({ name }) => name)).toContain('unattended.md, 1')
})

test.each(configurations)('the configuration in $name is valid', ({ text }) => {
  // Some examples show a single table of a file, without its `[agent]`.
  const whole = /^\[agent\]/m.test(text) ? text : `${text}\n[agent]\ncommand = ["agent"]\n`
  expect(reportOnText(whole).problems).toEqual([])
})

test('the schemas of attestations are exactly those of the code', () => {
  const schemas = publishedSchemas()
  const folder = new URL('../docs/schemas/', import.meta.url)
  expect(readdirSync(folder).toSorted()).toEqual(Object.keys(schemas).toSorted())
  for (const [name, text] of Object.entries(schemas))
    expect(readFileSync(new URL(name, folder), 'utf8'), 'npm run docs').toBe(text)
})

test('every script and benchmark named in the documents exists', async () => {
  const names = readdirSync(new URL('../docs', import.meta.url)).filter((name) => name.endsWith('.md'))
  const texts = [...names.map((name) => `../docs/${name}`), '../README.md', '../CONTRIBUTING.md'].map(
    (path) => readFileSync(new URL(path, import.meta.url), 'utf8'),
  )
  const named = texts.flatMap((text) => [
    ...text.matchAll(/\bnpm run (?<script>[a-z][a-z0-9:-]*)(?: -- (?<benchmark>[a-z][a-z-]*))?/g),
  ])
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const list = readFileSync(new URL('../bench/run.ts', import.meta.url), 'utf8')
  expect(named.length).toBeGreaterThan(20)
  for (const [words, script = '', benchmark] of named) {
    expect(Object.keys(scripts), words).toContain(script)
    if (script === 'bench' && benchmark !== undefined && benchmark !== 'all')
      expect(list, words).toMatch(new RegExp(`^  '?${benchmark}'?[:,]`, 'm'))
  }
})
