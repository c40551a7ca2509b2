/*
 * Run as a program: `node print-handles.ts DIRECTORY HANDLE`. Prints what it got open as that handle; then starts a program as Pulseward
 * starts agents and checks, and prints which handles above the usual ones that program got, and its stdin.
 */
import { readlinkSync } from 'node:fs'
import { systemClock } from '../../host/system-clock.ts'
import { runProcess } from '../run-process.ts'

process.stdout.write(`${readlinkSync(`/proc/self/fd/${process.argv[3] ?? ''}`)}\n`)
const run = await runProcess({
  command: ['sh', '-c', 'cat; for f in /proc/self/fd/*; do readlink "$f"; done; cat /proc/self/fd/*/secret'],
  directory: process.argv[2] ?? '',
  stdin: 'what it was told\n',
  timeoutMs: 60_000,
  signal: new AbortController().signal,
  maxBytes: 64 * 1024,
  clock: systemClock,
})
process.stdout.write(run.stdout.text)
