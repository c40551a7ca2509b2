import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/*
 * Set up before each file of tests: seals of ledgers in temporary folders do not belong into the home folder of whoever runs them. Each
 * file has a place of its own, for a host that starts looks at all seals that are there.
 */
const state = mkdtempSync(join(tmpdir(), 'pulseward-state-'))
process.env.XDG_STATE_HOME = state
afterAll(() => rmSync(state, { recursive: true, force: true }))
