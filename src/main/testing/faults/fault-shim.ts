import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The failures that a file system can cause; see `fault-shim.c`. */
export const FAULTS = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'SHORT', 'TORN'] as const
export type Fault = (typeof FAULTS)[number]

/** Faults in the files below a folder, for programs started with `environment`. */
export interface FaultShim {
  readonly environment: Readonly<Record<string, string>>
  /** Starts the fault for files whose path contains `part`. */
  inject(fault: Fault, part: string): void
  /** Ends the fault; returns the calls that it hit, as `FAULT CALL PATH`. */
  end(): readonly string[]
  /** Returns everything done below the folder, if a journal was requested. */
  journal(): Buffer
  remove(): void
}

const source = join(import.meta.dirname, 'fault-shim.c')

/** Builds the shim for the files below `root`; returns the reason if this machine cannot. */
export function openFaultShim(root: string, { withJournal = false } = {}): FaultShim | string {
  if (process.platform !== 'linux') return 'faults are injected by LD_PRELOAD, which Linux alone has'
  const folder = mkdtempSync(join(tmpdir(), 'pulseward-faults-'))
  const library = join(folder, 'faults.so')
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], {
    encoding: 'utf8',
  })
  if (built.status !== 0) {
    rmSync(folder, { recursive: true })
    return `a C compiler is needed to inject faults: ${built.error?.message ?? built.stderr}`
  }
  const [control, hits, journal] = ['control', 'hits', 'journal'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const file of [control, hits, journal]) writeFileSync(file, '')
  return {
    environment: {
      LD_PRELOAD: library,
      // Otherwise the shim would miss reads and writes that bypass the C library.
      UV_USE_IO_URING: '0',
      FAULT_ROOT: `${root}/`,
      FAULT_CONTROL: control,
      FAULT_HITS: hits,
      ...(withJournal && { FAULT_JOURNAL: journal }),
    },
    inject: (fault, part) => {
      writeFileSync(hits, '')
      writeFileSync(control, `${fault} ${part}\n`)
    },
    end: () => {
      writeFileSync(control, '')
      return readFileSync(hits, 'utf8').split('\n').filter(Boolean)
    },
    journal: () => readFileSync(journal),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
