import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { sealsDirectory } from '../ledger/seal.ts'

/** What is Pulseward's alone, wherever this host keeps it. */
export function ownDataFolders(dataDirectory: string): readonly string[] {
  const home = homedir()
  return [
    dataDirectory,
    dirname(sealsDirectory()),
    ...['.pulseward', '.local/state/pulseward', '.config/pulseward', '.config/Pulseward'].map((path) =>
      join(home, path),
    ),
  ]
}
