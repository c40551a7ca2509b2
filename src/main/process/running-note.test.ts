import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { endLeftovers, noteRunning } from './running-note.ts'

const MARKER = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const silent = { info: () => {}, warn: () => {}, error: () => {} }

test('a note is never incomplete: reading it during a rewrite returns the previous one', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pulseward-note-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const note = join(directory, '1.pid')
  noteRunning(note, { pid: null, start: null, marker: MARKER }, silent)
  const reader = openSync(note, 'r')
  noteRunning(note, { pid: 4242, start: '17', marker: MARKER }, silent)
  expect(JSON.parse(readFileSync(reader, 'utf8'))).toMatchObject({ pid: null, marker: MARKER })
  closeSync(reader)
  expect(JSON.parse(readFileSync(note, 'utf8'))).toMatchObject({ pid: 4242, marker: MARKER })
  expect(readdirSync(directory)).toEqual(['1.pid'])
})

test('a note that a killed supervisor had only begun is removed, and nothing counts as running', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pulseward-note-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  noteRunning(join(directory, '1.pid'), { pid: null, start: null, marker: MARKER }, silent)
  for (const name of ['1.pid.new', '2.pid.new']) writeFileSync(join(directory, name), '{"pid":')
  writeFileSync(join(directory, '2.log'), 'what an agent said')
  expect(await endLeftovers(directory, silent)).toMatchObject({ ended: 0 })
  expect(readdirSync(directory)).toEqual(['2.log'])
})
