import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'

/** The machine on which the figures were measured; they mean little without it. */
export interface MeasuredOn {
  readonly processor: string
  readonly cores: number
  readonly memoryGib: number
  readonly system: string
  readonly node: string
  readonly git: string
  /** The load of the minute before. Above a few tenths of a core, figures in ms mostly measure other processes. */
  readonly load: number
  /** ISO 8601. */
  readonly at: string
}

export function thisMachine(): MeasuredOn {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGib: Math.round(totalmem() / 1024 ** 3),
    system: `${type()} ${release()}`,
    node: process.version,
    git: execFileSync('git', ['--version'], { encoding: 'utf8' }).replace('git version ', '').trim(),
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    at: new Date().toISOString(),
  }
}
