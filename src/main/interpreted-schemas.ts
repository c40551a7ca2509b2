import { config } from 'zod'

/*
 * To be imported before what makes schemas. For each schema zod would write and compile a parser when it is first used: a start uses some
 * hundreds of them, most of them once, and waits for that; what uses one ten thousand times saves a quarter of what parsing takes. So
 * hosts and commands do without, and threads that read whole records (`worker.ts`, `verify-record.ts`) have them.
 */
config({ jitless: true })
