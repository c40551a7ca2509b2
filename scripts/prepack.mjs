/* Runs before `npm pack`, which packs the build: builds it if it is missing or older than its sources. */
import { join } from 'node:path'
import { ensureBuilt } from './ensure-built.mjs'

await ensureBuilt(join(import.meta.dirname, '..'))
