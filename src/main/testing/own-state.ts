import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, vi } from 'vitest'

/*
 * Runs before each test file: the seals of ledgers in temporary folders must not get into the home folder of the developer. Each file has
 * its own folder, because a host reads all the seals there when it starts.
 */
// What the last test of another file in this worker has set.
vi.unstubAllEnvs()
const state = mkdtempSync(join(tmpdir(), 'pulseward-state-'))
process.env.XDG_STATE_HOME = state
afterAll(() => rmSync(state, { recursive: true, force: true }))
