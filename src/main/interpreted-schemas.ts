import { config } from 'zod'

/*
 * Must be imported before modules that create schemas. By default zod writes and compiles a parser for each schema when it is first used. A
 * start uses some hundreds, most of them once, and has to wait for that, while code that uses one ten thousand times saves a quarter of the
 * parsing time. So hosts and commands do without it, and threads that read whole records (`worker.ts`, `verify-record.ts`) use it.
 */
config({ jitless: true })
