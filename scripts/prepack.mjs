/* `npm pack` packs what is built: it is built first where it is missing or older than its sources. */
import { join } from 'node:path'
import { ensureBuilt } from './ensure-built.mjs'

await ensureBuilt(join(import.meta.dirname, '..'))
